/**
 * What is reported about an event whose meeting has changed and whose text the LMS rejects (OP-69, OP-103).
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { change, HOSTS, itemsOf, numberIn, publishing, rowOf, ZoomCampus } from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(() => campus.clearFaults());

const TEXT = { method: 'PUT', match: '/api/v1/calendar_events/*', kind: 'status' };

async function made(visible: boolean) {
  const { id: course } = campus.quietCourse();
  const { id: event } = await campus.makeEvent(course);
  await change(alma, publishing({ course, events: [event], visible }));
  return { course, event, old: numberIn((await rowOf(alma, course, event)).zoom_link) };
}

/** Gives the event another host. */
async function moved({ course, event }: { course: number; event: number }, fault: object) {
  await campus.handle('faults', 'POST', fault);
  const { id, figures } = await change(alma, publishing({ course, events: [event], owner: HOSTS.hugo }));
  await campus.clearFaults();
  const [item] = await itemsOf(alma, id);
  return { said: item?.message ?? '', figures };
}

test.each([403, 404])(
  'OP-69 OP-103 if the LMS rejects showing a hidden event with another host (%d), its changed link and its removed meeting are reported',
  async (status) => {
    const one = await made(false);
    const { said, figures } = await moved(one, { ...TEXT, status });
    expect(said).toContain('The rest was done: meeting created, link renewed, old meeting removed.');
    expect(figures).toContainEqual(['links renewed', 1]);
    expect(await campus.meeting(one.old)).toBeNull();
    expect(numberIn((await rowOf(alma, one.course, one.event)).zoom_link)).not.toBe(one.old);
  },
);

test('OP-69 OP-103 if the LMS rejects the new link of a published event, students keep the old one, and nothing is removed', async () => {
  const one = await made(true);
  const { said, figures } = await moved(one, { ...TEXT, status: 403 });
  expect(said).toContain('The rest was done: meeting created.');
  expect(figures).not.toContainEqual(['links renewed', 1]);
  expect(await campus.meeting(one.old)).not.toBeNull();
});

const LATE: [string, object][] = [
  ['the LMS fails for a while', { ...TEXT, status: 500, count: 3 }],
  [
    'the answer of the removal is lost',
    { system: 'zoom', method: 'DELETE', match: '/zoom/v2/meetings/*', kind: 'drop', when: 'after', count: 3 },
  ],
];
test.each(LATE)(
  'OP-69 OP-104 a former meeting removed in an earlier turn is reported: %s',
  async (_, fault) => {
    const one = await made(false);
    const { said } = await moved(one, fault);
    expect(said).toBe('Meeting created, link renewed, old meeting removed, link shown to students.');
    expect(await campus.meeting(one.old)).toBeNull();
  },
);

test('OP-69 OP-103 a former meeting that Zoom does not delete is reported, and the event is done', async () => {
  const one = await made(true);
  const { said } = await moved(one, {
    system: 'zoom',
    method: 'DELETE',
    match: `/zoom/v2/meetings/${one.old}*`,
    kind: 'status',
    status: 400,
  });
  expect(said).toBe(
    'Meeting created, link renewed. Zoom did not delete its former meeting. The next run tries again.',
  );
});
