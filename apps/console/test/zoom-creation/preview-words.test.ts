import type { ZoomPreview } from '@lms-admin/contract/zoom';
import { expect, test } from 'vitest';
import { isHopeless, previewWords } from '../../src/tools/zoom-creation/preview-words.ts';
import { ALMA, HUGO } from './events.ts';

const NOTHING: ZoomPreview = {
  events: 1,
  make: 0,
  update: 0,
  unchanged: 0,
  links: [],
  shared: [],
  appear: 0,
  disappear: 0,
  hosts: [],
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

test('meetings, and what students see', () => {
  expect(texts({ events: 4, make: 2, update: 1, unchanged: 1, appear: 3 })).toEqual([
    '2 meetings will be made in Zoom.',
    '1 meeting will be changed in Zoom.',
    '1 meeting stays as it is in Zoom.',
    'Students will see the links of 3 events in the LMS.',
  ]);
  expect(texts({ make: 1 })).toEqual([
    '1 meeting will be made in Zoom.',
    'Which links students see stays the same.',
  ]);
  expect(texts({ disappear: 1 })).toEqual(['Students will no longer see the link of 1 event in the LMS.']);
  // What is hidden does not stay as it is; its meeting does.
  expect(texts({ unchanged: 2, disappear: 2 })).toEqual([
    '2 meetings stay as they are in Zoom.',
    'Students will no longer see the links of 2 events in the LMS.',
  ]);
  expect(texts({ unchanged: 1 })).toEqual(['Nothing has to be done: everything is as you want it already.']);
});

test('OP-102 links that will be others, whose, and who shares a meeting', () => {
  expect(
    told({
      make: 1,
      links: [{ ...session, from: ALMA, to: HUGO, why: 'host', published: true }],
      shared: [{ event: 2, title: 'Session 2', start_at: null, with: 'Session 1' }],
    }).filter(({ tone }) => tone === 'look'),
  ).toEqual([
    {
      tone: 'look',
      text: '1 event will have another join link:',
      items: [
        'Session 1 (Monday): the meeting cannot be handed over from Alma Reyes to Hugo Tan, so a new one is made. Students already have the present link.',
      ],
    },
    {
      tone: 'look',
      text: '1 event that you did not select shares a meeting, and changes with it:',
      items: ['Session 2 shares the meeting of Session 1'],
    },
  ]);
});

test('OP-102 a meeting that is removed takes copies of its link with it, which is said once', () => {
  const of = (from: string | null) => ({ ...session, from, to: HUGO, why: 'host' as const, published: true });
  const removed = (...links: ReturnType<typeof of>[]) =>
    texts({ make: links.length, links }).filter((text) => text.includes('in other courses, stop working'));
  expect(removed(of(ALMA), of(ALMA))).toHaveLength(1);
  // A link that somebody wrote into an event is none of ours to remove.
  expect(removed(of(null))).toHaveLength(0);
});

test('OP-102 OP-103 students who get another link do not keep the same ones', () => {
  const links = (published: boolean) =>
    texts({ make: 1, links: [{ ...session, from: ALMA, to: HUGO, why: 'host', published }] });
  expect(links(true)).not.toContain('Which links students see stays the same.');
  expect(links(false)).toContain('Which links students see stays the same.');
});

test('OP-71 an unmerge says whether there is a link to go back to', () => {
  const why = (to: string | null) =>
    told({ links: [{ ...session, from: ALMA, to, why: 'unmerge', published: false }] }).flatMap(
      ({ items }) => items,
    );
  expect(why(HUGO)).toEqual(['Session 1 (Monday): it gets a link of its own again.']);
  expect(why(null)[0]).toContain('no link until you publish it again');
});

test('OP-104 what is left of the day of each host, and what has to wait until when', () => {
  const host = { email: ALMA, name: 'Alma Reyes', needed: 3, left: 97, wait: 0, until: null };
  expect(texts({ make: 3, hosts: [host, { ...host, needed: 0 }] }).at(-1)).toBe(
    'Alma Reyes: 3 of the 97 creations and changes that are left today.',
  );
  const late = { ...host, needed: 5, left: 1, wait: 4, until: 'midnight' };
  expect(told({ make: 5, hosts: [late] }).at(-1)).toMatchObject({
    tone: 'look',
    text: 'Alma Reyes: 5 needed, 1 left today. 4 events have to wait until at midnight; the work then goes on by itself.',
  });
});

test('what cannot be done comes first, and only that stops', () => {
  const problems = [{ ...session, message: 'This event is over.' }];
  expect(told({ problems })).toEqual([
    { tone: 'stop', text: '1 event cannot be done:', items: ['Session 1 (Monday): This event is over.'] },
  ]);
  expect(isHopeless({ ...NOTHING, problems })).toBe(true);
  expect(isHopeless({ ...NOTHING, problems, make: 1 })).toBe(false);
  expect(isHopeless({ ...NOTHING, problems, unchanged: 1 })).toBe(false);
  expect(isHopeless(NOTHING)).toBe(false);
});
