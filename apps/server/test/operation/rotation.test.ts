/**
 * The rotation drill (docs/operating/rotation.md): every key and token is replaced at once while many jobs
 * are in progress. Work pauses with a text that says what to do, the system page says whose work it is, and
 * afterwards each job continues: nothing is lost, nothing is done twice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SystemWork, systemWork } from '@lms-admin/contract/system';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ended, REFRESH, stats } from '../awards/support.ts';
import { statusOf, submitted } from '../enrollments/campus.ts';
import { type Deployment, EVERY_KILL, openDeployment } from '../kill/deployment.ts';
import { Process } from '../kill/process.ts';
import { type Asked, expectOnce, SOURCES } from '../kill/sources.ts';
import { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { blocksIn, endOf, HOSTS, publishing, startChange, ZoomCampus } from '../zoom/campus.ts';
import { lmsAdmin } from './command.ts';

/** Many jobs, and programs that start one after another. */
const PATIENT = { timeout: 600_000 };
/** Imports from each source: eighteen jobs in all, and fifty in `npm run test:all`. */
const ROUNDS = EVERY_KILL ? 6 : 2;

/** New credentials that the school issues on that day. */
const NEW = {
  oauthClientId: '11',
  oauthClientSecret: 'another-client-secret',
  adminToken: 'another-admin-token',
  zoomClientSecret: 'another-zoom-secret',
  qualtricsToken: 'another-qualtrics-token',
};

let folder: string;
let deployment: Deployment;
let server: Process | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lms-admin-rotation-'));
});
afterEach(async () => {
  await server?.kill();
  await deployment?.close();
  await rm(folder, { recursive: true, force: true });
});

async function workOf(browser: Browser): Promise<SystemWork> {
  const { data } = await (await browser.fetch(ENDPOINTS.systemWork)).json();
  return systemWork.parse(data);
}
const openJobs = ({ open }: SystemWork) => open.reduce((sum, one) => sum + one.jobs, 0);

/** Starts the publication of a lecture and a count of votes, both in progress for a while. */
async function otherWork(): Promise<{ event: number; job: string }> {
  const campus = new ZoomCampus(deployment.sandbox);
  const course = deployment.campus.course(0, 138).id;
  const start = Math.ceil(Date.now() / 3_600_000 + 50) * 3_600_000;
  const at = (ms: number) => new Date(ms).toISOString();
  const lecture = { title: 'Lecture', start_at: at(start), end_at: at(start + 3_600_000) };
  const { id: event } = await campus.makeEvent(course, lecture);
  await campus.fault({ system: 'zoom', match: '*/meetings', method: 'POST', kind: 'status', status: 503 });
  const input = publishing({ course, events: [event], owner: HOSTS.alma });
  const response = await startChange(deployment.alma, input);
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { id: string } };
  await fetch(`${deployment.sandbox.url}/sandbox/qualtrics`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ exportMs: 5_000 }),
  });
  await deployment.alma.post(REFRESH, {});
  return { event, job: data.id };
}

test.each([
  ['with a service token', 'sandbox-admin-token', 'another-admin-token'],
  ['without one', '', ''],
])(
  'all keys are replaced while jobs of every kind are in progress, %s',
  PATIENT,
  async (_, tokenBefore, tokenAfter) => {
    deployment = await openDeployment(1, { LMS_SERVICE_TOKEN: tokenBefore }, { data: folder, importPace: 5 });
    const imports: { id: string; asked: Asked }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const source of SOURCES) {
        const asked = await source(deployment);
        imports.push({ id: (await submitted(deployment.alma, asked.payload)).id, asked });
      }
    }
    const other = await otherWork();
    const states = async () => Promise.all(imports.map(({ id }) => statusOf(deployment.alma, id)));
    expect(openJobs(await workOf(deployment.alma))).toBeGreaterThan((ROUNDS * SOURCES.length) / 2);
    await expect.poll(async () => (await states()).some(({ canvas_id: id }) => id !== null)).toBe(true);
    await deployment.reopenCampus({ importPace: 400, ...NEW });
    deployment.campus.token = NEW.adminToken;

    // Reads the paused work from the system page: no job fails, and each wait has a reason.
    const rests = async () => {
      const work = await workOf(deployment.alma);
      const resting = [...work.signIns, ...work.waits].reduce((sum, one) => sum + one.jobs, 0);
      return { failed: work.failed, resting: resting > 0, why: work.waits.map(({ why }) => why).join('\n') };
    };
    await expect.poll(rests).toMatchObject({
      failed: [],
      resting: true,
      ...(tokenBefore === '' ? {} : { why: expect.stringMatching(/does not accept LMS Admin’s token/) }),
    });
    await deployment.servers[0]?.stop();

    const env = {
      ...deployment.env,
      LMS_CLIENT_ID: NEW.oauthClientId,
      LMS_CLIENT_SECRET: NEW.oauthClientSecret,
      LMS_SERVICE_TOKEN: tokenAfter,
      ZOOM_CLIENT_SECRET: NEW.zoomClientSecret,
      QUALTRICS_TOKEN: NEW.qualtricsToken,
      LMS_ADMIN_KEY: '11'.repeat(32),
    };
    server = new Process(deployment.main, { ...env, PORT: String(deployment.port) });
    await server.start();
    const { code, said } = await lmsAdmin(
      { ...env, PORT: String(deployment.port) },
      'sessions',
      'end',
      '--all',
    );
    expect([code, said]).toEqual([0, expect.stringMatching(/session/)]);
    expect((await deployment.alma.fetch(ENDPOINTS.systemWork)).status).toBe(401);
    deployment.alma = new Browser(deployment.alma.home);
    await deployment.alma.signIn(PEOPLE.all);

    for (const { id, asked } of imports) await expectOnce(deployment, id, asked);
    expect(await endOf(deployment.alma, other.job)).toMatchObject({ outcome: 'done' });
    const zoom = new ZoomCampus(deployment.sandbox);
    zoom.token = NEW.adminToken;
    expect(blocksIn(await zoom.event(other.event))).toHaveLength(1);
    await ended(deployment.alma);
    expect(await stats(deployment.alma)).toMatchObject({ responsecount: 386, failed: null });
    expect(await workOf(deployment.alma)).toMatchObject({ open: [], failed: [] });
  },
);
