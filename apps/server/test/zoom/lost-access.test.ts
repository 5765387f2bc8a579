/**
 * Access that is lost while a job changes events: no further event is started, and the job says why and what
 * was done.
 */
import { randomUUID } from 'node:crypto';
import { jobStartPath } from '@lms-admin/contract/endpoints';
import { job } from '@lms-admin/contract/jobs';
import { ZOOM_CHANGE } from '@lms-admin/contract/zoom';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordOf, save } from '../access/administrators.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';
import { endOf, itemsOf, orderOf, publishing, runStarted, ZoomCampus } from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
let dev: Browser;

beforeEach(async () => {
  const all = (login: string, flags: object) => ({ login, email: login, perm: 'ALL', ...flags });
  server = await startTestServer({
    sandbox: { throttle: false },
    access: {
      admins: [
        all(PEOPLE.all, { access_admin: true }),
        all(PEOPLE.helpDesk, { zoom_creation: true, zoom_update: true, user_search: true }),
      ],
    },
  });
  campus = new ZoomCampus(server.sandbox);
  [alma, dev] = await Promise.all([server.signIn(PEOPLE.all), server.signIn(PEOPLE.helpDesk)]);
});
afterEach(() => server.close());

/** More events than are changed at the same time. */
const EVENTS = 24;
const MADE = { system: 'zoom', method: 'POST', match: '/zoom/v2/users/*/meetings' };
const LOST: [string, object, string][] = [
  ['the tool', { zoom_creation: false, zoom_update: false }, 'You no longer have access to Zoom '],
  ['the programme', { perm: 'CUSTOM', sub_accounts: '163' }, 'The course was not found.'],
];

async function change(record: object): Promise<void> {
  const one = await recordOf(alma, PEOPLE.helpDesk);
  expect((await save(alma, [{ ...one, record: { ...one.record, ...record } }])).status).toBe(200);
}

it.each(LOST)('%s, while events are published', async (_, lost, message) => {
  const { id: course } = campus.quietCourse();
  const events = (await campus.makeEvents(course, EVENTS)).map(({ id }) => id);
  const input = await orderOf(dev, publishing({ course, events }));
  const fourth = await hold(server.sandbox, { ...MADE, spares: 3 });
  const started = await dev.post(jobStartPath(ZOOM_CHANGE), { key: randomUUID(), input });
  const { id } = job.parse((await started.json()).data);
  await fourth.reached();
  await change(lost);
  await fourth.letGo();
  const ended = await endOf(dev, id);
  expect(ended).toMatchObject({ outcome: 'failed', problem: { message: expect.stringContaining(message) } });
  const done = (await itemsOf(dev, id)).filter(({ state }) => state === 'done').length;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(events.length);
  expect(Object.fromEntries(ended.figures)).toMatchObject({ 'meetings created': done });
});

it.each(LOST)("%s, while a course's events are updated", async (_, lost, message) => {
  const { id: course } = campus.quietCourse();
  await campus.makeEvents(course, EVENTS);
  const fourth = await hold(server.sandbox, { ...MADE, spares: 3 });
  const id = await runStarted(server, dev, course);
  await fourth.reached();
  await change(lost);
  await fourth.letGo();
  const ended = await endOf(dev, id);
  expect(ended).toMatchObject({ outcome: 'failed', problem: { message: expect.stringContaining(message) } });
  expect((await itemsOf(dev, id)).filter(({ state }) => state === 'done').length).toBeLessThan(EVENTS);
});
