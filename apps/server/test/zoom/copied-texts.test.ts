/**
 * Links copied from one event into another: it is reported when what students read there is replaced (OP-102,
 * OP-103).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  change,
  HOSTS,
  itemsOf,
  numberIn,
  previewOf,
  publishing,
  reviewOf,
  rowOf,
  runOf,
  ZoomCampus,
} from './campus.ts';
import { ACCESS } from './run-support.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer({ access: ACCESS, sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

/** Creates two published events; the second contains copies from the first. */
async function copied(parts: readonly ('description' | 'location_address')[]) {
  const { id: course } = campus.quietCourse();
  const [from = 0, to = 0] = (await campus.makeEvents(course, 2)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [from, to] }));
  const own = numberIn((await campus.event(to)).description);
  const source = await campus.event(from);
  await campus.changeEvent(to, Object.fromEntries(parts.map((part) => [part, source[part]])));
  return { course, to, own };
}

test.each([
  ['text', ['description']],
  ['place', ['location_address']],
  ['text and place', ['description', 'location_address']],
] as const)(
  'ZR-05 OP-102 OP-103 if a link copied into the %s of a published event is replaced, list, review, run and preview mention another link',
  async (_where, parts) => {
    const { course, to, own } = await copied(parts);
    expect((await rowOf(alma, course, to)).zoom_texts).toBe('other-link');
    expect((await previewOf(alma, publishing({ course, events: [to] }))).links).toMatchObject([
      { event: to, why: 'copied', published: true },
    ]);
    expect((await reviewOf(alma, course)).told.map(({ event, does }) => [event, does])).toEqual([
      [to, 'new-link'],
    ]);
    const { job, items } = await runOf(server, alma, course);
    expect(job.figures).toEqual([
      ['events', 2],
      ['links renewed', 1],
    ]);
    const messages = items.filter(({ message }) => message !== 'Nothing to do.');
    expect(messages.map(({ message }) => message)).toEqual(['Link renewed.']);
    const after = await campus.event(to);
    expect([numberIn(after.description), numberIn(after.location_address)]).toEqual([own, own]);
    expect((await rowOf(alma, course, to)).zoom_texts).toBeNull();
  },
);

test('OP-102 OP-103 publishing such an event counts its renewed link as the preview does', async () => {
  const { course, to } = await copied(['description']);
  const { id } = await change(alma, publishing({ course, events: [to] }));
  expect((await itemsOf(alma, id)).map(({ message }) => message)).toEqual(['Link renewed.']);
});

test('OP-102 OP-103 hiding an event with a copied link reports that its link disappears, and no other link', async () => {
  const { course, to } = await copied(['description', 'location_address']);
  const hiding = publishing({ course, events: [to], visible: false });
  expect(await previewOf(alma, hiding)).toMatchObject({ make: 0, appear: 0, disappear: 1, links: [] });
  await change(alma, hiding);
  const { description, location_address } = await campus.event(to);
  expect([numberIn(description), numberIn(location_address)]).toEqual([0, 0]);
});

test('ZC-09 OP-102 an event that never had a meeting and has a copied link is Published in the list, and not reported as hidden', async () => {
  const { id: course } = campus.quietCourse();
  const [from = 0, hidden = 0, copy = 0] = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [from] }));
  await change(alma, publishing({ course, events: [hidden], visible: false }));
  const { description, location_address } = await campus.event(from);
  for (const id of [hidden, copy]) await campus.changeEvent(id, { description, location_address });
  expect((await rowOf(alma, course, copy)).zoom_visibility).toBe(1);
  const said = await previewOf(alma, publishing({ course, events: [hidden, copy] }));
  expect(said.set.map(({ event, visible, known }) => [event, visible, known])).toEqual([
    [hidden, true, true],
    [copy, true, false],
  ]);
});

test.each([true, false])(
  'OP-103 if one event’s text is copied into another and both get another host, the former meetings that the preview named are deleted (published before: %s)',
  async (visible) => {
    const { id: course } = campus.quietCourse();
    const events = (await campus.makeEvents(course, 2)).map(({ id }) => id) as [number, number];
    const [from, to] = events;
    await change(alma, publishing({ course, events: [from] }));
    await change(alma, publishing({ course, events: [to], visible }));
    const olds = await Promise.all(
      events.map(async (id) => numberIn((await rowOf(alma, course, id)).zoom_link)),
    );
    await campus.changeEvent(to, { description: (await campus.event(from)).description });
    const asked = publishing({ course, events, owner: HOSTS.hugo });
    const { removed, former } = await previewOf(alma, asked);
    expect((await change(alma, asked)).outcome).toBe('done');
    const left = (await Promise.all(olds.map((number) => campus.meeting(number)))).filter(
      (one) => one !== null,
    );
    expect([removed, former, left]).toEqual([2, [], []]);
    expect(await previewOf(alma, asked)).toMatchObject({ removed: 0, unchanged: 2 });
  },
);

test('OP-103 if Zoom rejects the deletion of the last former meeting, the change is done and says so, and the next run deletes the meeting', async () => {
  const { id: course } = campus.quietCourse();
  const events = (await campus.makeEvents(course, 2)).map(({ id }) => id) as [number, number];
  const [from, to] = events;
  await change(alma, publishing({ course, events }));
  const old = numberIn((await rowOf(alma, course, from)).zoom_link);
  await campus.changeEvent(to, { description: (await campus.event(from)).description });
  await campus.fault({
    system: 'zoom',
    method: 'DELETE',
    match: `/zoom/v2/meetings/${old}*`,
    kind: 'status',
    status: 400,
  });
  const ended = await change(alma, publishing({ course, events, owner: HOSTS.hugo }));
  expect([ended.outcome, ended.note]).toEqual([
    'done',
    'Zoom did not delete the former meeting of 1 event. The next run tries again.',
  ]);
  expect(await campus.meeting(old)).not.toBeNull();
  await campus.clearFaults();
  await runOf(server, alma, course);
  expect(await campus.meeting(old)).toBeNull();
});
