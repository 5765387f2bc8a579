import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import { expect, test } from 'vitest';
import {
  hasNews,
  marked,
  nothingPossible,
  previewWords,
} from '../../src/tools/zoom-creation/preview-words.ts';
import { ALMA, HUGO } from './events.ts';

const NOTHING: ZoomPreview = {
  digest: 'd',
  events: 1,
  make: 0,
  update: 0,
  removed: 0,
  unchanged: 0,
  links: [],
  left: [],
  over: [],
  co_hosts: [],
  former: [],
  texts: [],
  set: [],
  shared: [],
  appear: 0,
  disappear: 0,
  hosts: [],
  basic: null,
  clashes: [],
  elsewhere: [],
  unchecked: false,
  running: [],
  waiting: [],
  problems: [],
};
const say = {
  host: (email: string) => (email === ALMA ? 'Alma Reyes' : email === HUGO ? 'Hugo Tan' : email),
  times: ({ start_at }: { start_at: string | null }) => start_at ?? '',
  moment: (iso: string | null) => `at ${iso}`,
};
const told = (preview: Partial<ZoomPreview>) => previewWords({ ...NOTHING, ...preview }, say);
const texts = (preview: Partial<ZoomPreview>) => told(preview).map(({ text }) => text);
const session = { event: 1, title: 'Session 1', start_at: 'Monday' };

test('names the meetings, and what students will see', () => {
  expect(texts({ events: 4, make: 2, update: 1, unchanged: 1, appear: 3 })).toEqual([
    '2 meetings will be created in Zoom.',
    '1 meeting will be changed in Zoom.',
    '1 meeting stays as it is in Zoom.',
    'Students will see the links of 3 events in the LMS.',
  ]);
  expect(texts({ make: 1 })).toEqual([
    '1 meeting will be created in Zoom.',
    'The links that students see do not change.',
  ]);
  expect(texts({ disappear: 1 })).toEqual(['Students will no longer see the link of 1 event in the LMS.']);
  // Hidden links change, but their meetings stay as they are.
  expect(texts({ unchanged: 2, disappear: 2 })).toEqual([
    '2 meetings stay as they are in Zoom.',
    'Students will no longer see the links of 2 events in the LMS.',
  ]);
  expect(texts({ unchanged: 1 })).toEqual([
    'No changes are needed, because everything is already as requested.',
  ]);
});

test('OP-104 a main event with a waiting change: that change is carried out, not replaced', () => {
  const one = { ...session, by: 'Bruno Keller', until: null };
  expect(texts({ appear: 1, waiting: [{ ...one, main: true }, one] }).slice(0, 2)).toEqual([
    'An earlier change to 1 event has not been made yet. This change replaces it. If the earlier change is made before this one starts, this one is not saved, and you can check it again:',
    'The main event has an earlier change that has not been made yet. It will still be made, and will then apply to the merged events as well:',
  ]);
});

test('OP-103 a link that a person removed or edited in the LMS is restored or corrected', () => {
  const other = { event: 2, title: 'Session 2', start_at: null };
  expect(
    told({
      unchanged: 2,
      texts: [
        { ...session, how: 'missing' },
        { ...other, how: 'edited' },
      ],
    }).filter(({ tone }) => tone === 'look'),
  ).toEqual([
    {
      tone: 'look',
      text: 'The link is missing in 1 event in the LMS, and will be restored:',
      items: ['Session 1 (Monday)'],
    },
    {
      tone: 'look',
      text: 'The link was edited in 1 event in the LMS, and will be corrected:',
      items: ['Session 2'],
    },
  ]);
  expect(texts({ unchanged: 1, texts: [{ ...session, how: 'missing' }] })).not.toContain(
    'No changes are needed, because everything is already as requested.',
  );
});

test('OP-102 a switch between hidden and published is named, even if it does not change what students see', () => {
  const set = (visible: boolean, known = true) =>
    told({ unchanged: 1, set: [{ ...session, visible, known }] }).slice(1);
  const same = { tone: 'say', text: 'The links that students see do not change.', items: [] };
  const items = ['Session 1 (Monday)'];
  const hidden =
    '1 event is published, but its link is not in the LMS. It will be set to Hidden, so that runs do not restore the link:';
  expect(set(false)).toEqual([{ tone: 'look', text: hidden, items }, same]);
  const published = '1 event is hidden, but a link is already in the LMS. It will be set to Published:';
  expect(set(true)).toEqual([{ tone: 'look', text: published, items }, same]);
  const unknown = '1 event has a link in the LMS that is new to LMS Admin. It will be set to Published:';
  expect(set(true, false)).toEqual([{ tone: 'look', text: unknown, items }, same]);
});

