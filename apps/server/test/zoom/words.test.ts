/** Sentences about single events that a person acts on: each says one thing, about the right event. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { change, HOSTS, itemsOf, previewOf, publishing, reviewOf, runOf, ZoomCampus } from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

const deadLink = (number: number) =>
  `Its text has a link to meeting ${number}, which is not in the school’s Zoom account or cannot take place. Correct the text in the LMS.`;
const typed = (number: number) => {
  const base = `${server.sandbox.url.replace('127.0.0.1', 'localhost')}/zoom`;
  return { description: `<p>Join <a href="${base}/j/${number}">here</a></p>` };
};

test('ZR-05 a typed dead link in a hidden event gets one sentence, and is counted once', async () => {
  const { id: course } = campus.quietCourse();
  const { id } = await campus.makeEvent(course);
  await runOf(server, alma, course);
  await campus.changeEvent(id, typed(81_234_567_890));
  const { job, items } = await runOf(server, alma, course);
  expect(items.map(({ message }) => message)).toEqual([`Nothing to do. ${deadLink(81_234_567_890)}`]);
  expect(job.note).toMatch(/^Nothing was changed\. Check 1 more item: /);
});

test('OP-60 OP-102 a typed link is reported whatever its number, even one that the review itself could use for a new meeting', async () => {
  const { id: course } = campus.quietCourse();
  const last = 99_999_999_999;
  // This event is checked once the others have their meetings.
  const { id } = await campus.makeEvent(course, { title: 'Typed', ...typed(last) }, 5);
  await campus.makeEvents(course, 30);
  const { told, meetings } = await reviewOf(alma, course);
  expect(meetings.made).toBe(30);
  expect(told.find(({ event }) => event === id)?.warnings).toEqual([deadLink(last)]);
  const preview = await previewOf(alma, publishing({ course, events: [id], owner: HOSTS.farid }));
  expect(preview).toMatchObject({ make: 1, links: [{ event: id, why: 'written' }] });
});

test('OP-71 an event in another course is named in the middle of a sentence, without quotation marks', async () => {
  const [course, other, third] = [1, 2, 3].map(() => campus.quietCourse().id) as [number, number, number];
  const main = (await campus.makeEvent(course, { title: 'Main' })).id;
  const children = [];
  for (const title of ['First', 'Second']) children.push((await campus.makeEvent(course, { title }, 4)).id);
  const [first = 0, second = 0] = children;
  await change(alma, publishing({ course, events: [main], owner: HOSTS.farid }));
  await change(alma, { change: 'merge', course, parent: main, events: children });
  await campus.changeEvent(first, { context_code: `course_${other}` });
  await campus.changeEvent(second, { context_code: `course_${third}` });
  await runOf(server, alma, third);
  const { problems } = await previewOf(alma, publishing({ course, events: [main], owner: HOSTS.hugo }));
  expect(problems[0]?.message).toContain(`an event in course ${third}`);
  expect(problems[0]?.message).not.toContain('An event');
  const { id } = await change(alma, publishing({ course: third, events: [second], owner: HOSTS.hugo }));
  expect((await itemsOf(alma, id))[0]?.message).toBe(
    'It is merged with an event of another course. Change that event there, or unmerge this one first.',
  );
});

test('OP-69 ZR-01 two events an hour apart on the night when the clocks go back have different lines', async () => {
  const { id: course } = campus.quietCourse();
  const { courses } = server.sandbox.world;
  const known = courses.get(course);
  if (!known) throw new Error('no course');
  courses.change(known, { time_zone: 'Europe/Copenhagen' });
  const year = new Date().getUTCFullYear() + 1;
  const day = [31, 30, 29, 28, 27, 26, 25].find((one) => new Date(Date.UTC(year, 9, one)).getUTCDay() === 0);
  const events = [];
  for (const hour of ['00', '01'])
    events.push(
      (
        await campus.makeEvent(course, {
          title: 'Night shift',
          start_at: `${year}-10-${day}T${hour}:30:00Z`,
          end_at: `${year}-10-${day}T${hour}:45:00Z`,
        })
      ).id,
    );
  const { id } = await change(alma, publishing({ course, events, owner: HOSTS.farid }));
  const line = (offset: string) => `Night shift, ${day} Oct ${year}, 02:30 (Europe/Copenhagen, ${offset})`;
  expect((await itemsOf(alma, id)).map(({ label }) => label)).toEqual([line('UTC+2'), line('UTC+1')]);
});
