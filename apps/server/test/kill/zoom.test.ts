/**
 * Publishing with processes killed at any step, lost answers and 429s: each event has exactly one meeting and one block, and the
 * job completes automatically (OP-104). One server on the embedded database, two on one PostgreSQL.
 */

import { startSandbox } from '@lms-admin/sandbox/server';
import { expect, test } from 'vitest';
import { freePort } from '../../../../scripts/free-port.mjs';
import { Browser } from '../support/browser.ts';
import { chosenDatabase } from '../support/databases.ts';
import { PEOPLE } from '../support/harness.ts';
import { zoomEnv } from '../support/zoom-env.ts';
import {
  blocksIn,
  endOf,
  HOSTS,
  type LmsEvent,
  numberIn,
  publishing,
  startChange,
  ZoomCampus,
} from '../zoom/campus.ts';
import { bundleServer, makePlace, Process } from './process.ts';

const ROUNDS = process.env.KILLS === 'all' ? 30 : 6;
const EVENTS = 5;
const OWNERS = [HOSTS.alma, HOSTS.bruno, HOSTS.hugo, HOSTS.farid];
const POST = { system: 'zoom', method: 'POST', match: '*/meetings' };
const PUT = { system: 'canvas', method: 'PUT', match: '/api/v1/calendar_events/*' };

type Moment = (campus: ZoomCampus) => Promise<unknown>;
/** The moment at which the process is killed. `faults` are set before the job starts. */
const MOMENTS: { name: string; faults: object[]; moment: Moment }[] = [
  { name: 'at any time', faults: [], moment: () => sleep(Math.random() * 1_500) },
  {
    name: 'a meeting is being made',
    faults: [{ ...POST, kind: 'latency', ms: 300 }],
    moment: seen('zoom', 'POST'),
  },
  {
    name: 'a meeting was made and nobody heard of it',
    faults: [{ ...POST, kind: 'drop', when: 'after', count: 3 }],
    moment: seen('zoom', 'POST'),
  },
  {
    name: 'Canvas is being told',
    faults: [{ ...PUT, kind: 'latency', ms: 300 }],
    moment: seen('canvas', 'PUT'),
  },
  {
    name: 'Canvas was told and nobody heard of it',
    faults: [{ ...PUT, kind: 'drop', when: 'after', count: 3 }],
    moment: seen('canvas', 'PUT'),
  },
  {
    name: 'Zoom is busy',
    faults: [{ ...POST, kind: 'throttle', count: 3 }],
    moment: () => sleep(900),
  },
];

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns the moment at which a system has received such a call. */
function seen(system: string, method: string): Moment {
  const path = system === 'zoom' ? /\/meetings$/ : /\/calendar_events\//;
  return async (campus) => {
    const asked = async () => {
      const { requests } = await campus.handle<{ requests: { method: string; path: string }[] }>(
        `requests?system=${system}`,
      );
      return requests.some((one) => one.method === method && path.test(one.path));
    };
    await expect.poll(asked, { interval: 10 }).toBe(true);
  };
}

test(`OP-104 ${ROUNDS} kills: each event has one meeting and one block`, { timeout: 1_500_000 }, async () => {
  const sandbox = await startSandbox({ port: 0, mode: 'test', throttle: false });
  const campus = new ZoomCampus(sandbox);
  const [main, place] = await Promise.all([bundleServer(), makePlace()]);
  const url = sandbox.url.replace('127.0.0.1', 'localhost');
  const env = {
    ...place.env,
    ...zoomEnv(url),
    LMS_URL: url,
    LMS_CLIENT_ID: '10',
    LMS_CLIENT_SECRET: 'sandbox-client-secret',
    LMS_SERVICE_TOKEN: 'sandbox-admin-token',
    LMS_ADMIN_ACCESS: 'config/access.json',
    LMS_ADMIN_KEY: '00'.repeat(32),
    JOB_LEASE_MS: '1000',
  };
  const ports = [await freePort(), await freePort()] as const;
  const home = `http://localhost:${ports[0]}`;
  const servers = (chosenDatabase() === 'postgres' ? ports : ports.slice(0, 1)).map(
    (port) => new Process(main, { ...env, PORT: String(port), LMS_ADMIN_URL: home }),
  );
  try {
    for (const one of servers) await one.start();
    const alma = new Browser(home);
    await alma.signIn(PEOPLE.all);
    const all: LmsEvent[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { name, faults, moment } = MOMENTS[round % MOMENTS.length] as (typeof MOMENTS)[number];
      const course = campus.quietCourse();
      const events: LmsEvent[] = [];
      for (let n = 0; n < EVENTS; n++)
        events.push(
          await campus.makeEvent(course.id, { title: `Round ${round}, ${n} (${name})` }, 2 + n / 24),
        );
      all.push(...events);
      for (const system of ['canvas', 'zoom']) await campus.handle(`requests?system=${system}`, 'DELETE');
      for (const fault of faults) await campus.handle('faults', 'POST', fault);
      const owner = OWNERS[round % OWNERS.length] ?? HOSTS.alma;
      const input = publishing({ course: course.id, events: events.map(({ id }) => id), owner });
      const response = await startChange(alma, input);
      expect(response.status).toBe(200);
      const { id } = (await response.json()).data;
      await moment(campus);
      const victim = servers[round % servers.length];
      await victim?.kill();
      await campus.handle('faults?system=zoom', 'DELETE');
      await campus.handle('faults', 'DELETE');
      await victim?.start();
      expect((await endOf(alma, id)).outcome, name).toBe('done');
    }
    const shown = await Promise.all(all.map(({ id }) => campus.event(id)));
    expect(shown.map((event) => blocksIn(event).length)).toEqual(all.map(() => 1));
    const linked = shown.map(({ description }) => numberIn(description));
    const made = await campus.ours();
    expect(made.map(({ topic }) => topic).sort()).toEqual(all.map(({ title }) => title).sort());
    expect(made.map(({ id }) => id).sort((a, b) => a - b)).toEqual([...linked].sort((a, b) => a - b));
  } finally {
    for (const one of servers) await one.kill();
    await sandbox.close();
    await place.remove();
  }
});
