/** Owners who cannot hold the meetings as planned are named before saving (OP-70, OP-102). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  change,
  HOSTS,
  numberIn,
  previewOf,
  publishing,
  refusalOf,
  startChange,
  ZoomCampus,
} from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer();
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(async () => {
  for (const host of Object.values(HOSTS)) await userIs(host, { type: 2, status: 'active' });
});

const userIs = (host: string, is: object) => campus.handle(`zoom/users/${host}`, 'PATCH', is);
const minutes = (event: { start_at: string }, count: number) => ({
  end_at: new Date(Date.parse(event.start_at) + count * 60_000).toISOString(),
});

test('OP-102 a Basic owner: the number of events over 40 minutes is shown, even if the licence has just been removed', async () => {
  const course = campus.quietCourse().id;
  const [one, two] = await campus.makeEvents(course, 2);
  if (!one || !two) throw new Error('no events');
  await campus.changeEvent(two.id, minutes(two, 40));
  const input = publishing({ course, events: [one.id, two.id], owner: HOSTS.farid });
  expect((await previewOf(alma, input)).basic).toBeNull();
  await userIs(HOSTS.farid, { type: 1 });
  const { basic, make, problems } = await previewOf(alma, input);
  expect(basic).toEqual({ email: HOSTS.farid, name: 'Farid Noor', events: 2, long: 1 });
  expect([make, problems]).toEqual([2, []]);
  expect((await change(alma, input)).outcome).toBe('done');
  const other = publishing({ course, events: [one.id], owner: HOSTS.standard, visible: false });
  expect((await previewOf(alma, other)).basic).toBeNull();
});

test('OP-102 a new link is announced if the licence needed for a transfer has just been removed', async () => {
  const course = campus.quietCourse().id;
  const event = await campus.makeEvent(course);
  await change(alma, publishing({ course, events: [event.id], owner: HOSTS.bruno }));
  const before = numberIn((await campus.event(event.id)).description);
  const input = publishing({ course, events: [event.id], owner: HOSTS.hugo });
  expect((await previewOf(alma, input)).links).toEqual([]);
  await userIs(HOSTS.hugo, { type: 1 });
  expect((await previewOf(alma, input)).links.map(({ why }) => why)).toEqual(['host']);
  await change(alma, input);
  const after = numberIn((await campus.event(event.id)).description);
  expect(after).not.toBe(before);
  expect((await campus.meeting(after))?.host_email).toBe(HOSTS.hugo);
});

test.each([
  ['an owner', HOSTS.farid, true],
  ['the placeholder', HOSTS.standard, false],
])(
  'OP-70 %s who has just been deactivated is rejected before anything is done',
  async (_, owner, visible) => {
    const course = campus.quietCourse().id;
    const event = await campus.makeEvent(course);
    const input = publishing({ course, events: [event.id], owner, visible });
    await previewOf(alma, input);
    await userIs(owner, { status: 'inactive' });
    const words = `${owner} is not active in Zoom, so LMS Admin cannot create meetings for this account.`;
    expect(await refusalOf(await alma.post(ENDPOINTS.zoomPreview, input))).toEqual([400, words]);
    expect(await refusalOf(await startChange(alma, input))).toEqual([400, words]);
    expect((await campus.event(event.id)).description).toBe(event.description);
  },
);

test('OP-70 a person who has not signed up cannot be an owner', async () => {
  const course = campus.quietCourse().id;
  const event = await campus.makeEvent(course);
  const owner = 'elena.marsh@northbridge.example';
  const input = publishing({ course, events: [event.id], owner });
  const words = `${owner} cannot host meetings.`;
  expect(await refusalOf(await alma.post(ENDPOINTS.zoomPreview, input))).toEqual([400, words]);
});
