/**
 * Undo and changes by others, made before its review or between review and sending. These changes are left
 * alone and named, even if the state is the one that the import left behind.
 */
import type { SisImport } from '@lms-admin/contract/imports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, jobOf, makePlan, type Person, submitted, undoOf, watch } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

async function done(plan: { id: string }): Promise<SisImport> {
  return watch(alma, (await submitted(alma, { plan: plan.id })).id);
}
function planOf(status: 'active' | 'deleted', { id }: { id: number }, people: readonly Person[]) {
  return makePlan(alma, { role_id: 3, status, courses: [id], emails: people.map(({ email }) => email) });
}
const nameOf = (id: number) => ts.sandbox.world.users.must(id).name;
const inCourse = async (id: number) =>
  (await campus.enrolments(id, 3, ['active', 'invited', 'inactive', 'completed']))
    .map((one) => `${one.user_id} ${one.course_section_id} ${one.enrollment_state}`)
    .sort();

/** Gives an enrolment its own dates, as a person does in the LMS. */
function dateOf(one: Person, section: { id: number }, start: string | null, end: string | null): void {
  const place = campus.enrolmentOf(one.id, section.id, 3);
  if (!place) throw new Error('not enrolled');
  ts.sandbox.world.enrollments.change(place, { start_at: start, end_at: end });
}
const datesOf = (one: Person, section: { id: number }) => {
  const place = campus.enrolmentOf(one.id, section.id, 3);
  return [place?.start_at ?? null, place?.end_at ?? null];
};

test('changes that others made since the import are left alone and named, whatever the state', async () => {
  const course = campus.courseForRows(4);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(4, [course.id]);
  const [ended, paused, gone, left] = people as [Person, Person, Person, Person];
  const added = await done(await planOf('active', course, people));
  campus.enrol(ended.id, section, 3, 'completed');
  campus.enrol(paused.id, section, 3, 'inactive');
  campus.enrol(gone.id, section, 3, 'deleted');
  const plan = await undoOf(alma, added);
  expect(plan.totals).toMatchObject({ remove: 1, not_enrolled: 1, rows: 1 });
  expect(plan.kept).toMatchObject([
    {
      why: 'changed',
      people: 2,
      who: [
        { person: nameOf(ended.id), state: 'completed' },
        { person: nameOf(paused.id), state: 'inactive' },
      ],
    },
  ]);
  // Someone else changes the enrolment after this review, before the undo is sent.
  campus.enrol(left.id, section, 3, 'inactive');
  const back = await done(plan);
  // Nothing was sent, so there is nothing to undo.
  expect(back.can_undo).toBe(false);
  expect([back.verdict, back.processing_errors[0]?.[1]]).toEqual([
    'failed',
    expect.stringContaining(
      'another import or someone in the LMS has changed the enrolment since the review. It is now inactive.',
    ),
  ]);
  const state = (one: Person) => campus.stateOf(one.id, section.id, 3);
  expect([ended, paused, gone, left].map(state)).toEqual(['completed', 'inactive', 'deleted', 'inactive']);
  expect(await undoOf(alma, added)).toMatchObject({
    totals: { rows: 0 },
    kept: [{ why: 'changed', people: 3 }],
  });

  // A removal, and people whom others have added again in another state.
  campus.enrol(left.id, section, 3, 'active');
  const removed = await done(await planOf('deleted', course, [left]));
  campus.enrol(left.id, section, 3, 'completed');
  expect(await undoOf(alma, removed)).toMatchObject({
    totals: { rows: 0 },
    kept: [{ why: 'changed', who: [{ person: nameOf(left.id), state: 'completed' }] }],
  });
});

test('people whom others change between review and sending are skipped and named, and the undo uses the state at the time of sending', async () => {
  const course = campus.courseForRows(5);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(3, [course.id]);
  const [there, paused, plain] = people as [Person, Person, Person];
  const plan = await planOf('active', course, people);
  campus.enrol(there.id, section, 3, 'active');
  campus.enrol(paused.id, section, 3, 'inactive');
  const sent = await done(plan);
  expect(sent).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
  expect(sent.note).toContain(`${nameOf(there.id)} (${there.sis}) was skipped`);
  expect(sent.note).toContain('It is now inactive.');
  expect(campus.stateOf(paused.id, section.id, 3)).toBe('inactive');
  const back = await undoOf(alma, sent);
  expect(back).toMatchObject({ totals: { remove: 1, rows: 1 }, kept: [] });
  await done(back);
  const state = (one: Person) => campus.stateOf(one.id, section.id, 3);
  expect([there, paused, plain].map(state)).toEqual(['active', 'inactive', 'deleted']);
});

