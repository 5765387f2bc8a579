/** Zoom, Qualtrics, the bucket, the timetable, and LMS Admin itself at its public address. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { IMAGE_STORE } from '../../files/s3-errors.ts';
import { s3Objects } from '../../files/s3-objects.ts';
import { OutsideError } from '../../outbound/errors.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import type { Outbound } from '../../outbound/types.ts';
import type { Config } from '../../platform/config.ts';
import { NO_ADDRESS } from '../../platform/health.ts';
import { createLog } from '../../platform/log.ts';
import { type OutsideErrorKind, type OutsideSystem, shortName } from '../../platform/outside.ts';
import { QUALTRICS } from '../../qualtrics/answers.ts';
import { createQualtricsClient } from '../../qualtrics/client.ts';
import { createTimetable } from '../../timetable/timetable.ts';
import { createZoomClient } from '../../zoom-api/client.ts';
import { ZOOM } from '../../zoom-api/types.ts';
import { type Finding, fail, ok, skip, warn } from './check.ts';

type CheckedSystem = Pick<OutsideSystem, 'system' | 'check'>;

/** Uses its own clients, and closes them afterwards. */
export async function systemFindings(config: Config): Promise<Finding[]> {
  const systems: (CheckedSystem & { close(): Promise<void> })[] = [
    createZoomClient(config.zoom),
    createQualtricsClient(config.qualtrics, config.dataFolder),
    ...(config.images.s3 === null ? [] : [{ ...s3Objects(config.images.s3), system: IMAGE_STORE }]),
    createTimetable(config.timetableFeeds, { log: createLog('silent') }),
  ];
  try {
    return await statesOf(systems);
  } finally {
    await Promise.all(systems.map((one) => one.close()));
  }
}

/** Makes the same checks as `/readyz`. */
export function statesOf(systems: readonly CheckedSystem[]): Promise<Finding[]> {
  return Promise.all(
    systems.map(async (one): Promise<Finding> => {
      const { state, message, next, failure } = await one.check();
      const name = shortName(one.system);
      if (state === 'up') return ok(name, message);
      if (state !== 'down') return skip(name, message, next ?? '');
      const help = failure && helpFor(one.system, failure.kind);
      return help ? fail(name, help.message, help.next) : fail(name, message, next ?? '');
    }),
  );
}

interface Help {
  message: string;
  next: string;
}

/** Explains to operators the failures that a setting causes; other texts are for the people who use LMS Admin. */
const HELP: Readonly<Record<string, Partial<Record<OutsideErrorKind, Help>>>> = {
  [ZOOM]: {
    'token-refused': {
      message: 'Zoom rejects the app.',
      next: 'Compare ZOOM_ACCOUNT_ID, ZOOM_CLIENT_ID and ZOOM_CLIENT_SECRET with the app in Zoom, and check that it is activated.',
    },
    'not-found': {
      message: 'Zoom does not have the user in ZOOM_DEFAULT_OWNER.',
      next: 'Set it to the email of a user of this Zoom account.',
    },
    down: { message: 'Zoom does not answer.', next: 'Check whether this machine can reach ZOOM_API_URL.' },
  },
  [QUALTRICS]: {
    'token-refused': {
      message: 'Qualtrics rejects the token or the app.',
      next: 'Compare QUALTRICS_TOKEN, or QUALTRICS_CLIENT_ID and QUALTRICS_CLIENT_SECRET, with Qualtrics.',
    },
    'not-found': {
      message: 'Qualtrics does not have the survey in BTA_SURVEY_ID.',
      next: 'Correct the setting, or give the user of the token access to the survey.',
    },
    down: {
      message: 'Qualtrics does not answer.',
      next: 'Check QUALTRICS_URL, and whether this machine can reach it.',
    },
  },
};

const helpFor = (system: string, kind: OutsideErrorKind): Help | undefined => HELP[system]?.[kind];

const TIMEOUT_MS = 10_000;
const NAME = 'public address';
const PROXY =
  'Check the proxy in front of LMS Admin. It must pass on every path, and leave the Host header unchanged.';

const UNTRUSTED = {
  is: 'is not trusted by this machine',
  next: 'Configure the proxy with the full certificate chain. If your organisation issues its own, set NODE_EXTRA_CA_CERTS to the file with the certificate of the issuer.',
};

