/**
 * The same comparison as in agrees.test.ts for group members: a server with the directory puts no one into a group whom
 * one without it does not, people who have changed are named, and the next review includes them. `DIRECTORY_RUNS` sets
 * the number of runs.
 */
import type { MemberPlan } from '@lms-admin/contract/groups';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Campus, makeMemberPlan, type Person, submitted, watch } from '../enrollments/campus.ts';
import {
  csvOf,
  fromCsv,
  groupedCourse,
  importMessagesOf,
  type MadeGroup,
  makeGroup,
  membersOf,
} from '../groups/support.ts';
import type { Browser } from '../support/browser.ts';
import type { TestServer } from '../support/harness.ts';
import { CHANGES, type Change, changesIn } from './changes.ts';
import type { DirectoryTest } from './support.ts';
import { startTwoServers } from './two-servers.ts';

/** Each run needs a course of its own, and the practice LMS has no more that fit. */
const MOST_RUNS = 38;
const RUNS = Math.min(Number(process.env.DIRECTORY_RUNS ?? 4), MOST_RUNS);
const CROWD = 5;
/** Accounts whose courses are used in turn. */
const ACCOUNTS = [86, 120];

let ts: DirectoryTest;
let plain: TestServer;
let campus: Campus;
let withCopy: Browser;
let without: Browser;
let used = 0;

beforeAll(async () => {
  ({ ts, plain, campus, withCopy, without } = await startTwoServers());
});
afterAll(async () => {
  await plain?.close();
  await ts?.close();
});

interface Case {
  way: 'csv' | 'pasted';
  changes: Change[];
  /** The group of each row: first a student, then the people who may change, then more students. */
  groups: (0 | 1)[];
}
const few = (...changes: Change[]) => Array.from({ length: CROWD }, (_, at): Change => changes[at] ?? 'none');
/** The most important case: the text that was typed now means a student of the course. */
const EXAMPLES: Case[] = [
  { way: 'pasted', changes: few('secondLogin', 'shared'), groups: [] },
  { way: 'csv', changes: few('secondSisId', 'otherSisId'), groups: [] },
];

test('GRP-27 OP-107 plans made with and without the directory put the same people into groups', async () => {
  let known = 0;
  let skipped = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record<Case>({
        way: fc.constantFrom('csv' as const, 'pasted' as const),
        changes: fc.array(fc.oneof(fc.constant<Change>('none'), fc.constantFrom(...CHANGES)), {
          minLength: CROWD,
          maxLength: CROWD,
        }),
        groups: fc.array(fc.constantFrom(0 as const, 1 as const), { minLength: 12, maxLength: 12 }),
      }),
      async ({ way, changes, groups }) => {
        const course = await groupedCourse(campus, ACCOUNTS[used % ACCOUNTS.length]);
        const people = campus.strangers(1_000, []).slice(CROWD * used, CROWD * (used + 1));
        used++;
        const [first, ...others] = course.students as [Person, ...Person[]];
        const mine = course.groups.slice(0, 2);
        const theirs: MadeGroup[] = [];
        for (const number of [1, 2])
          theirs.push(await makeGroup(campus, course.labs, `L-G0${number}`, `${course.sis}_L-G0${number}`));
        // A group that fills up: who is in it depends on the rows before.
        for (const one of [mine[0], theirs[0]]) {
          const { groups: all } = ts.sandbox.world;
          all.change(all.must(one?.id ?? 0), { max_membership: 2 });
        }
        const rows = [first, ...people, ...others.slice(0, 6)];
        expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
        for (const [at, what] of changes.entries()) {
          const [one, other] = [people[at], others[at]];
          if (one && other) changesIn(campus)[what](one, other);
        }
        const review = (browser: Browser, of: readonly MadeGroup[]): Promise<MemberPlan> => {
          const lines = rows.map((one, at): [group: string, person: string] => [
            of[groups[at] ?? 1]?.sis ?? '',
            way === 'csv' ? one.sis : one.email,
          ]);
          const text = lines.map(([group, person]) => `${person}\t${group}`).join('\n');
          const from =
            way === 'csv' ? fromCsv(csvOf(...lines)) : { way: 'pasted' as const, text, category: null };
          return makeMemberPlan(browser, { course: course.id, from });
        };
        const send = async (browser: Browser, plan: MemberPlan) => {
          if (plan.totals.rows === 0) return [];
          const { id } = await watch(browser, (await submitted(browser, { plan: plan.id })).id);
          return importMessagesOf(browser, id);
        };
        const members = async (of: readonly MadeGroup[]) =>
          Promise.all(of.map((group) => membersOf(campus, group)));

        const reviewed = await review(withCopy, mine);
        known += reviewed.copied?.count ?? 0;
        const said = await send(withCopy, reviewed);
        const live = await review(without, theirs);
        expect(live.copied).toBeNull();
        await send(without, live);
        const [left, right] = [await members(mine), await members(theirs)];
        // No one is put into a group whom the server without the directory does not put there.
        for (const [at, ids] of left.entries()) expect(right[at]).toEqual(expect.arrayContaining(ids));
        if (left.flat().length < right.flat().length) {
          skipped++;
          expect(said.join('\n')).toMatch(/^Row \d+ \(.+\) was skipped: /m);
        }
        // The next review includes them.
        await send(withCopy, await review(withCopy, mine));
        expect(await members(mine)).toEqual(right);
      },
    ),
    {
      numRuns: RUNS + EXAMPLES.length,
      seed: 1,
      endOnFailure: true,
      examples: EXAMPLES.map((one) => [one]),
    },
  );
  // Otherwise nothing would have been compared.
  expect([known > 0, skipped > 0]).toEqual([true, true]);
}, 600_000);