test('OP-103 an event to be hidden does not count as hidden yet if its text has a link that a person added', () => {
  const left = {
    tone: 'look',
    text: 'The text of 1 event still has a Zoom link that LMS Admin did not add. Students can use it to join until you delete it in the LMS:',
    items: ['Session 1 (Monday)'],
  };
  expect(
    told({ unchanged: 1, left: [session], set: [{ ...session, visible: false, known: true }] }).slice(1),
  ).toEqual([
    { tone: 'look', text: '1 event will be set to Hidden:', items: left.items },
    { tone: 'say', text: 'The links that students see do not change.', items: [] },
    left,
  ]);
  expect(told({ unchanged: 1, left: [session] })).toEqual([
    { tone: 'say', text: 'LMS Admin has nothing to change.', items: [] },
    left,
  ]);
});

test('OP-102 names links that change, their events, and events that share a meeting', () => {
  expect(
    told({
      make: 1,
      links: [{ ...session, from: ALMA, to: HUGO, why: 'host', published: true }],
      shared: [{ event: 2, title: 'Session 2', start_at: null, with: 'Session 1' }],
    }).filter(({ tone }) => tone === 'look'),
  ).toEqual([
    {
      tone: 'look',
      text: '1 event will have a different join link:',
      items: [
        'Session 1 (Monday): the meeting cannot be transferred from Alma Reyes to Hugo Tan, so a new one is created. Students already have the current link.',
      ],
    },
    {
      tone: 'look',
      text: '1 event that you did not select shares a meeting with a selected event, so it also changes:',
      items: ['Session 2 shares the meeting of Session 1'],
    },
  ]);
});

test('OP-102 deleting a meeting also breaks copies of its link, and this is said once', () => {
  const of = (why: 'host' | 'written') => {
    return { ...session, from: why === 'host' ? ALMA : null, to: HUGO, why, published: true };
  };
  const said = (removed: number, ...links: ReturnType<typeof of>[]) =>
    texts({ make: links.length, removed, links }).filter((text) =>
      text.includes('in other courses, will stop working'),
    );
  expect(said(2, of('host'), of('host'))).toEqual([
    '2 former meetings will be deleted in Zoom. Copies of their links, for example in other courses, will stop working.',
  ]);
  expect(said(1, of('host'), of('host'))).toEqual([
    '1 former meeting will be deleted in Zoom. Copies of its link, for example in other courses, will stop working.',
  ]);
  // The meeting stays, since a text still contains its link.
  expect(said(0, of('host'))).toEqual([]);
  // A link that a person added to an event stays.
  expect(said(0, of('written'))).toEqual([]);
});

test('OP-102 OP-103 students who get another link are not counted as keeping theirs', () => {
  const links = (published: boolean) =>
    texts({ make: 1, links: [{ ...session, from: ALMA, to: HUGO, why: 'host', published }] });
  expect(links(true)).not.toContain('The links that students see do not change.');
  expect(links(false)).toContain('The links that students see do not change.');
});

test('OP-71 unmerging says whether there is a link to return to', () => {
  const why = (to: string | null) =>
    told({ links: [{ ...session, from: ALMA, to, why: 'unmerge', published: false }] }).flatMap(
      ({ items }) => items,
    );
  expect(why(HUGO)).toEqual(['Session 1 (Monday): it gets its own link again.']);
  expect(why(null)[0]).toContain('no link until you publish it again');
});

test('OP-104 shows how many changes each host has left today, and what has to wait until when', () => {
  const host = { email: ALMA, name: 'Alma Reyes', needed: 3, left: 97, wait: 0, until: null };
  expect(texts({ make: 3, hosts: [host, { ...host, needed: 0 }] }).at(-1)).toBe(
    'Alma Reyes: this uses 3 of the 97 Zoom changes left today.',
  );
  const late = { ...host, needed: 5, left: 1, wait: 4, until: 'midnight' };
  expect(told({ make: 5, hosts: [late] }).at(-1)).toMatchObject({
    tone: 'look',
    text: 'Alma Reyes: 5 needed, 1 left today. 4 events have to wait until at midnight. The work then continues automatically.',
  });
});

test('problems are listed first, and only they prevent saving', () => {
  const problems = [{ ...session, message: 'This event is over.', part: false }];
  expect(told({ problems })).toEqual([
    { tone: 'stop', text: '1 event cannot be changed:', items: ['Session 1 (Monday): This event is over.'] },
  ]);
  const part = { ...session, message: 'Section A: its meeting is running.', part: true };
  expect(texts({ problems: [...problems, part] })).toEqual([
    '1 event cannot be changed:',
    '1 event can be changed only in part:',
  ]);
  expect(nothingPossible({ ...NOTHING, problems })).toBe(true);
  expect(nothingPossible({ ...NOTHING, problems, make: 1 })).toBe(false);
  expect(nothingPossible({ ...NOTHING, problems, unchanged: 1 })).toBe(false);
  expect(nothingPossible(NOTHING)).toBe(false);
});

