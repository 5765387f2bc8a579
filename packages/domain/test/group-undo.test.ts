/**
 * Undoing group member changes after changes by others: differences are reversed or named, and nothing else
 * changes.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CourseGroup } from '../src/group-course.ts';
import { changes, planMembers } from '../src/group-members.ts';
import type { RequestedMember } from '../src/group-references.ts';
import { type SentMember, turnMembers } from '../src/group-undo.ts';
import { CLUBS, courseOf, group, LABS, person, readerOf, row } from './group-fixtures.ts';

const GROUPS = [
  group(1, 'One'),
  group(2, 'Two'),
  group(3, 'Three'),
  group(4, 'Chess', { category: CLUBS.id }),
  group(5, 'Go', { category: CLUBS.id }),
];
const named = (id: number) => GROUPS.find((one) => one.id === id)?.name ?? '';

/** One person's groups: at most one of the teams, any of the clubs. */
const memberships = fc
  .tuple(fc.constantFrom([], [1], [2], [3]), fc.subarray([4, 5]))
  .map(([team, clubs]) => [...team, ...clubs]);
const rows = fc.array(
  fc.record({ where: fc.constantFrom(1, 2, 3, 4, 5), status: fc.constantFrom('accepted', 'deleted') }),
  { minLength: 1, maxLength: 4 },
);

/** Returns the outcomes of the rows for a person in these groups. */
function sentOf(before: readonly number[], asked: readonly { where: number; status: string }[]) {
  const rowsOf = asked.map(({ where, status }, at) => row(at + 2, 'p1', `C_${named(where)}`, status));
  const planned = planMembers(rowsOf, readerOf(courseOf(GROUPS, [person(1, before)]))).rows;
  return planned.filter(changes).map(
    (one): SentMember => ({
      user_id: 'p1',
      group_id: one.group_id,
      fate: one.fate,
      person: 'P',
      group: one.group ?? '',
      who: 1,
      where: one.where ?? 0,
      category: GROUPS.find(({ id }) => id === one.where)?.category ?? null,
      leaves: one.leaves.map((id) => ({ id, sis_group_id: `C_${named(id)}`, name: named(id) })),
      stays: one.stays,
    }),
  );
}

const inOrder = (groups: readonly number[]) => groups.toSorted((a, b) => a - b);

/** Returns the person's groups after these rows, as the LMS applies them. */
function carriedOut(
  theirs: readonly number[],
  rows: readonly RequestedMember[],
  groups: readonly CourseGroup[],
) {
  let now = [...theirs];
  for (const { group: sisId, status } of rows) {
    const to = groups.find((one) => one.sisId === sisId);
    if (!to) throw new Error(`no group ${sisId}`);
    const leaves = (id: number) =>
      id === to.id ||
      (to.category !== CLUBS.id && groups.find((one) => one.id === id)?.category === to.category);
    now = now.filter((id) => (status === 'deleted' ? id !== to.id : !leaves(id)));
    if (status !== 'deleted') now.push(to.id);
  }
  return inOrder(now);
}

it('OP-107 people who are not named as unchanged are in their previous groups, even after groups changed category', () => {
  const moves = fc.option(fc.constantFrom(1, 2, 3), { nil: null });
  fc.assert(
    fc.property(memberships, rows, moves, (before, asked, moved) => {
      const sent = sentOf(before, asked);
      const rowsSent = sent.map(({ group_id, fate }, at) =>
        row(at, 'p1', group_id, fate === 'remove' ? 'deleted' : 'accepted'),
      );
      const after = carriedOut(before, rowsSent, GROUPS);
      const groups = GROUPS.map((one) => (one.id === moved ? { ...one, category: LABS.id } : one));
      const { requested: back, kept } = turnMembers(sent, courseOf(groups, [person(1, after)]));
      if (kept.length > 0) expect(moved).not.toBeNull();
      else expect(carriedOut(after, back, groups)).toEqual(inOrder(before));
    }),
    { numRuns: 3_000 },
  );
});

const some = fc.subarray([1, 2, 3, 4, 5]);

it('OP-107 having nothing to undo is reported only if the person is in the previous groups', () => {
  fc.assert(
    fc.property(memberships, rows, memberships, some, some, (before, asked, now, gone, renamed) => {
      const sent = sentOf(before, asked);
      const left = GROUPS.filter(({ id }) => !gone.includes(id)).map((one) =>
        renamed.includes(one.id) ? { ...one, sisId: `${one.sisId}_2` } : one,
      );
      const theirs = now.filter((id) => !gone.includes(id));
      const index = courseOf(left, [person(1, theirs)]);
      const { requested: back, same, kept } = turnMembers(sent, index);
      // Everyone is reported, whatever others have deleted since.
      expect(back.length + same.length + kept.length > 0).toBe(sent.length > 0);
      const undone = planMembers(back, readerOf(index)).rows;
      if (kept.length > 0 || undone.some((one) => changes(one) || one.fate === 'refused')) return;
      // The groups that the rows could have changed: all teams if they named one, and each club that they named.
      const touched = new Set(sent.flatMap(({ where }) => (where <= 3 ? [1, 2, 3] : [where])));
      const of = (groups: readonly number[]) => groups.filter((id) => touched.has(id));
      expect(of(theirs)).toEqual(of(before));
    }),
    { numRuns: 3_000 },
  );
});

it('OP-107 changes by others are reported only if there are any, even for several groups in a category', () => {
  const several = fc.subarray([1, 2, 3, 4, 5]);
  fc.assert(
    fc.property(several, rows, (before, asked) => {
      const sent = sentOf(before, asked);
      const rowsSent = sent.map(({ group_id, fate }, at) =>
        row(at, 'p1', group_id, fate === 'remove' ? 'deleted' : 'accepted'),
      );
      const after = carriedOut(before, rowsSent, GROUPS);
      const { requested: back, kept } = turnMembers(sent, courseOf(GROUPS, [person(1, after)]));
      expect(kept.filter(({ why }) => why !== 'several')).toEqual([]);
      // No one is removed from a group that they were in all along.
      const stayed = before.filter((id) => after.includes(id));
      expect(carriedOut(after, back, GROUPS)).toEqual(expect.arrayContaining(stayed));
    }),
    { numRuns: 3_000 },
  );
});

const removed = (over: Partial<SentMember> = {}) =>
  sentOf([1, 2], [{ where: 1, status: 'deleted' }]).map((one) => ({ ...one, ...over }));

it('OP-107 people who stayed in another group of the category return only after that group has left the category', () => {
  const why = (groups: readonly CourseGroup[], now: readonly number[], sent = removed()) =>
    turnMembers(sent, courseOf(groups, [person(1, now)]));
  expect(why(GROUPS, [2]).kept).toEqual([{ person: 'P', group: 'One', why: 'several' }]);
  const elsewhere = GROUPS.map((one) => (one.id === 2 ? { ...one, category: LABS.id } : one));
  for (const [groups, now] of [
    [elsewhere, [2]],
    [GROUPS.filter(({ id }) => id !== 2), []],
  ] as const)
    expect(why(groups, now).requested).toMatchObject([{ person: 'p1', group: 'C_One', status: 'accepted' }]);
  // The group moved to a category in which the person was in another group.
  const moved = GROUPS.map((one) =>
    one.id === 1 ? { ...one, category: LABS.id } : one.id === 3 ? { ...one, category: LABS.id } : one,
  );
  const kept = why(moved, [3], removed({ stays: [] })).kept;
  expect(kept).toEqual([{ person: 'P', group: 'One', why: 'regrouped' }]);
});
