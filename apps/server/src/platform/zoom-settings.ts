/** `ZOOM_…`: the school's account in Zoom, the form of its links, and the people who can own meetings. */
import { z } from 'zod';

export interface ZoomSettings {
  /** The server-to-server app: account, client id and secret. */
  readonly account: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Base of the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly tokenUrl: string;
  /** Beginnings of join links, without a trailing slash. */
  readonly links: readonly string[];
  /** Email of the placeholder account. */
  readonly defaultOwner: string;
  /** Emails of people who can own meetings; null for the schedulers of the placeholder account. */
  readonly owners: readonly string[] | null;
  /** Zoom's address of a meeting's calendar file, with `{host}` and `{number}`; null: LMS Admin creates it (OP-101). */
  readonly icsPattern: string | null;
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Tells whether a text is an address without query; plain http only for this machine. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.has(url.hostname));
  return secure && url.search === '' && url.hash === '' && url.username === '';
}

function list<T extends z.ZodType<unknown, string>>(one: T, text: string) {
  return z
    .string()
    .transform((given) => given.split(',').map((part) => part.trim()))
    .pipe(z.array(one, text).min(1, text));
}

const email = (text: string) =>
  z
    .email(text)
    .max(320, text)
    .transform((given) => given.toLowerCase());
const PEOPLE = 'a comma-separated list of email addresses';
const HOSTS = 'a comma-separated list of the hosts of join links, such as school.zoom.us,us02web.zoom.us';
const linkBase = z
  .string()
  .transform((given) => (given.includes('://') ? given : `https://${given}`).replace(/\/+$/, ''))
  .refine((given) => isAddress(given) && !/[\s@]/.test(given), HOSTS);
const text = z.string().min(1).max(500);

/** Settings with their names in the environment. */
export const zoomShape = {
  ZOOM_ACCOUNT_ID: text.optional(),
  ZOOM_CLIENT_ID: text.optional(),
  ZOOM_CLIENT_SECRET: z.string().min(8, 'a text of at least 8 characters').optional(),
  ZOOM_API_URL: z
    .string()
    .transform((given) => given.replace(/\/+$/, ''))
    .refine(
      (given) => isAddress(given) && given.endsWith('/v2'),
      'the https address of the API, such as https://api.zoom.us/v2',
    )
    .optional(),
  ZOOM_HOST: list(linkBase, HOSTS).optional(),
  ZOOM_DEFAULT_OWNER: email('an email address').optional(),
  ZOOM_OWNERS: list(email(PEOPLE), PEOPLE).optional(),
  ZOOM_ICS_PATTERN: z
    .string()
    .refine(
      (given) =>
        given.includes('{host}') &&
        given.includes('{number}') &&
        given.startsWith('https://') &&
        URL.canParse(given.replaceAll('{host}', 'school.zoom.us').replaceAll('{number}', '1')),
      'an https address with {host} and {number}, such as https://{host}/meeting/{number}/ics',
    )
    .optional(),
};
const HOURS = 'a number of hours from 0.001 to 24, such as 24 or 0.1';
/** How often the queue of Zoom Event Run runs; a practice LMS does not have to wait a day. */
export const queueHours = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,3})?$/, HOURS)
  .transform(Number)
  .refine((hours) => hours >= 0.001 && hours <= 24, HOURS)
  .default(24);

type Set = z.output<z.ZodObject<typeof zoomShape>>;

/** Settings that are needed together, with their expected values. */
const NEEDED = {
  ZOOM_ACCOUNT_ID: 'the account id of the server-to-server app in Zoom',
  ZOOM_CLIENT_ID: 'the client id of that app',
  ZOOM_CLIENT_SECRET: 'the client secret of that app',
  ZOOM_HOST: HOSTS,
  ZOOM_DEFAULT_OWNER: 'the email address of the account that hosts meetings without a host',
} as const;

/** Returns the settings that are missing given the others. @param given names of the settings with a value */
export function zoomProblems(given: ReadonlySet<string>): string[] {
  if (![...given].some((name) => name in zoomShape)) return [];
  return Object.entries(NEEDED).flatMap(([name, what]) =>
    given.has(name) ? [] : [`${name} is missing: it should be ${what}`],
  );
}

/** @param campus address of the practice LMS and the secret of its app; null for a real LMS */
export function zoomSettings(
  set: Set,
  campus: { url: string; secret: string | undefined } | null,
): ZoomSettings | null {
  if (set.ZOOM_ACCOUNT_ID === undefined) return campus && practiceZoom(campus.url, campus.secret);
  const apiUrl = set.ZOOM_API_URL ?? 'https://api.zoom.us/v2';
  return {
    account: set.ZOOM_ACCOUNT_ID,
    clientId: set.ZOOM_CLIENT_ID ?? '',
    clientSecret: set.ZOOM_CLIENT_SECRET ?? '',
    apiUrl,
    tokenUrl: tokenUrl(apiUrl),
    links: set.ZOOM_HOST ?? [],
    defaultOwner: set.ZOOM_DEFAULT_OWNER ?? '',
    owners: set.ZOOM_OWNERS ?? null,
    icsPattern: set.ZOOM_ICS_PATTERN ?? null,
  };
}

/**
 * Returns the address for tokens: Zoom has one address for all regions of its API; another API has its own token
 * address next to it.
 */
function tokenUrl(apiUrl: string): string {
  return /(^|\.)zoom\.us$/.test(new URL(apiUrl).hostname)
    ? 'https://zoom.us/oauth/token'
    : apiUrl.replace(/\/v2$/, '/oauth/token');
}

/** Returns the settings for the Zoom of the practice LMS. */
export function practiceZoom(campus: string, clientSecret = 'sandbox-zoom-secret'): ZoomSettings {
  const apiUrl = `${campus}/zoom/v2`;
  return {
    account: 'sandbox-zoom-account',
    clientId: 'sandbox-zoom-client',
    clientSecret,
    apiUrl,
    tokenUrl: tokenUrl(apiUrl),
    links: [`${campus}/zoom`],
    defaultOwner: 'lms.admin@northbridge.example',
    owners: null,
    icsPattern: null,
  };
}
