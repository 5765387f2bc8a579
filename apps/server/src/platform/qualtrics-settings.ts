/** `QUALTRICS_…` and `BTA_SURVEY_ID`: the account of the school in Qualtrics, and the survey of the award. */
import { z } from 'zod';

export interface QualtricsSettings {
  /** Base of the API, without a trailing slash. */
  readonly apiUrl: string;
  /** Where OAuth issues tokens. */
  readonly tokenUrl: string;
  /** Id of the survey of the award (OP-90). */
  readonly survey: string;
  readonly credentials:
    | { readonly token: string }
    | { readonly clientId: string; readonly clientSecret: string };
}

const API = '/API/v3';
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);
const ADDRESS = 'the https address of the data centre, such as https://fra1.qualtrics.com';
const text = z.string().min(1).max(500);
const secret = z.string().min(8, 'a text of at least 8 characters').max(500);

/** Tells whether a text is an address without query; plain http only for this machine. */
function isAddress(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const url = new URL(given);
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.has(url.hostname));
  return secure && url.search === '' && url.hash === '' && url.username === '';
}

/** Settings with their names in the environment. */
export const qualtricsShape = {
  QUALTRICS_URL: z
    .string()
    .refine(isAddress, ADDRESS)
    .transform((given) => given.replace(/\/+$/, '').replace(/\/API\/v3$/i, ''))
    .optional(),
  QUALTRICS_TOKEN: secret.optional(),
  QUALTRICS_CLIENT_ID: text.optional(),
  QUALTRICS_CLIENT_SECRET: secret.optional(),
  SANDBOX_QUALTRICS_TOKEN: secret.optional(),
  BTA_SURVEY_ID: z
    .string()
    .regex(/^SV_\w{1,40}$/, 'the id of the survey, such as SV_0abcDEF1234ghij')
    .optional(),
};

type Set = z.output<z.ZodObject<typeof qualtricsShape>>;

/** Returns the settings that are missing given the others. @param given names of the settings with a value */
export function qualtricsProblems(given: ReadonlySet<string>): string[] {
  const own = Object.keys(qualtricsShape).filter((name) => name !== 'SANDBOX_QUALTRICS_TOKEN');
  // Only the survey is set: another survey of the practice Qualtrics.
  if (!own.some((name) => name !== 'BTA_SURVEY_ID' && given.has(name))) return [];
  const problems: string[] = [];
  const missing = (name: string, what: string) => {
    if (!given.has(name)) problems.push(`${name} is missing: it should be ${what}`);
  };
  missing('QUALTRICS_URL', ADDRESS);
  missing('BTA_SURVEY_ID', 'the id of the survey of the Best Teaching Award');
  const [client, token] = [
    given.has('QUALTRICS_CLIENT_ID') || given.has('QUALTRICS_CLIENT_SECRET'),
    given.has('QUALTRICS_TOKEN'),
  ];
  if (client && token) problems.push('QUALTRICS_TOKEN should not be set if QUALTRICS_CLIENT_ID is set');
  else if (client) {
    missing('QUALTRICS_CLIENT_ID', 'the client id of the app in Qualtrics');
    missing('QUALTRICS_CLIENT_SECRET', 'the client secret of that app');
  } else
    missing(
      'QUALTRICS_TOKEN',
      'the API token of a user who can export the survey (or set QUALTRICS_CLIENT_ID)',
    );
  return problems;
}

/** @param campus address of the practice LMS; null for a real LMS */
export function qualtricsSettings(set: Set, campus: string | null): QualtricsSettings | null {
  const { QUALTRICS_URL: url, QUALTRICS_TOKEN: token } = set;
  if (url === undefined) {
    const practiceToken = set.SANDBOX_QUALTRICS_TOKEN ?? 'sandbox-qualtrics-token';
    const survey = set.BTA_SURVEY_ID ?? 'SV_bta2026practice';
    if (campus === null) return null;
    return { ...addresses(`${campus}/qualtrics`), survey, credentials: { token: practiceToken } };
  }
  const { QUALTRICS_CLIENT_ID: clientId = '', QUALTRICS_CLIENT_SECRET: clientSecret = '' } = set;
  const credentials = token === undefined ? { clientId, clientSecret } : { token };
  return { ...addresses(url), survey: set.BTA_SURVEY_ID ?? '', credentials };
}

/** Returns the addresses of the API and of tokens, which come from an address outside the API's path. */
function addresses(base: string): Pick<QualtricsSettings, 'apiUrl' | 'tokenUrl'> {
  return { apiUrl: base + API, tokenUrl: `${base}/oauth2/token` };
}
