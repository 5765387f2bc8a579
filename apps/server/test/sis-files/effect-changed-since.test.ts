/**
 * Changes by others between review and sending: a row is not sent if it would now do something different from
 * the review (SIS-06).
 */
import { expect, test } from 'vitest';
import { submit, submitted, watch } from '../enrollments/campus.ts';
import { alma, campus, ENROL, openEffects, seated, ts, USERS } from './effect-campus.ts';
import { COURSES, observed, sectioned, students } from './removals.ts';
import { reviewed } from './support.ts';

openEffects();

/**
 * Reviews a file, makes a change, and submits the file, which must be rejected without anything being sent.
 */
async function refused(content: string, meanwhile: () => unknown): Promise<string> {
  const { id, effect } = await reviewed(alma, content);
  await meanwhile();
  const answer = await submit(alma, { file: id, deletions: effect.brake.confirm ?? undefined });
  expect(answer.status).toBe(409);
  expect(await campus.importsNamed(id)).toEqual([]);
  const { error } = await answer.json();
  expect(error.message).toContain('Nothing has been sent');
  return `${error.message} ${JSON.stringify(error.details)}`;
}

test('SIS-06: a person shown as new whose SIS ID now belongs to another person does not rename that person', async () => {
  const { pseudonyms } = ts.sandbox.world;
  const [stranger] = campus.strangers(1, []);
  const login = [...pseudonyms.values()].find((one) => one.user_id === stranger?.id);
  if (!login) throw new Error('nobody');
  const was = login.sis_user_id;
  const said = await refused(`${USERS}\nV15U,v15@x.example,New V15,active`, () =>
    pseudonyms.change(login, { sis_user_id: 'V15U' }),
  );
  expect(said).toContain('1 row of this file would not do what the review showed');
  expect(said).toMatch(/Row \d+ .*V15/);
  pseudonyms.change(login, { sis_user_id: was });
});

test('SIS-06: a course that matched its row and has been deleted since is not restored', async () => {
  const { courses } = ts.sandbox.world;
  const held = courses.must(campus.course(12).id);
  const before = held.workflow_state;
  const row = `${held.sis_source_id},"${held.course_code}","${held.name}",active`;
  await refused(`${COURSES}\n${row}`, () => courses.change(held, { workflow_state: 'deleted' }));
  expect(held.workflow_state).toBe('deleted');
  courses.change(held, { workflow_state: before });
});

test('SIS-06: an enrolment that needed no change and has been removed since does not become active again', async () => {
  const { enrollments } = ts.sandbox.world;
  const { course, places } = await seated(8);
  const [one] = places;
  const places8 = [...enrollments.by.course.get(course.id)].filter(({ user_id }) => user_id === one?.id);
  const set = (workflow_state: 'active' | 'deleted') => {
    for (const each of places8) enrollments.change(each, { workflow_state });
  };
  await refused(`${ENROL}\n${course.sis},${one?.section},${one?.sis},3,active`, () => set('deleted'));
  set('active');
});

test('SIS-06: a name that others have changed since is not overwritten, even if the import had to wait', async () => {
  const { courses } = ts.sandbox.world;
  const held = courses.must(campus.course(13).id);
  const row = `${held.sis_source_id},"${held.course_code}",Of the file,active`;
  const said = await refused(`${COURSES}\n${row}`, () => courses.change(held, { name: 'Of a colleague' }));
  expect(said).toContain('long_name');
  const { id } = await reviewed(alma, `${COURSES}\n${row}`);
  await campus.fault({ match: '/api/v1/accounts/1/sis_imports', kind: 'status', status: 503 });
  await submitted(alma, { file: id });
  courses.change(held, { name: 'Of another colleague' });
  await campus.clearFaults();
  const ended = await watch(alma, id);
  expect(ended.workflow_state).toBe('failed');
  expect(ended.processing_errors[0]?.[1]).toContain('would not do what the review showed');
  expect(held.name).toBe('Of another colleague');
});

test('SIS-06: if equal rows are sent once, the effect of the first one is compared as well', async () => {
  const { enrollments } = ts.sandbox.world;
  const { course, places } = await seated(11);
  const [one] = places;
  const theirs = [...enrollments.by.course.get(course.id)].filter(({ user_id }) => user_id === one?.id);
  const set = (workflow_state: 'active' | 'inactive' | 'completed') => {
    for (const each of theirs) enrollments.change(each, { workflow_state });
  };
  set('inactive');
  const row = `${course.sis},${one?.section},${one?.sis},3,active`;
  const { id } = await reviewed(alma, [ENROL, row, row].join('\n'));
  await campus.fault({ match: '/api/v1/accounts/1/sis_imports', kind: 'status', status: 503 });
  await submitted(alma, { file: id });
  set('completed');
  await campus.clearFaults();
  expect((await watch(alma, id)).processing_errors[0]?.[1]).toContain('would not do what the review showed');
  expect(theirs[0]?.workflow_state).toBe('completed');
  set('active');
});

/** Swaps the SIS IDs of two people, as a colleague correcting them would. */
function exchanged(one: number, other: number): void {
  const { pseudonyms } = ts.sandbox.world;
  const [a, b] = [one, other].map((user) => pseudonyms.by.user.get(user).find((login) => login.sis_user_id));
  if (!a || !b) throw new Error('nobody');
  const [first, second] = [a.sis_user_id, b.sis_user_id];
  pseudonyms.change(a, { sis_user_id: 'EXCHANGED' });
  pseudonyms.change(b, { sis_user_id: first });
  pseudonyms.change(a, { sis_user_id: second });
}