test('the dates of individual enrolments are named before they end, and are restored', async () => {
  const course = campus.courseForRows(9);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(4, [course.id]);
  const [short, late, paused, plain] = people as [Person, Person, Person, Person];
  for (const one of [short, late, plain]) campus.enrol(one.id, section, 3, 'active');
  campus.enrol(paused.id, section, 3, 'inactive');
  const [start, end] = ['2027-02-01T00:00:00Z', '2027-03-01T00:00:00Z'];
  dateOf(short, section, null, end);
  dateOf(late, section, start, end);
  dateOf(paused, section, start, null);
  const before = await inCourse(course.id);
  const dates = () => people.map((one) => datesOf(one, section));
  const own = dates();
  const remove = await planOf('deleted', course, people);
  expect(remove.courses[0]?.dates_end).toEqual([]);
  const back = await undoOf(alma, await done(remove));
  const named = (one: Person, from: string | null, to: string | null) => ({
    person: nameOf(one.id),
    section: section.name,
    start: from,
    end: to,
  });
  const set = back.entries.flatMap((entry) => entry.dates_set);
  expect(new Set(set)).toEqual(
    new Set([named(short, null, end), named(late, start, end), named(paused, start, null)]),
  );
  expect((await done(back)).verdict).toBe('done');
  expect(await inCourse(course.id)).toEqual(before);
  expect(dates()).toEqual(own);

  // Adding people: inactive enrolments become active and lose their dates, and the review says so.
  const add = await planOf('active', course, people);
  expect(add.courses[0]?.dates_end).toEqual([named(paused, start, null)]);
  const added = await done(add);
  expect(datesOf(paused, section)).toEqual([null, null]);
  expect((await done(await undoOf(alma, added))).verdict).toBe('done');
  expect(await inCourse(course.id)).toEqual(before);
  expect(dates()).toEqual(own);

  // Dates that others set between review and sending, or after the import.
  const second = await planOf('active', course, people);
  dateOf(paused, section, start, end);
  const refused = await done(second);
  expect([refused.verdict, refused.processing_errors[0]?.[1]]).toEqual([
    'failed',
    expect.stringContaining('its own dates, which the review did not show'),
  ]);
  expect(datesOf(paused, section)).toEqual([start, end]);
  const third = await done(await planOf('active', course, people));
  dateOf(paused, section, null, end);
  expect(await undoOf(alma, third)).toMatchObject({
    totals: { rows: 0 },
    kept: [{ why: 'changed', who: [{ person: nameOf(paused.id), state: 'active, with different dates' }] }],
  });
});

test('a person added again after a removal, with other dates or without dates, counts as changed and is named', async () => {
  const course = campus.courseForRows(11);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(5, [course.id]);
  const [other, none, same, plain, paused] = people as [Person, Person, Person, Person, Person];
  for (const one of [other, none, same, plain]) campus.enrol(one.id, section, 3, 'active');
  const [start, end] = ['2027-02-01T00:00:00Z', '2027-03-01T00:00:00Z'];
  for (const one of [other, none, same]) dateOf(one, section, start, end);
  campus.enrol(paused.id, section, 3, 'inactive');
  dateOf(paused, section, start, null);
  const removed = await done(await planOf('deleted', course, people));
  const row = (one: Person, from: string, to: string, status = 'active') =>
    `${course.sis},${one.sis},3,${status},${from},${to}`;
  await campus.importOfOthers(
    [
      'course_id,user_id,role_id,status,start_date,end_date',
      row(other, '2027-02-02T00:00:00Z', end),
      row(none, '', ''),
      row(same, start, end),
      row(plain, '', ''),
      row(paused, '', end, 'inactive'),
    ].join('\n'),
  );
  expect(datesOf(other, section)).toEqual(['2027-02-02T00:00:00Z', end]);
  expect(datesOf(none, section)).toEqual([null, null]);
  expect(datesOf(same, section)).toEqual([start, end]);
  const before = await inCourse(course.id);
  const undo = await undoOf(alma, removed);
  expect(undo.totals).toMatchObject({ rows: 0 });
  const kept = undo.kept.flatMap(({ why, who }) =>
    who.map(({ person, state }) => `${why} ${person}: ${state}`),
  );
  expect(kept.sort()).toEqual(
    [
      `changed ${nameOf(other.id)}: active, with different dates`,
      `changed ${nameOf(none.id)}: active, with different dates`,
      `changed ${nameOf(paused.id)}: inactive, with different dates`,
    ].sort(),
  );
  expect(undo.totals.already).toBe(2);
  expect(await inCourse(course.id)).toEqual(before);
});

