/**
 * `npm run soak [minutes]`: three servers on one PostgreSQL, a hundred sessions that read, imports of every source, exports, counts of
 * votes and Zoom links. A server is killed every two minutes, and the database is unavailable three times. Nothing is lost, and
 * nothing is done twice.
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { job as jobSchema } from '@lms-admin/contract/jobs';
import { STUDENT_EXPORT } from '@lms-admin/contract/student-export';
import { systemWork } from '@lms-admin/contract/system';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REFRESH, ended as refreshEnded, stats } from '../awards/support.ts';
import { submitted } from '../enrollments/campus.ts';
import { type Deployment, openDeployment, pause } from '../kill/deployment.ts';
import type { Process } from '../kill/process.ts';
import { type Asked, aUsersFile, expectOnce, SOURCES } from '../kill/sources.ts';
import { onServer } from '../support/databases.ts';
import { PEOPLE } from '../support/harness.ts';
import {
  blocksIn,
  HOSTS,
  numberIn,
  publishing,
  startChange,
  until as untilJob,
  ZoomCampus,
} from '../zoom/campus.ts';
import { type Reads, SpreadBrowser } from './spread.ts';

const MINUTES = Number(process.env.SOAK_MINUTES);
const MINUTE_MS = 60_000;
const SERVERS = 3;
const SESSIONS = 100;
/** Time that a person looks at a screen, in milliseconds. */
const LOOKS_MS = 3_000;
const KILL_EVERY_MS = Math.min(2 * MINUTE_MS, (MINUTES * MINUTE_MS) / 5);
const AWAY_MS = 10_000;
const AWAY_TIMES = 3;
/** Number of imports that one administrator has at the same time. */
const IMPORTS_AT_ONCE = 4;

/** Work that has not ended after this time counts as lost. */
const JOB_MS = 5 * MINUTE_MS;
/** Milliseconds between two Zoom changes: Zoom accepts 100 changes per host and day, and a moved meeting is two of them. */
const ZOOM_PAUSE_MS = 90_000;
const REFRESH_PAUSE_MS = 30_000;

/** The sub-account of new courses, and the person who teaches them. */
const PROGRAMME = 86;
const TEACHER = 1_200;

const READS = [ENDPOINTS.jobs, ENDPOINTS.jobSummary, ENDPOINTS.accessMe];

let deployment: Deployment;
let homes: string[];
let alma: SpreadBrowser;
const reads: Reads = { ms: [], away: 0 };
const done = { imports: 0, exports: 0, counts: 0, changes: 0, kills: 0, away: 0 };

beforeAll(async () => {
  deployment = await openDeployment(SERVERS, {}, { importPace: 400 });
  homes = deployment.homes;
  alma = new SpreadBrowser(homes);
  await alma.signIn(PEOPLE.all);
  deployment.alma = alma;
});
afterAll(() => deployment?.close());

/** Repeats something until the time is over. */
async function untilOver(end: number, work: () => Promise<void>): Promise<void> {
  while (Date.now() < end) await work();
}

async function reader(end: number, login: string): Promise<void> {
  const browser = new SpreadBrowser(homes);
  await browser.signIn(login);
  await untilOver(end, async () => {
    await pause(LOOKS_MS * (0.5 + Math.random()));
    await browser.timed(READS[Math.floor(Math.random() * READS.length)] ?? ENDPOINTS.jobs, reads);
  });
}

/** Adds a course. The LMS adds its default section with the first enrolment. */
async function addCourse(): Promise<void> {
  const { campus } = deployment;
  const name = `Soak ${randomUUID()}`;
  const course = { name, course_code: name, sis_course_id: name.replace(' ', '-') };
  const made = await campus.api(`accounts/${PROGRAMME}/courses`, {
    method: 'POST',
    body: { course, offer: true },
  });
  expect(made.status).toBe(200);
  const { id } = (await made.json()) as { id: number };
  const enrollment = { user_id: TEACHER, type: 'TeacherEnrollment', enrollment_state: 'active' };
  const enrolled = await campus.api(`courses/${id}/enrollments`, { method: 'POST', body: { enrollment } });
  expect(enrolled.status).toBe(200);
}

/** Returns an import from any source, for a course that is used only once. */
async function nextImport(): Promise<Asked> {
  await addCourse();
  const source = SOURCES[Math.floor(Math.random() * SOURCES.length)] ?? aUsersFile;
  return source(deployment);
}

async function importer(end: number): Promise<void> {
  await untilOver(end, async () => {
    const asked = await nextImport();
    const { id } = await submitted(alma, asked.payload);
    await expectOnce(deployment, id, asked, JOB_MS);
    done.imports++;
  });
}

