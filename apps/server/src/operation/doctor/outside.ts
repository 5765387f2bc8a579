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

type Asked = Pick<OutsideSystem, 'system' | 'check'>;

/** With clients of their own, which are closed again. */
export async function systemFindings(config: Config): Promise<Finding[]> {
  const systems: (Asked & { close(): Promise<void> })[] = [
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

/** The same question as `/readyz` asks. */
export function statesOf(systems: readonly Asked[]): Promise<Finding[]> {
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
const PATIENCE_MS = 10_000;
const NAME = 'public address';
const PROXY = 'Look at the proxy in front: it has to pass on every path, with Host as it was asked for.';

/** @param serverRuns whether a server is known to run: else no answer means little */
export async function publicFindings(
  { origin }: Pick<Config, 'origin'>,
  serverRuns: boolean,
): Promise<Finding[]> {
  if (origin === null) return [skip(NAME, 'It follows the port, which is chosen at the start.')];
  const outbound = createOutbound({
    system: origin,
    origin,
    connectMs: PATIENCE_MS,
    wholeMs: PATIENCE_MS,
    maxBytes: 10_000_000,
  });
  const get = (path: string) => outbound.request({ method: 'GET', path });
  try {
    const ready = await get(ENDPOINTS.ready);
    const body = ready.status === 200 || ready.status === 503 ? asReadiness(ready.text) : null;
    if (body === null) {
      return [fail(NAME, `${origin} answers with status ${ready.status}, and not as LMS Admin does.`, PROXY)];
    }
    const findings = [
      body.problems.length === 0
        ? ok(NAME, `${origin} leads to LMS Admin, which is ready.`)
        : fail(
            NAME,
            `${origin} leads to LMS Admin, which is not ready: ${body.problems.join(' ')}`,
            'See the other lines.',
          ),
    ];
    // Through a proxy that does not say who asks, every request seems to come from this machine.
    if (!LOCAL.has(new URL(origin).hostname) && (await get(ENDPOINTS.metrics)).status === 200) {
      findings.push(
        warn(
          NAME,
          'The figures (/metrics) can be read through the public address.',
          'Have the proxy set X-Forwarded-For, unless METRICS_FROM names this machine.',
        ),
      );
    }
    return findings;
  } catch (error) {
    const detail = error instanceof OutsideError ? error.detail : String(error);
    const text = `${origin} does not answer (${detail}).`;
    return serverRuns
      ? [
          fail(
            NAME,
            text,
            'Look at the name, the certificate and the proxy in front, and whether this machine can reach it.',
          ),
        ]
      : [warn(NAME, text, 'No server runs on this database: start LMS Admin, and run this again.')];
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