/** Problems of a certificate, by TLS error code. */
const CERTIFICATE: Readonly<Record<string, { is: string; next: string }>> = {
  CERT_HAS_EXPIRED: { is: 'has expired', next: 'Renew it.' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    is: 'is for another name',
    next: 'Get one for the name in LMS_ADMIN_URL.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

const NOT_STARTED = 'No server is running on this database. Start LMS Admin, and run the command again.';

/** Statuses that a proxy returns when it gets no answer itself. */
const PROXY_ALONE = new Set([502, 503, 504]);

function proxyAlone(origin: string, status: number, serverRuns: boolean): Finding {
  const text = `The proxy on ${origin} gets no answer from LMS Admin (status ${status}).`;
  return serverRuns
    ? fail(NAME, text, 'Check the address and the port to which the proxy passes requests (HOST, PORT).')
    : warn(NAME, text, NOT_STARTED);
}

/** @param serverRuns whether a server is known to run; otherwise a missing answer means little */
export async function publicFindings(
  { origin }: Pick<Config, 'origin'>,
  serverRuns: boolean,
): Promise<Finding[]> {
  if (origin === null) return [skip(NAME, 'It depends on the port, which is chosen at the start.')];
  const outbound = createOutbound({
    system: origin,
    origin,
    connectMs: TIMEOUT_MS,
    wholeMs: TIMEOUT_MS,
    maxBytes: 10_000_000,
  });
  const get = (path: string) => outbound.request({ method: 'GET', path });
  try {
    const ready = await get(ENDPOINTS.ready);
    const body = ready.status === 200 || ready.status === 503 ? asReadiness(ready.text) : null;
    if (body === null && PROXY_ALONE.has(ready.status)) return [proxyAlone(origin, ready.status, serverRuns)];
    if (body === null) {
      return [
        fail(
          NAME,
          `${origin} answers with status ${ready.status}, which is not an answer from LMS Admin.`,
          PROXY,
        ),
      ];
    }
    const findings = [
      body.problems.length === 0
        ? ok(NAME, `LMS Admin answers at ${origin} and is ready.`)
        : fail(
            NAME,
            `LMS Admin answers at ${origin}, but is not ready: ${body.problems.join(' ')}`,
            'See the other lines.',
          ),
    ];
    if (body.notes.includes(NO_ADDRESS)) {
      const next =
        'Configure the proxy to set X-Forwarded-For. See the sample files in docs/operating/proxies.md.';
      findings.push(warn(NAME, NO_ADDRESS, next));
      // Without that header, every request seems to come from this machine, which is allowed to read the metrics.
      if ((await get(ENDPOINTS.metrics)).status === 200)
        findings.push(warn(NAME, 'Therefore anyone can read the metrics (/metrics).', next));
    }
    const upload = origin.startsWith('https:') ? await uploadFinding(outbound, origin) : null;
    return upload === null ? findings : [...findings, upload];
  } catch (error) {
    const detail = error instanceof OutsideError ? error.detail : String(error);
    const certificate = CERTIFICATE[detail];
    if (certificate) return [fail(NAME, `The certificate of ${origin} ${certificate.is}.`, certificate.next)];
    const text = `${origin} does not answer (${detail}).`;
    return [
      serverRuns
        ? fail(NAME, text, 'Check the name and the proxy, and whether this machine can reach the address.')
        : warn(NAME, text, NOT_STARTED),
    ];
  } finally {
    await outbound.close();
  }
}

/** An upload of 100 MB, with its form. */
const UPLOAD_BYTES = 105_000_000;

/**
 * Announces an upload that ends after its first byte. A proxy with a smaller limit rejects it immediately, and LMS Admin rejects it
 * because no one is signed in. Null if there is nothing to report, or if the proxy waits for the rest.
 */
async function uploadFinding(outbound: Outbound, origin: string): Promise<Finding | null> {
  const ended = new AbortController();
  try {
    const { status, text } = await outbound.request({
      method: 'POST',
      path: ENDPOINTS.imageUpload,
      headers: { origin, 'content-length': String(UPLOAD_BYTES), 'content-type': 'multipart/form-data' },
      async *body() {
        yield ' ';
        await sleep(TIMEOUT_MS, undefined, { signal: ended.signal }).catch(() => {});
      },
      bodyOnce: true,
    });
    const code = errorCode(text);
    if (status === 413 && code === null) {
      return fail(
        NAME,
        'The proxy rejects large uploads (status 413). People upload files of up to 100 MB.',
        'Configure the proxy to accept requests of up to 110 MB (nginx: client_max_body_size 110m).',
      );
    }
    if (code !== 'foreign-origin') return null;
    return fail(
      NAME,
      `LMS Admin rejects what people submit on ${origin}, because the proxy does not pass on this name.`,
      'Configure the proxy to leave the Host header unchanged.',
    );
  } catch (error) {
    if (error instanceof OutsideError) return null;
    throw error;
  } finally {
    ended.abort();
  }
}

/** Returns the code of an error that LMS Admin sends; null for the answer of another program. */
function errorCode(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown } };
    return typeof error?.code === 'string' ? error.code : null;
  } catch {
    return null;
  }
}

function asReadiness(text: string): { problems: string[]; notes: string[] } | null {
  try {
    const { problems, notes } = JSON.parse(text) as { problems?: unknown; notes?: unknown };
    if (!Array.isArray(problems)) return null;
    return { problems: problems.map(String), notes: Array.isArray(notes) ? notes.map(String) : [] };
  } catch {
    return null;
  }
}