/** Waits for the end of a job, which has to be complete. */
async function expectDone(answer: Response): Promise<void> {
  expect(answer.status).toBe(200);
  const { id } = jobSchema.parse((await answer.json()).data);
  expect(await untilJob(alma, id, ({ ended_at }) => ended_at !== null, JOB_MS)).toMatchObject({
    outcome: 'done',
  });
}

async function exporter(end: number): Promise<void> {
  const course = deployment.campus.course(0).id;
  await untilOver(end, async () => {
    const input = { course, groups: true, format: 'xlsx', time_zone: null };
    await expectDone(await alma.post(jobStartPath(STUDENT_EXPORT), { key: randomUUID(), input }));
    done.exports++;
    await pause(2_000);
  });
}

/** Counts the votes of the award. */
async function counter(end: number): Promise<void> {
  await untilOver(end, async () => {
    await alma.post(REFRESH, {});
    await refreshEnded(alma);
    expect(await stats(alma)).toMatchObject({ responsecount: 386, total: 422, failed: null });
    done.counts++;
    await pause(REFRESH_PAUSE_MS);
  });
}

/**
 * Gives a course's events to one host after another. Each event always has one link, and Zoom one meeting for
 * it.
 */
async function zoomer(end: number): Promise<void> {
  const campus = new ZoomCampus(deployment.sandbox);
  const { id: course } = campus.quietCourse();
  const events = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  const hosts = [HOSTS.alma, HOSTS.bruno, HOSTS.hugo, HOSTS.farid];
  await untilOver(end, async () => {
    const owner = hosts[done.changes % hosts.length] ?? HOSTS.alma;
    await expectDone(await startChange(alma, publishing({ course, events, owner })));
    const shown = await Promise.all(events.map((id) => campus.event(id)));
    expect(shown.map((event) => blocksIn(event).length)).toEqual(events.map(() => 1));
    const numbers = shown.map(({ description }) => numberIn(description));
    expect(new Set((await campus.ours()).map(({ id }) => id))).toEqual(new Set(numbers));
    done.changes++;
    await pause(ZOOM_PAUSE_MS);
  });
}

/** Starts a server as a service manager does: repeatedly, while the database is unavailable. */
async function startAgain(server: Process): Promise<void> {
  for (const end = Date.now() + MINUTE_MS; ; await pause(1_000)) {
    try {
      return await server.start();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

async function killer(end: number): Promise<void> {
  await untilOver(end - KILL_EVERY_MS / 2, async () => {
    await pause(KILL_EVERY_MS / 2);
    const server = deployment.servers[done.kills % SERVERS];
    await server?.kill();
    done.kills++;
    await pause(5_000);
    if (server) await startAgain(server);
    await pause(KILL_EVERY_MS / 2 - 5_000);
  });
}

/** Cuts all connections to the database and rejects new ones for a while, as during a restart. */
async function outages(end: number): Promise<void> {
  const database = new URL(deployment.env.DATABASE_URL ?? '').pathname.slice(1);
  const every = (end - Date.now()) / (AWAY_TIMES + 1);
  for (; done.away < AWAY_TIMES; done.away++) {
    await pause(every - AWAY_MS);
    await onServer(
      `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
    );
    await pause(AWAY_MS);
    await onServer(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
  }
}

const share = (values: readonly number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN;

test('nothing is lost and nothing is done twice', { timeout: (MINUTES + 10) * MINUTE_MS }, async () => {
  const end = Date.now() + MINUTES * MINUTE_MS;
  const logins = Object.values(PEOPLE).filter((login) => login !== PEOPLE.unknown);
  await Promise.all([
    ...Array.from({ length: SESSIONS }, (_, at) => reader(end, logins[at % logins.length] ?? PEOPLE.all)),
    ...Array.from({ length: IMPORTS_AT_ONCE }, () => importer(end)),
    exporter(end),
    counter(end),
    zoomer(end),
    killer(end),
    outages(end),
  ]);
  const { data } = await (await alma.fetch(ENDPOINTS.systemWork)).json();
  expect(systemWork.parse(data)).toMatchObject({ open: [], failed: [] });
  expect(done.imports).toBeGreaterThan(0);
  const [half, most] = [share(reads.ms, 0.5), share(reads.ms, 0.99)].map(Math.round);
  console.log(
    `${MINUTES} min: ${done.imports} imports, ${done.exports} exports, ${done.counts} counts of votes and ${done.changes} Zoom changes, ` +
      `each done once; ${done.kills} servers killed, the database unavailable ${done.away} times. ` +
      `${reads.ms.length} reads: ${half} ms at the median, ${most} ms at the 99th percentile; in ${reads.away}, the database was unavailable.`,
  );
});
