/** The preview considers what students actually see in the LMS, not only LMS Admin's record of it (OP-102, OP-103). */
import { type ZoomChange, zoomChangeResult } from '@lms-admin/contract/zoom';
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
  runOf,
  tableOf,
  titleIn,
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

test('OP-102 OP-103 a link removed from an event is announced as restored, an edited one as corrected', async () => {
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
  // One of the events still had the link in its location.
  expect(said.appear).toBe(1);
  const done = await change(alma, input);
  expect(Object.fromEntries(done.figures)['links shown']).toBe(said.appear);
  expect(await Promise.all(ids.map(linkOf))).toEqual(numbers);
  expect((await campus.event(missing)).description).toContain('Read chapter 3');
  expect((await previewOf(alma, input)).texts).toEqual([]);
});

test('ZC-09 the table shows where the texts in the LMS differ from what was decided', async () => {
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

test('OP-103 students who already see a copied link are not counted as seeing one now', async () => {
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

test('OP-69 OP-103 the result of a partial save mentions a link that a person wrote and that stays', async () => {
  const course = campus.quietCourse().id;
  const [hidden = 0, refused = 0] = (await campus.makeEvents(course, 2)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [hidden, refused] }));
  const text = (await campus.event(hidden)).description ?? '';
  const link = /href="(https?:[^"]*\/j\/[^"]*)"/.exec(text)?.[1] ?? '';
  await campus.changeEvent(hidden, { description: `<p><a href="${link}">Guests</a></p>${text}` });
  const match = `/api/v1/calendar_events/${refused}`;
  await campus.fault({ method: 'PUT', match, kind: 'status', status: 400, count: 1 });
  const { outcome, result, note } = await change(
    alma,
    publishing({ course, events: [hidden, refused], visible: false }),
  );
  const { failed, more } = zoomChangeResult.parse(result);
  expect([outcome, failed.map(({ event }) => event), more]).toEqual(['partly', [refused], note]);
  expect(more).toMatch(/^The text of 1 event still has a Zoom link that LMS Admin did not add: “Session 1” /);
});

test("OP-103 a link that a person wrote to the event's meeting stays when the event loses its own link: announced and reported", async () => {
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
  const { id: job, note } = await change(alma, hiding);
  expect(note).toMatch(
    /^The text of 1 event still has a Zoom link that LMS Admin did not add: “Session 1” \(.+\)\. Students can use it to join until you delete it in the LMS\.$/,
  );
  expect((await campus.event(hidden)).description).toContain('/j/');
  expect((await campus.event(plain)).description).not.toContain('/j/');
  const messages = (await itemsOf(alma, job)).map(({ message }) => message);
  expect(messages.filter((message) => message?.includes('delete it in the LMS'))).toHaveLength(1);

  const merging: ZoomChange = { change: 'merge', course, parent: main, events: [merged] };
  expect((await previewOf(alma, merging)).left.map(({ event }) => event)).toEqual([merged]);
  const { id: merge, note: ofMerge } = await change(alma, merging);
  expect(ofMerge).toContain('did not add: “Session 4” (');
  expect((await itemsOf(alma, merge))[0]?.message).toMatch(
    /^Merged, link renewed\. Its text still has a link to its former meeting/,
  );
  // The same is true for the main event's meeting, both when the main event is hidden and when the event is
  // unmerged.
  const link = /href="(https?:[^"]*\/j\/[^"]*)"/.exec((await campus.event(main)).description ?? '')?.[1];
  await campus.changeEvent(merged, {
    description: `<p><a href="${link}">Guests</a></p>${(await campus.event(merged)).description}`,
  });
  const unmerging: ZoomChange = { change: 'unmerge', course, event: merged };
  expect((await previewOf(alma, unmerging)).left.map(({ event }) => event)).toEqual([merged]);
  const group = publishing({ course, events: [main], owner: HOSTS.hugo, visible: false });
  const { id: last, note: ofGroup } = await change(alma, group);
  expect(ofGroup).toContain('did not add: “Session 4” (');
  expect((await itemsOf(alma, last))[0]?.message).toMatch(
    /“Session 4”.*: Its text still has a link to this meeting/,
  );
});

test('OP-103 for an event to be merged, each link that a person wrote to another meeting is named before and after; for a hidden main event, any such link', async () => {
  const course = campus.quietCourse().id;
  const ids = (await campus.makeEvents(course, 5)).map(({ id }) => id);
  const [hidden = 0, shown = 0, foreign = 0, fresh = 0, same = 0] = ids;
  await change(alma, publishing({ course, events: [hidden, shown, foreign], owner: HOSTS.hugo }));
  const links = await Promise.all(ids.map(async (id) => (await campus.event(id)).location_address ?? ''));
  await change(alma, publishing({ course, events: [hidden], owner: HOSTS.hugo, visible: false }));
  const typed = async (id: number, link = '') => {
    const { description } = await campus.event(id);
    await campus.changeEvent(id, { description: `<p><a href="${link}">Join</a></p>${description ?? ''}` });
  };
  await typed(foreign, links[1]);
  // This event was never recorded, so it gets no link while its main event is hidden.
  await typed(fresh, links[1]);
  await typed(same, links[1]);
  const intoHidden: ZoomChange = { change: 'merge', course, parent: hidden, events: [foreign, fresh] };
  const said = await previewOf(alma, intoHidden);
  expect([said.left.map(({ event }) => event), said.links]).toMatchObject([
    [foreign, fresh],
    [
      { event: foreign, why: 'merge-hidden', published: true },
      { event: fresh, why: 'merge-hidden', published: false },
    ],
  ]);
  expect((await change(alma, intoHidden)).note).toMatch(
    /^The texts of 2 events still have Zoom links that LMS Admin did not add: “Session 3” .*“Session 4”/,
  );
  expect(blocksIn(await campus.event(fresh))).toEqual([]);
  // A link to the meeting itself does no harm if students should see the meeting.
  const other: ZoomChange = { change: 'merge', course, parent: shown, events: [same] };
  expect((await previewOf(alma, other)).left).toEqual([]);
  expect((await change(alma, other)).note).toBeNull();
  await change(alma, { change: 'unmerge', course, event: fresh });
  await campus.changeEvent(fresh, { description: '' });
  await typed(fresh, (await campus.meeting(numberIn(links[2] ?? '')))?.join_url ?? links[2]);
  const intoShown: ZoomChange = { change: 'merge', course, parent: shown, events: [fresh] };
  const told = await previewOf(alma, intoShown);
  expect([told.left.map(({ event }) => event), told.links.map(({ why }) => why)]).toEqual([
    [fresh],
    ['merge'],
  ]);
  expect((await change(alma, intoShown)).note).toMatch(/^The text of 1 event still has .*“Session 4”/);
});

test('OP-103 for an event to be hidden, each link that a person wrote is named before and after, even if LMS Admin has nothing to write', async () => {
  const course = campus.quietCourse().id;
  const ids = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  const [own = 0, foreign = 0, other = 0] = ids;
  await change(alma, publishing({ course, events: ids }));
  const links = await Promise.all(ids.map(async (id) => (await campus.event(id)).location_address ?? ''));
  const typed = (n: number) => `<p>Join: <a href="${links[n]}">here</a></p>`;
  // The links are written instead of LMS Admin's lines, and next to them.
  await campus.changeEvent(own, { description: typed(0), location_address: '' });
  const { description } = await campus.event(foreign);
  await campus.changeEvent(foreign, { description: `${typed(2)}${description}` });
  const hiding = publishing({ course, events: [own, foreign, other], visible: false });
  const said = await previewOf(alma, hiding);
  expect([said.disappear, said.left.map(({ event }) => event), said.set]).toMatchObject([
    2,
    [own, foreign],
    [{ event: own, visible: false }],
  ]);
  const told = async () => {
    const { id: job, note } = await change(alma, hiding);
    expect(note).toMatch(
      /^The texts of 2 events still have Zoom links that LMS Admin did not add: “Session 1” \(.+\), “Session 2” \(/,
    );
    return Object.fromEntries((await itemsOf(alma, job)).map((item) => [titleIn(item), item.message ?? '']));
  };
  const first = await told();
  expect(first['Session 1']).toMatch(/^Set to Hidden\. Its text still has a link to this meeting/);
  expect(first['Session 2']).toMatch(
    /^Link hidden from students\. Its text still has a link to another meeting/,
  );
  expect(first['Session 3']).toBe('Link hidden from students.');
  // The list mentions a link in the LMS, and the preview says what to do about it.
  const again = await previewOf(alma, hiding);
  expect([again.left.map(({ event }) => event), again.set, again.texts]).toEqual([[own, foreign], [], []]);
  const second = await told();
  expect(second['Session 1']).toMatch(/^Nothing to do\. Its text still has a link to this meeting/);
  expect(second['Session 3']).toBe('Nothing to do.');
  // A link is not mentioned any more once a person has deleted it.
  for (const id of [own, foreign]) await campus.changeEvent(id, { description: '' });
  expect((await previewOf(alma, hiding)).left).toEqual([]);
  expect((await change(alma, hiding)).note).toBeNull();
});

test('OP-102 OP-103 if a run has removed the link of an inactive host, a new host gives a new link, and the former meeting is removed', async () => {
  const course = campus.quietCourse().id;
  const ids = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  const [seen = 0, hidden = 0, gone = 0] = ids;
  await change(alma, publishing({ course, events: ids, owner: HOSTS.bruno }));
  const numbers = await Promise.all(ids.map(linkOf));
  await change(alma, publishing({ course, events: [hidden], owner: HOSTS.bruno, visible: false }));
  await campus.zoom(`/meetings/${numbers[2]}`, 'DELETE');
  await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: 'inactive' });
  try {
    await runOf(server, alma, course);
    expect(await linkOf(seen)).toBe(0);
    const input = publishing({ course, events: ids });
    const said = await previewOf(alma, input);
    expect(said.links.map(({ event, why, published }) => [event, why, published])).toEqual([
      [seen, 'host', false],
      [hidden, 'host', false],
      [gone, 'gone', false],
    ]);
    expect([said.make, said.appear, said.texts]).toEqual([3, 3, []]);
    const { figures } = await change(alma, input);
    expect(Object.fromEntries(figures)).toMatchObject({
      'meetings created': 3,
      'links renewed': 3,
      'links shown': 3,
    });
  } finally {
    await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: 'active' });
  }
  for (const number of numbers) expect(await campus.meeting(number)).toBeNull();
  expect(await Promise.all(ids.map(linkOf))).not.toContain(0);
});
