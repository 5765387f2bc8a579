/**
 * Undoing an import, in words: three reasons for having nothing to do are distinguished, and sections are
 * counted once.
 */
import type { UndoPlan } from '@lms-admin/contract/enrollments';
import { describe, expect, test } from 'vitest';
import {
  keptGroups,
  membersKept,
  membersSentence,
  undoFigures,
  undoSentence,
} from '../../src/components/Undo/undo-words.ts';

type Kept = UndoPlan['kept'][number];
type Entry = UndoPlan['entries'][number];

const kept = (why: Kept['why'], person = 'Zoë O’Neill–Łukasz'): Kept => ({
  course: 'Law',
  section: 'A',
  people: 1,
  why,
  who: [{ person, state: 'inactive' }],
});

const entry = (section: number, more: Partial<Entry> = {}) =>
  ({ section: { id: section }, status: 'active', rows: 1, failed: [], ...more }) as Entry;

const plan = (more: Partial<UndoPlan>) =>
  ({ kept: [], entries: [], totals: { rows: 0, already: 0, not_enrolled: 0 }, ...more }) as UndoPlan;

describe('nothing to undo', () => {
  test.each([
    ['everything is as it was', {}, /^There is nothing to undo, because .* as they were before it\.$/],
    ['others have changed it', { kept: [kept('changed')] }, /^Undo changes nothing\. .* stay as they are\.$/],
    ['it cannot be set', { kept: [kept('state')] }, /^Undo changes nothing/],
    ['the LMS put it elsewhere', { kept: [kept('elsewhere')] }, /^Undo changes nothing/],
    ['nobody has the SIS ID any more', { kept: [kept('gone')] }, /^Undo changes nothing/],
    ['the course is gone', { kept: [kept('out-of-reach')] }, /^Undo is not possible/],
    ['the section is gone', { kept: [kept('lost')] }, /^Undo is not possible/],
    ['the LMS did not answer', { kept: [kept('unanswered'), kept('changed')] }, /could not compare/],
    ['a lookup failed', { entries: [entry(1, { rows: 0, failed: ['5001'] })] }, /could not compare/],
  ])('%s', (_, more, words) => {
    expect(undoSentence(plan(more))).toMatch(words);
  });

  test.each([
    ['everything is as it was', [], 0, /^There is nothing to undo/],
    [
      'others have changed it',
      [{ person: 'A', group: 'G', why: 'moved-on' as const }],
      0,
      /^Undo changes nothing/,
    ],
    ['rows are not possible', [], 2, /^Undo changes nothing/],
  ])('groups: %s', (_, stays, refused, words) => {
    const totals = { rows: 0, add: 0, move: 0, already: 0, remove: 0, not_member: 0, people: 0, refused };
    expect(membersSentence({ totals, kept: stays, members: [] })).toMatch(words);
  });
});

test('sections are counted once, however many statuses and roles their people return to', () => {
  const entries = [
    entry(1),
    entry(1, { role: { id: 4, label: 'TA' } }),
    entry(2, { rows: 2 }),
    entry(3, { rows: 0 }),
  ];
  const sentence = undoSentence(plan({ entries, totals: { rows: 4 } as UndoPlan['totals'] }));
  expect(sentence).toMatch(/^Undo restores 4 enrolments in 2 sections\./);
});

test('people who stay enrolled are named with the reason', () => {
  const groups = keptGroups(plan({ kept: [kept('elsewhere'), kept('changed', '#N/A'), kept('changed')] }));
  expect(groups.map(({ why, count }) => [why, count])).toEqual([
    ['changed', 2],
    ['elsewhere', 1],
  ]);
  expect(groups[0]?.lines).toEqual([
    '#N/A – now inactive – Law, A',
    'Zoë O’Neill–Łukasz – now inactive – Law, A',
  ]);
});

test('a student whose state stays is counted once, even if their observers could not be looked up', () => {
  const stays = plan({ kept: [kept('state'), kept('observers-unread'), kept('observer')] });
  expect(undoFigures(stays).at(-1)?.value).toBe(2);
  expect(keptGroups(stays).map(({ why }) => why)).toEqual(['state', 'observer', 'observers-unread']);
});

test('a person with several rows that stay is one person, and each sentence is shown once', () => {
  const row = (person: string, group: string, why: 'full' | 'left' = 'left') => ({ person, group, why });
  const { people, lines } = membersKept({
    kept: [row('Zoë', 'G1'), row('Zoë', 'G2'), row('Ann', 'G1', 'full'), row('Ann', 'G1', 'full')],
  });
  expect(people).toBe(2);
  expect(lines.map((line) => line.slice(0, line.indexOf(':')))).toEqual(['Zoë, G1', 'Zoë, G2', 'Ann, G1']);
});