test('OP-102 names double bookings, classes in progress, and merged events with their own meetings', () => {
  const clash = (
    kind: 'event' | 'course' | 'reservation' | 'zoom',
    title: string | null,
    course: string | null,
  ) => ({
    ...session,
    host: ALMA,
    with: { kind, title, course, start_at: 'Monday' },
  });
  const said = told({
    make: 1,
    running: [{ ...session, link: true, stays: false }],
    clashes: [
      clash('event', 'Two', null),
      clash('course', 'Elsewhere', 'FIN1'),
      clash('course', null, null),
      clash('reservation', 'Twin', 'FIN2'),
      clash('zoom', null, null),
    ],
    unchecked: true,
  });
  const [, running, clashes, unchecked] = said.filter(({ text }) => !text.includes('students see'));
  expect([running?.tone, running?.items]).toEqual([
    'look',
    [
      'Session 1 (Monday): the event gets a different link, and people who join from now on will be in a different meeting.',
    ],
  ]);
  expect(clashes?.text).toBe('1 event is at the same time as another meeting of its host:');
  expect(clashes?.items).toEqual([
    'Session 1 (Monday): Alma Reyes also hosts Two (Monday).',
    'Session 1 (Monday): Alma Reyes also hosts Elsewhere in FIN1 (Monday).',
    'Session 1 (Monday): Alma Reyes also hosts an event of another course (Monday).',
    'Session 1 (Monday): Alma Reyes also hosts Twin in FIN2 (Monday), which is the same reservation in the timetable.',
    'Session 1 (Monday): Alma Reyes also has a meeting in Zoom that LMS Admin did not create (Monday).',
  ]);
  expect(unchecked?.text).toContain('could not check in Zoom');
  const link = { ...session, from: ALMA, to: HUGO, why: 'merge' as const, published: false };
  expect(texts({ links: [link, { ...link, from: null }] }).join(' ')).toContain(
    'The previous meeting of 1 event stays in Zoom',
  );
});

test('OP-102 OP-103 sections do not count as events; a section that is over only keeps a meeting it already has', () => {
  expect(texts({ make: 2, appear: 14, appear_events: 13 })).toContain(
    'Students will see 14 links in the LMS, in 13 events.',
  );
  expect(texts({ disappear: 2, disappear_events: 1 })).toContain(
    'Students will no longer see 2 links in the LMS, in 1 event.',
  );
  expect(texts({ disappear: 2, disappear_events: 2 })).toContain(
    'Students will no longer see the links of 2 events in the LMS.',
  );
  const over = [
    { ...session, meeting: true },
    { ...session, event: 2, meeting: false },
  ];
  const said = texts({ make: 1, over });
  expect(said).toContain('1 section has ended. Its meeting stays as it is:');
  expect(said).toContain('1 section has ended and gets no meeting:');
});

test('OP-102 distinguishes between a first link, a different one and none at all', () => {
  const link = { ...session, from: ALMA, to: HUGO, published: false };
  const said = texts({
    links: [
      { ...link, why: 'merge' },
      { ...link, event: 2, why: 'merge', from: null },
      { ...link, event: 3, why: 'unmerge', to: null },
      { ...link, event: 4, why: 'merge-hidden', from: null },
      // The event has no meeting; students see a link that was copied into it.
      { ...link, event: 5, why: 'merge', from: null, published: true },
      // The copied link is that of the main event.
      { ...link, event: 6, why: 'merge-same', from: null },
    ],
  });
  expect(said.filter((text) => text.includes(' join link'))).toEqual([
    '2 events will have a different join link:',
    '1 event gets a join link:',
    '1 event keeps its join link:',
    '2 events will have no join link:',
  ]);
});

test('OP-104 an earlier change that is still waiting is named, with its author and time', () => {
  const one = { event: 1, title: 'Seminar', start_at: '2026-11-24T08:00:00Z', by: 'Bruno Keller' };
  const said = previewWords(
    {
      ...NOTHING,
      disappear: 1,
      waiting: [
        { ...one, until: '2026-11-25T00:00:00Z' },
        { ...one, until: null },
      ],
    },
    { ...say, times: () => '', moment: () => '25 Nov 2026, 01:00' },
  );
  expect(said[0]).toEqual({
    tone: 'look',
    text: 'Earlier changes to 1 event have not been made yet. This change replaces them. If one of them is made before this one starts, this one is not saved, and you can check it again:',
    items: [
      'Seminar: a change by Bruno Keller, which waits until 25 Nov 2026, 01:00.',
      'Seminar: a change by Bruno Keller.',
    ],
  });
});

