/**
 * A server with the directory and one without it make the same plans while the LMS changes behind the local
 * copy. Both must change the same enrolments. With the directory, people who have changed may be skipped, but
 * they are named, and the next review includes them. `DIRECTORY_RUNS` sets the number of runs.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Campus, makePlan, makeSectionPlan } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import type { TestServer } from '../support/harness.ts';
import { CHANGES, type Change, changesIn } from './changes.ts';
import type { DirectoryTest } from './support.ts';
import { resultOf, startTwoServers } from './two-servers.ts';

const RUNS = Number(process.env.DIRECTORY_RUNS ?? 4);
const ROLE = 3;
const CROWD = 6;

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

const change = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Change>('none') },
  { weight: 4, arbitrary: fc.constantFrom(...CHANGES) },
);

interface Case {
  tool: 'course' | 'section';
  status: 'active' | 'deleted';
  changes: Change[];
  /** Returns these people at first, and later their stand-ins. */
  enrolled: boolean[];
}
const few = (...changes: Change[]) => Array.from({ length: CROWD }, (_, at): Change => changes[at] ?? 'none');
/** The most important case: the text that was typed now refers to another person. */
const EXAMPLES: Case[] = [
  { tool: 'course', status: 'active', changes: few('passedOn', 'shared'), enrolled: [] },
  { tool: 'section', status: 'active', changes: few('swapped', 'otherSisId'), enrolled: [] },
];

/** Finds two courses for each run, and people whom no other run uses, each with a stand-in. */
function material() {
  const [mine, theirs] = [campus.courseForRows(2 * used), campus.courseForRows(2 * used + 1)];
  const crowd = campus.strangers(1_000, []).slice(2 * CROWD * used, 2 * CROWD * (used + 1));
  used++;
  return { mine, theirs, people: crowd.slice(0, CROWD), others: crowd.slice(CROWD) };
}

test('OP-45 OP-50 plans made with and without the directory change the same enrolments', async () => {
  let known = 0;
  let skipped = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record<Case>({
        tool: fc.constantFrom('course' as const, 'section' as const),
        status: fc.constantFrom('active' as const, 'deleted' as const),
        changes: fc.array(change, { minLength: CROWD, maxLength: CROWD }),
        enrolled: fc.array(fc.boolean(), { minLength: 2 * CROWD, maxLength: 2 * CROWD }),
      }),
      async ({ tool, status, changes, enrolled }) => {
        const { mine, theirs, people, others } = material();
        const everyone = [...people, ...others];
        const sections = [mine, theirs].map(({ id }) => campus.defaultSection(id));
        for (const [at, one] of everyone.entries())
          if (enrolled[at]) for (const section of sections) campus.enrol(one.id, section, ROLE);
        expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
        for (const [at, what] of changes.entries()) {
          const [one, other] = [people[at], others[at]];
          if (one && other) changesIn(campus)[what](one, other);
        }
        const review = (browser: Browser, at: 0 | 1) => {
          const section = sections[at];
          if (!section) throw new Error('no section');
          const of = { role_id: ROLE, status };
          const course = section.course_id;
          return tool === 'course'
            ? makePlan(browser, { ...of, courses: [course], emails: people.map(({ email }) => email) })
            : makeSectionPlan(browser, [
                { ...of, course, section: section.id, users: people.map(({ sis }) => sis) },
              ]);
        };
        const states = (at: 0 | 1) =>
          everyone.map(({ id }) => campus.stateOf(id, sections[at]?.id ?? 0, ROLE));

        const before = states(0);
        const reviewed = await review(withCopy, 0);
        known += reviewed.copied?.count ?? 0;
        const said = await resultOf(withCopy, reviewed);
        expect((await review(without, 1)).copied).toBeNull();
        await resultOf(without, await review(without, 1));
        if (said.includes('was skipped')) skipped++;
        const [first, right] = [states(0), states(1)];
        // Nothing is changed that the server without the directory leaves unchanged.
        for (const [at, state] of first.entries()) expect([before[at], right[at]]).toContain(state);
        const late = everyone.flatMap((_, at) => (first[at] === right[at] ? [] : at));
        for (const at of late) {
          const who = people[at % CROWD];
          const { name } = ts.sandbox.world.users.must(who?.id ?? 0);
          expect(changes[at % CROWD]).not.toBe('none');
          expect(said).toContain(`${name} (${who?.sis}) was skipped`);
        }
        // The next review includes them.
        await resultOf(withCopy, await review(withCopy, 0));
        expect(states(0)).toEqual(states(1));
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
