/** Zoom, Qualtrics, the bucket, the timetable, and LMS Admin itself at its public address. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { IMAGE_STORE } from '../../files/s3-errors.ts';
import { s3Objects } from '../../files/s3-objects.ts';
import { OutsideError } from '../../outbound/errors.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import type { Config } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { type OutsideSystem, shortName } from '../../platform/outside.ts';
import { createQualtricsClient } from '../../qualtrics/client.ts';
import { createTimetable } from '../../timetable/timetable.ts';
import { createZoomClient } from '../../zoom-api/client.ts';
import { type Finding, fail, ok, skip, warn } from './check.ts';

type CheckedSystem = Pick<OutsideSystem, 'system' | 'check'>;

/** Uses clients of its own, and closes them. */
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

/** Asks the same as `/readyz`. */
export function statesOf(systems: readonly CheckedSystem[]): Promise<Finding[]> {
  return Promise.all(
    systems.map(async (one): Promise<Finding> => {
      const { state, message, next } = await one.check();
      const name = shortName(one.system);
      if (state === 'up') return ok(name, message);
      return state === 'down' ? fail(name, message, next ?? '') : skip(name, message, next ?? '');
    }),
  );
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);
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
    // Behind a proxy that does not forward the client's address, every request seems to come from this machine.
    if (!LOCAL.has(new URL(origin).hostname) && (await get(ENDPOINTS.metrics)).status === 200) {
      findings.push(
        warn(
          NAME,
          'Anyone can read the metrics (/metrics) through the public address.',
          'Configure the proxy to set X-Forwarded-For, unless METRICS_FROM names this machine.',
        ),
      );
    }
    return findings;
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

function asReadiness(text: string): { problems: string[] } | null {
  try {
    const { problems } = JSON.parse(text) as { problems?: unknown };
    return Array.isArray(problems) ? { problems: problems.map(String) } : null;
  } catch {
    return null;
  }
}