test('OP-102 explains what it means if the owner has a Basic account', () => {
  const basic = { email: HUGO, name: 'Hugo Tan', events: 3, long: 2 };
  const [said] = told({ make: 3, basic }).filter(({ tone }) => tone === 'look');
  expect(said?.text).toBe(
    'Hugo Tan has a Basic account in Zoom, without a licence: Zoom ends its meetings after 40 minutes. 2 of 3 events last longer.',
  );
  expect(said?.items).toHaveLength(2);
});

test('OP-102 names a booking in two courses with different hosts', () => {
  const seen = { title: 'Ethics', course: 'MBA-1', host: ALMA };
  const hidden = { title: null, course: null, host: null };
  const elsewhere = [seen, hidden].map((other) => ({ ...session, with: other }));
  const [said] = told({ make: 1, elsewhere }).filter(({ tone }) => tone === 'look');
  expect(said?.text).toMatch(/^1 event shares its timetable reservation /);
  expect(said?.items).toEqual([
    'Session 1 (Monday): Alma Reyes hosts Ethics in MBA-1.',
    'Session 1 (Monday): someone else hosts it in a course that you cannot see.',
  ]);
});

test('OP-102 alternative hosts: names those removed, those added, and those added in Zoom', () => {
  const other = { ...session, event: 2, title: 'Session 2' };
  const said = told({
    update: 1,
    co_hosts: [
      { ...session, from: [ALMA], to: [HUGO], known: [ALMA], unlicensed: [] },
      { ...other, from: [ALMA, HUGO], to: [ALMA, HUGO], known: [HUGO], unlicensed: [] },
    ],
  });
  expect(said.filter(({ tone }) => tone === 'look')).toEqual([
    {
      tone: 'look',
      text: 'The alternative hosts of 1 event change:',
      items: ['Session 1 (Monday): Alma Reyes can no longer start it. Hugo Tan can start it from now on.'],
    },
    {
      tone: 'look',
      text: 'The alternative hosts of 1 meeting were changed in Zoom. These are kept:',
      items: ['Session 2 (Monday): Alma Reyes and Hugo Tan.'],
    },
  ]);
  const left = { ...session, from: [ALMA, HUGO], to: [ALMA], known: [ALMA, HUGO], unlicensed: [HUGO] };
  const [, , made] = told({ make: 1, co_hosts: [left] });
  expect(made?.items).toEqual([
    'Session 1 (Monday): Hugo Tan can no longer start it, because they have no Zoom licence.',
  ]);
});

test('OP-102 a meeting that has started in Zoom stays there until it ends', () => {
  const [, said] = told({ make: 1, running: [{ ...session, link: true, stays: true }] }).filter(
    ({ items, text }) => items.length > 0 || text.startsWith('1 meeting'),
  );
  expect(said?.items).toEqual([
    'Session 1 (Monday): the event gets a different link, and people who join from now on will be in a different meeting. Zoom does not delete the current meeting while it is running. A later run of the course will delete it.',
  ]);
});

test('OP-102 an event is counted once, whatever happens to its links', () => {
  const link = { ...session, from: HUGO, to: ALMA };
  const said = told({
    make: 1,
    links: [
      { ...link, why: 'host', published: false },
      { ...link, why: 'copied', published: true },
      { ...link, event: 2, title: 'Session 2', why: 'passcode', published: true },
      { ...link, event: 3, title: 'Session 3', why: 'sections', published: true },
    ],
  }).find(({ items }) => items.length === 4);
  expect(said?.text).toBe('3 events will have a different join link:');
  expect(said?.items.slice(1)).toEqual([
    'Session 1 (Monday): the link that was copied into it from another event is removed. Students already have the current link.',
    'Session 2 (Monday): the passcode of its meeting was changed in Zoom, so its link changes. Students already have the current link.',
    'Session 3 (Monday): it is now for different sections, so its link is replaced. The meeting with the old link stays in Zoom. Students already have the current link.',
  ]);
});

test('OP-102 sentences and entries that are new since saving was rejected are marked', () => {
  const one = { ...session, from: HUGO, to: ALMA, why: 'host', published: true } as const;
  const before = told({ update: 1, links: [one] });
  expect(marked(before, null)).toEqual(before);
  expect([marked(before, before), hasNews(before, before)]).toEqual([before, false]);
  const now = told({ update: 1, removed: 1, disappear: 1, links: [{ ...one, published: false }] });
  expect(hasNews(now, before)).toBe(true);
  expect(marked(now, before).map(({ text }) => text)).toEqual([
    '1 meeting will be changed in Zoom.',
    'New: Students will no longer see the link of 1 event in the LMS.',
    '1 event will have a different join link:',
    'New: 1 former meeting will be deleted in Zoom. Copies of its link, for example in other courses, will stop working.',
  ]);
  expect(marked(now, before)[2]?.items).toEqual([
    'New: Session 1 (Monday): the meeting cannot be transferred from Hugo Tan to Alma Reyes, so a new one is created.',
  ]);
});