const statesOf = (course: number, user: number) =>
  ts.sandbox.world.enrollments.by.course
    .get(course)
    .filter(({ user_id }) => user_id === user)
    .map(({ workflow_state }) => workflow_state);

test('SIS-06: people whose SIS IDs were swapped are not removed or added in each other’s place', async () => {
  const { course, places } = await seated(9);
  const [one, two] = places;
  const leaving = `${ENROL}\n${course.sis},${one?.section},${one?.sis},3,deleted`;
  const swap = () => exchanged(one?.id ?? 0, two?.id ?? 0);
  expect(await refused(leaving, swap)).toMatch(/Row 2 .*now refers to another person/);
  expect([statesOf(course.id, one?.id ?? 0), statesOf(course.id, two?.id ?? 0)].flat()).not.toContain(
    'deleted',
  );
  swap();
  const [ann, bob] = campus.strangers(2, [course.id]);
  const joining = `${ENROL}\n${course.sis},,${ann?.sis},4,active`;
  expect(await refused(joining, () => exchanged(ann?.id ?? 0, bob?.id ?? 0))).toContain(
    'now refers to another person',
  );
  expect(statesOf(course.id, bob?.id ?? 0)).toEqual([]);
  const renamed = `type,old_id,new_id\nuser,${ann?.sis},CHANGED-SINCE`;
  expect(await refused(renamed, () => exchanged(ann?.id ?? 0, bob?.id ?? 0))).toContain('another user');
});

test('SIS-06: people are not enrolled in a course into which their section has been moved since', async () => {
  const { sections, enrollments } = ts.sandbox.world;
  const found = sectioned().at(4);
  const section = sections.must(found?.named[0]?.id ?? 0);
  const target = campus.course(5, 163);
  const [ann] = campus.strangers(1, [target.id]);
  const move = (course_id: number, nonxlist_course_id: number | null) => () => {
    sections.change(section, { course_id, nonxlist_course_id });
    for (const one of enrollments.by.section.get(section.id)) enrollments.change(one, { course_id });
  };
  const back = move(section.course_id, null);
  const home = section.course_id;
  const listed = `${ENROL}\n${found?.course.sis},${section.sis_source_id},${ann?.sis},3,active`;
  const named = target.name;
  expect(await refused(listed, move(target.id, home))).toContain(`applied in \\"${named}`);
  back();
  const alone = `section_id,user_id,role_id,status\n${section.sis_source_id},${ann?.sis},3,active`;
  expect(await refused(alone, move(target.id, null))).toContain('now applied in');
  back();
  expect(statesOf(target.id, ann?.id ?? 0)).toEqual([]);
});

test('SIS-06: an observer linked since, and a course concluded since, are named before anything is sent', async () => {
  const { courses } = ts.sandbox.world;
  const { course } = await seated(10);
  const [student] = (await students(campus.course(24).id)).filter(
    ({ id }) => statesOf(course.id, id).length === 0,
  );
  const row = `${ENROL}\n${course.sis},,${student?.sis},3,active`;
  const held = courses.must(course.id);
  const was = held.workflow_state;
  expect(await refused(row, () => courses.change(held, { workflow_state: 'completed' }))).toContain(
    'is concluded',
  );
  courses.change(held, { workflow_state: was });
  expect(await refused(row, () => observed(student?.id ?? 0, 6))).toContain('One linked observer');
  expect(statesOf(course.id, student?.id ?? 0)).toEqual([]);
});

test('SIS-06: in a file with very many rows, a row that was shown without effect is not sent if it would now remove a person', async () => {
  const { enrollments, pseudonyms } = ts.sandbox.world;
  const { course, places } = await seated(17);
  const [out] = places;
  const section = out?.section ?? '';
  const ids = new Set([...pseudonyms.values()].flatMap(({ sis_user_id }) => sis_user_id ?? []));
  const known = [...ids].slice(0, 4_000);
  const nobody = Array.from({ length: 5_001 - known.length }, (_, at) => `NOBODY-${at}`);
  const rows = [...known, ...nobody].map((sis) => `${course.sis},${section},${sis},3,deleted`);
  const { id, effect } = await reviewed(alma, [ENROL, ...rows].join('\n'));
  // Others have removed one person and added another: the confirmed number stays the same.
  const left = [...enrollments.by.course.get(course.id)].find(
    ({ user_id, workflow_state }) => user_id === out?.id && workflow_state === 'active',
  );
  const stranger = campus.strangers(60, [course.id]).find(({ sis }) => known.includes(sis));
  if (!left || !stranger) throw new Error('nobody');
  enrollments.change(left, { workflow_state: 'deleted' });
  campus.enrol(stranger.id, { id: left.course_section_id, course_id: course.id }, 3);
  await submitted(alma, { file: id, deletions: effect.brake.confirm ?? undefined });
  const ended = await watch(alma, id);
  expect(ended.workflow_state).toBe('failed');
  expect(ended.processing_errors[0]?.[1]).toContain('would not do what the review showed');
  expect(campus.stateOf(stranger.id, left.course_section_id, 3)).toBe('active');
});
