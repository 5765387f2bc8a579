/** The preview looks at what students have before them in the LMS, not only at our record of it (OP-102, OP-103). */
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  change,
  HOSTS,
  itemsOf,
  numberIn,
  previewOf,
  publishing,
  tableOf,
  ZoomCampus,
} from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

const linkOf = async (id: number) => numberIn((await campus.event(id)).description);

test('OP-102 OP-103 a link that was taken out of an event is said to be put back; one that was edited, to be put right', async () => {
  const course = campus.quietCourse().id;
  const ids = (await campus.makeEvents(course, 4)).map(({ id }) => id);
  const [missing = 0, edited = 0, whole = 0, merged = 0] = ids;
  const input = publishing({ course, events: [missing, edited, whole] });
  await change(alma, input);
  await change(alma, { change: 'merge', course, parent: whole, events: [merged] });
  expect((await previewOf(alma, input)).texts).toEqual([]);
  const numbers = await Promise.all(ids.map(linkOf));
  await campus.changeEvent(missing, { description: '<p>Read chapter 3</p>', location_address: '' });
  const text = (await campus.event(edited)).description ?? '';
  await campus.changeEvent(edited, { description: text.replace(/>https?:[^<]*</, '>Join here<') });
  await campus.changeEvent(merged, { description: '' });
  const said = await previewOf(alma, input);
  expect(said.texts.map(({ event, how }) => [event, how])).toEqual([
    [missing, 'missing'],
    [edited, 'edited'],
    [merged, 'missing'],
  ]);
  expect(said).toMatchObject({ make: 0, update: 0, unchanged: 3, links: [], disappear: 0 });
  // Of one of them the place still had the link.
  expect(said.appear).toBe(1);
  await change(alma, input);
  expect(await Promise.all(ids.map(linkOf))).toEqual(numbers);
  expect((await campus.event(missing)).description).toContain('Read chapter 3');
  expect((await previewOf(alma, input)).texts).toEqual([]);
});

test('ZC-09 the table says where the texts in the LMS are otherwise than what was decided', async () => {
  const course = campus.quietCourse().id;
  const ids = (await campus.makeEvents(course, 4)).map(({ id }) => id);
  const [whole = 0, taken = 0, other = 0, hidden = 0] = ids;
  await change(alma, publishing({ course, events: [whole, taken, other] }));
  await change(alma, { ...publishing({ course, events: [hidden] }), visible: false } as ZoomChange);
  const told = async () => {
    const rows = await tableOf(alma, course);
    return ids.map((id) => rows.find((row) => row.id === id)?.zoom_texts);
  };
  expect(await told()).toEqual([null, null, null, null]);
  const { description, location_address } = await campus.event(whole);
  await campus.changeEvent(taken, { description: '<p>Read chapter 3</p>', location_address: '' });
  for (const id of [other, hidden]) await campus.changeEvent(id, { description, location_address });
  expect(await told()).toEqual([null, 'no-link', 'other-link', 'a-link']);
  await change(alma, publishing({ course, events: [taken, other] }));
  await change(alma, { ...publishing({ course, events: [hidden] }), visible: false } as ZoomChange);
  expect(await told()).toEqual([null, null, null, null]);
});

test('OP-103 students who have a copied link before them are not said to see one now', async () => {
  const course = campus.quietCourse().id;
  const [one = 0, copy = 0, other = 0] = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [one] }));
  const { description } = await campus.event(one);
  for (const id of [copy, other]) await campus.changeEvent(id, { description });
  const input = publishing({ course, events: [copy] });
  expect(await previewOf(alma, input)).toMatchObject({
    make: 1,
    appear: 0,
    links: [{ event: copy, why: 'copied', published: true }],
  });
  const merge: ZoomChange = { change: 'merge', course, parent: one, events: [other] };
  expect(await previewOf(alma, merge)).toMatchObject({ appear: 0, disappear: 0 });
  expect(await previewOf(alma, { ...input, visible: false } as ZoomChange)).toMatchObject({
    appear: 0,
    disappear: 1,
  });
  await change(alma, { ...input, visible: false } as ZoomChange);
  expect(blocksIn(await campus.event(copy))).toEqual([]);
});

test('OP-103 a link to its meeting that a person has written stays when the event loses its own: that is said before and after', async () => {
  const course = campus.quietCourse().id;
  const ids = (await campus.makeEvents(course, 4)).map(({ id }) => id);
  const [hidden = 0, plain = 0, main = 0, merged = 0] = ids;
  await change(alma, publishing({ course, events: ids, owner: HOSTS.hugo }));
  for (const id of [hidden, merged]) {
    const text = (await campus.event(id)).description ?? '';
    const link = /href="(https?:[^"]*\/j\/[^"]*)"/.exec(text)?.[1] ?? '';
    await campus.changeEvent(id, { description: `<p><a href="${link}">Guests</a></p>${text}` });
  }
  const hiding = publishing({ course, events: [hidden, plain], owner: HOSTS.hugo, visible: false });
  const said = await previewOf(alma, hiding);
  expect([said.disappear, said.left.map(({ event }) => event)]).toEqual([2, [hidden]]);
  const { id: job } = await change(alma, hiding);
  expect((await campus.event(hidden)).description).toContain('/j/');
  expect((await campus.event(plain)).description).not.toContain('/j/');
  const messages = (await itemsOf(alma, job)).map(({ message }) => message);
  expect(messages.filter((message) => message?.includes('delete it in the LMS'))).toHaveLength(1);

  const merging: ZoomChange = { change: 'merge', course, parent: main, events: [merged] };
  expect((await previewOf(alma, merging)).left.map(({ event }) => event)).toEqual([merged]);
  await change(alma, merging);
  // As of the meeting of its main event, when that is hidden, and when it leaves it.
  const link = /href="(https?:[^"]*\/j\/[^"]*)"/.exec((await campus.event(main)).description ?? '')?.[1];
  await campus.changeEvent(merged, {
    description: `<p><a href="${link}">Guests</a></p>${(await campus.event(merged)).description}`,
  });
  const unmerging: ZoomChange = { change: 'unmerge', course, event: merged };
  expect((await previewOf(alma, unmerging)).left.map(({ event }) => event)).toEqual([merged]);
  const group = publishing({ course, events: [main], owner: HOSTS.hugo, visible: false });
  const { id: last } = await change(alma, group);
  expect((await itemsOf(alma, last))[0]?.message).toMatch(
    /“Session 4”.*: Its text still has a link to this meeting/,
  );
});