test('people who have since been confirmed by another import are left alone and named', async () => {
  const course = campus.courseForRows(10);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(2, [course.id]);
  const [confirmed, plain] = people as [Person, Person];
  const added = await done(await planOf('active', course, people));
  await campus.importOfOthers(`course_id,user_id,role_id,status\n${course.sis},${confirmed.sis},3,active`);
  const back = await undoOf(alma, added);
  expect(back).toMatchObject({
    totals: { remove: 1, rows: 1 },
    kept: [
      {
        why: 'changed',
        who: [{ person: nameOf(confirmed.id), state: 'active, changed since the import' }],
      },
    ],
  });
  expect((await done(back)).verdict).toBe('done');
  const state = (one: Person) => campus.stateOf(one.id, section.id, 3);
  expect([confirmed, plain].map(state)).toEqual(['active', 'deleted']);
});

test('people whom others removed and added again, or added and removed again, are left alone and named', async () => {
  const course = campus.courseForRows(12);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(4, [course.id]);
  const [again, plain, away, removed] = people as [Person, Person, Person, Person];
  for (const one of [away, removed]) campus.enrol(one.id, section, 3);
  const added = await done(await planOf('active', course, [again, plain]));
  const taken = await done(await planOf('deleted', course, [away, removed]));
  // The LMS stores times of changes to the second.
  campus.later(again, section, 3, ['deleted', 'active']);
  campus.later(away, section, 3, ['active', 'deleted']);
  const undo = [await undoOf(alma, added), await undoOf(alma, taken)] as const;
  const kept = (one: Person, state: string) => [
    { why: 'changed', people: 1, who: [{ person: nameOf(one.id), state }] },
  ];
  expect(undo[0]).toMatchObject({
    totals: { rows: 1 },
    kept: kept(again, 'active, changed since the import'),
  });
  expect(undo[1]).toMatchObject({
    totals: { rows: 1 },
    kept: kept(away, 'not enrolled, removed again since the import'),
  });
  for (const one of undo) expect((await done(one)).verdict).toBe('done');
  const state = (one: Person) => campus.stateOf(one.id, section.id, 3);
  expect([again, plain, away, removed].map(state)).toEqual(['active', 'deleted', 'deleted', 'active']);
});

test('repeated changes by others between the review and the sending of an undo are left alone and named', async () => {
  const course = campus.courseForRows(14);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(4, [course.id]);
  const [again, plain, away, removed] = people as [Person, Person, Person, Person];
  for (const one of [away, removed]) campus.enrol(one.id, section, 3);
  const added = await done(await planOf('active', course, [again, plain]));
  const taken = await done(await planOf('deleted', course, [away, removed]));
  const undo = [await undoOf(alma, added), await undoOf(alma, taken)] as const;
  expect(undo.map(({ totals }) => totals.rows)).toEqual([2, 2]);
  campus.later(again, section, 3, ['deleted', 'active']);
  campus.later(away, section, 3, ['active', 'deleted']);
  for (const [plan, who] of [
    [undo[0], again],
    [undo[1], away],
  ] as const) {
    const sent = await done(plan);
    expect([sent.verdict, sent.note]).toEqual([
      'partly',
      expect.stringMatching(
        `^${nameOf(who.id)} .* another import or someone in the LMS has changed the enrolment since the review`,
      ),
    ]);
  }
  const state = (one: Person) => campus.stateOf(one.id, section.id, 3);
  expect([again, plain, away, removed].map(state)).toEqual(['active', 'deleted', 'deleted', 'active']);
});

test('people who need no change when an undo is reviewed, but do when it is sent, are named: only a part is undone', async () => {
  const course = campus.courseForRows(13);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(2, [course.id]);
  const [changed] = people as [Person, Person];
  const added = await done(await planOf('active', course, people));
  campus.enrol(changed.id, section, 3, 'deleted');
  const undo = await undoOf(alma, added);
  expect(undo.totals).toMatchObject({ remove: 1, not_enrolled: 1 });
  campus.enrol(changed.id, section, 3, 'active');
  const back = await done(undo);
  expect([back.verdict, back.note]).toEqual([
    'partly',
    expect.stringContaining(`${nameOf(changed.id)} (${changed.sis}) was not enrolled in course`),
  ]);
  const { undone_by } = await jobOf(alma, added.id);
  expect(undone_by?.mark).toBe('partly');
});

test('two changed people with the same name are named with their SIS IDs', async () => {
  const course = campus.courseForRows(14);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(3, [course.id]);
  const [one, twin, third] = people as [Person, Person, Person];
  const { users } = ts.sandbox.world;
  users.change(users.must(twin.id), {
    name: nameOf(one.id),
    sortable_name: users.must(one.id).sortable_name,
  });
  const added = await done(await planOf('active', course, people));
  for (const { id } of people) campus.enrol(id, section, 3, 'completed');
  const { kept } = await undoOf(alma, added);
  expect(kept.flatMap(({ who }) => who.map(({ person }) => person)).sort()).toEqual(
    [`${nameOf(one.id)} (${one.sis})`, `${nameOf(one.id)} (${twin.sis})`, nameOf(third.id)].sort(),
  );
});
