/** Observers linked to a student join a course with the student. No row names them, so the review does (SIS-06). */
import { expect, test } from 'vitest';
import { alma, campus, ENROL, openEffects, ts } from './effect-campus.ts';
import { COURSES, observed, sectioned, sent, students } from './removals.ts';
import { doing, effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const COMES = /One linked observer is enrolled too\./;

/** Returns the states of a person's enrolments in a course in the LMS. */
const statesIn = (course: number, person: number) =>
  ts.sandbox.world.enrollments.by.user
    .get(person)
    .flatMap((one) => (one.course_id === course ? [one.workflow_state] : []));

test('SIS-06: an observer joins with a new enrolment of the student', async () => {
  const { course } = sectioned()[0] ?? {};
  if (!course) throw new Error('no course');
  const [student] = campus.strangers(1, [course.id]);
  if (!student) throw new Error('nobody');
  const observer = observed(student.id, 0);
  const { id, effect } = await sent(`${ENROL}\n${course.sis},,${student.sis},3,active`);
  expect(doing(effect, 'enrollment')).toEqual({ creates: 1 });
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows[0]?.why).toMatch(COMES);
  expect(effect.notes.join()).toMatch(/1 enrolment of observers is also added or made active again/);
  expect(statesIn(course.id, observer.id)).toEqual(['active']);
});

test('SIS-06: an observer joins with an enrolment that becomes active again, but not with an unchanged one or a teacher’s', async () => {
  const { course } = sectioned()[1] ?? {};
  if (!course) throw new Error('no course');
  const [student] = await students(course.id);
  if (!student) throw new Error('nobody');
  const observer = observed(student.id, 1);
  const row = (status: string, role = 3) =>
    `${course.sis},${student.section},${student.sis},${role},${status}`;
  const out = await sent(`${ENROL}\n${row('inactive')}`);
  expect(out.lost.takes).toEqual([{ kind: 'enrollment', count: 2 }]);
  const teacher = await sent(`${ENROL}\n${row('active', 4)}`);
  expect(teacher.effect.notes.join()).not.toMatch(/observers/);
  expect(statesIn(course.id, observer.id)).toEqual(['inactive']);
  const { id } = await sent(`${ENROL}\n${row('active')}`);
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows[0]?.why).toMatch(COMES);
  expect(statesIn(course.id, observer.id)).toEqual(['active']);
  const again = await sent(`${ENROL}\n${row('active')}`);
  expect(again.effect.notes.join()).not.toMatch(/observers/);
  // The same person's enrolment as a teacher adds no observer.
  const { lost } = await sent(`${ENROL}\n${row('deleted', 4)}`);
  expect(lost.takes).toEqual([{ kind: 'enrollment', count: 1 }]);
});

test('SIS-06: an observer joins with a second section of the same course, and again once the student is active in it again', async () => {
  const { course, named } = sectioned()[3] ?? {};
  const [second] = named ?? [];
  const [student] = campus.strangers(11, [course?.id ?? 0]).slice(-1);
  if (!course || !second || !student) throw new Error('no course with a second section');
  const observer = observed(student.id, 3);
  const row = (section: string, status: string) =>
    `${ENROL}\n${course.sis},${section},${student.sis},3,${status}`;
  await sent(row('', 'active'));
  for (const does of ['creates', 'restores']) {
    const { id, effect } = await sent(row(second.sis, 'active'));
    expect(doing(effect, 'enrollment')).toEqual({ [does]: 1 });
    const { rows } = await effectRows(alma, id, { table: 'enrollment' });
    expect(rows[0]?.why).toMatch(COMES);
    expect(effect.notes.join()).toMatch(/1 enrolment of observers is also added or made active again/);
    expect(statesIn(course.id, observer.id)).toEqual(['active', 'active']);
    const { lost } = await sent(row(second.sis, 'completed'));
    expect(lost.takes).toEqual([{ kind: 'enrollment', count: 2 }]);
  }
});

test('SIS-06: an observer who joins and leaves by later rows of the file is not mentioned', async () => {
  const { course } = sectioned()[2] ?? {};
  const [student] = campus.strangers(5, [course?.id ?? 0]).slice(-1);
  if (!course || !student) throw new Error('nobody');
  observed(student.id, 2);
  const { effect } = await sent(
    `${ENROL}\n${course.sis},,${student.sis},3,active\n${course.sis},,${student.sis},3,deleted`,
  );
  expect(doing(effect, 'enrollment')).toEqual({ nothing: 2 });
  expect(effect.notes.join()).not.toMatch(/observers/);
});

test('SIS-06: a new link states how many courses the student has, and the observer joins each of them', async () => {
  const { world } = ts.sandbox;
  const { course } = sectioned()[0] ?? {};
  if (!course) throw new Error('no course');
  const [student] = await students(course.id);
  const [observer] = campus.strangers(9, [course.id]).slice(-1);
  if (!student || !observer) throw new Error('nobody');
  const active = world.enrollments.by.user
    .get(student.id)
    .filter((one) => one.workflow_state === 'active' && one.type === 'StudentEnrollment');
  const { id, effect } = await sent(`observer_id,student_id,status\n${observer.sis},${student.sis},active`);
  const { rows } = await effectRows(alma, id, { table: 'user_observer' });
  const courses = new Set(active.map((one) => one.course_id));
  const came = cameFor(observer.id, student.id);
  expect(new Set(came.map((one) => one.course_id))).toEqual(courses);
  expect(rows[0]?.why).toContain(
    `The student is in ${courses.size} ${courses.size === 1 ? 'course' : 'courses'} after this upload: `,
  );
  tellsAll(rows[0]?.why, effect.notes, came);
});

test('SIS-06: a new link also counts and names the courses in which the same zip enrols the student', async () => {
  const [there, other] = sectioned();
  if (!there || !other) throw new Error('no courses');
  const [student] = campus.strangers(7, [there.course.id, other.course.id]).slice(-1);
  const [observer] = campus.strangers(12, [there.course.id, other.course.id]).slice(-1);
  if (!student || !observer) throw new Error('nobody');
  await sent(`${ENROL}\n${there.course.sis},,${student.sis},3,active`);
  const { id, effect } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\nOBS-NEW,on,New,active`,
      'users.csv':
        'user_id,login_id,full_name,status\nOBS-P,obs-p@northbridge.example,Pat New,active\nOBS-S,obs-s@northbridge.example,Sam New,active',
      'enrollments.csv': [
        ENROL,
        `${other.course.sis},,${student.sis},3,active`,
        `OBS-NEW,,${student.sis},3,active`,
        'OBS-NEW,,OBS-S,3,active',
        // No observer follows a teacher.
        'OBS-NEW,,OBS-S,4,active',
      ].join('\n'),
      'observers.csv': `observer_id,student_id,status\n${observer.sis},${student.sis},active\nOBS-P,OBS-S,active`,
    }),
    'observers.zip',
  );
  const { rows } = await effectRows(alma, id, { table: 'user_observer' });
  const personOf = (sis: string) => ts.sandbox.world.pseudonyms.by.sis.get(sis)?.user_id ?? 0;
  const [came, cameNew] = [cameFor(observer.id, student.id), cameFor(personOf('OBS-P'), personOf('OBS-S'))];
  expect(cameNew).toHaveLength(1);
  const whyOf = (sis: string) => rows.find((row) => row.of.id === sis)?.why;
  tellsAll(whyOf(observer.sis), [], came);
  tellsAll(whyOf('OBS-P'), [], cameNew);
  expect(effect.notes).toContainEqual(
    expect.stringContaining(
      `${came.length + cameNew.length} enrolments of observers are also added, because this upload links`,
    ),
  );
});

/** Lists active enrolments of a person as observer of a student. */
function cameFor(observer: number, student: number) {
  return ts.sandbox.world.enrollments.by.user
    .get(observer)
    .filter((one) => one.associated_user_id === student && one.workflow_state === 'active');
}

/** Checks that the row counts and names exactly the changes that the LMS then made. */
function tellsAll(
  why: string | null | undefined,
  notes: readonly string[],
  came: ReturnType<typeof cameFor>,
) {
  const counted = `${came.length} ${came.length === 1 ? 'enrolment' : 'enrolments'}`;
  expect(why).toContain(`The LMS therefore adds ${counted} for the observer.`);
  if (notes.length > 0) expect(notes.join()).toContain(`${counted} of observers`);
  const named = [...new Set(came.map((one) => ts.sandbox.world.courses.must(one.course_id).sis_source_id))];
  expect(named.length).toBeLessThanOrEqual(5);
  for (const sis of named) expect(why).toContain(`"${sis}"`);
}

test('SIS-06: if the observers of students are unknown, the students are counted as people, however many courses they join', async () => {
  const [one, two] = sectioned();
  const [student] = campus.strangers(6, [one?.course.id ?? 0, two?.course.id ?? 0]).slice(-1);
  await campus.fault({ match: '/api/v1/users/*/observers', kind: 'status', status: 500 });
  const { effect } = await reviewed(
    alma,
    `${ENROL}\n${one?.course.sis},,${student?.sis},3,active\n${two?.course.sis},,${student?.sis},3,active`,
  );
  expect(effect.notes).toContainEqual(
    expect.stringMatching(/does not know the observers of 1 student who is added to a course/),
  );
});

test('SIS-06: an observer who is deleted, but returns to the courses through another observer of the student, loses only other places', async () => {
  const { world } = ts.sandbox;
  const { course } = sectioned()[4] ?? { course: { id: 0, sis: '' } };
  const [student] = await students(course.id);
  const [one, two] = [observed(student?.id ?? 0, 5), observed(student?.id ?? 0, 6)];
  const login = world.pseudonyms.by.sis.get(two.sis)?.unique_id;
  const own = world.enrollments.by.user
    .get(two.id)
    .filter((each) => each.associated_user_id === null && each.workflow_state !== 'deleted');
  const { lost, id } = await sent(
    await zipOf({
      'users.csv': `user_id,login_id,status\n${two.sis},${login},deleted`,
      'observers.csv': `observer_id,student_id,status\n${one.sis},${student?.sis},active`,
    }),
    'observers.zip',
  );
  expect(lost.takes).toEqual([
    { kind: 'user', count: 1 },
    { kind: 'enrollment', count: own.length },
  ]);
  const { rows } = await effectRows(alma, id, { table: 'user_observer' });
  expect(rows).toMatchObject([
    { does: 'restores', why: expect.stringContaining('for this other observer, whose enrolments') },
  ]);
});

test('SIS-06: an observer becomes active again with a student in a course that the same zip concludes, and loses nothing', async () => {
  const { course } = sectioned()[5] ?? { course: { id: 0, sis: '', name: '' } };
  const [student] = await students(course.id);
  const observer = observed(student?.id ?? 0, 7);
  const { id, effect } = await sent(
    await zipOf({
      'courses.csv': `${COURSES}\n${course.sis},x,${course.name},completed`,
      'enrollments.csv': `${ENROL}\n${course.sis},${student?.section},${student?.sis},3,active`,
    }),
    'again.zip',
  );
  expect(doing(effect, 'enrollment')).toEqual({ restores: 1 });
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows[0]?.why).toMatch(COMES);
  expect(statesIn(course.id, observer.id)).toEqual(['active']);
});

test('SIS-06: for every role except observer, the LMS ignores the student whom a row names', async () => {
  const { course } = sectioned()[6] ?? { course: { id: 0, sis: '' } };
  const [one, two, three] = campus.strangers(14, [course.id]).slice(-3);
  const row = (who: typeof one, role: string, student = '') =>
    `${course.sis},,${who?.sis},${role},active,${student}`;
  const rows = [
    row(one, '3', 'NOBODY-1'),
    row(two, '3', two?.sis),
    row(three, '4', two?.sis),
    row(three, '4'),
    row(one, '7', 'NOBODY-1'),
  ];
  const { id, effect } = await sent(`${ENROL},associated_user_id\n${rows.join('\n')}`);
  expect(doing(effect, 'enrollment')).toEqual({ creates: 3, nothing: 1, fails: 1 });
  const { rows: shown } = await effectRows(alma, id, { table: 'enrollment', does: 'fails' });
  expect(shown.map(({ row: number }) => number)).toEqual([6]);
  for (const who of [one, two, three]) expect(statesIn(course.id, who?.id ?? 0)).toEqual(['active']);
});

test("SIS-06: an observer whose link an earlier row deletes does not come back through another observer's row", async () => {
  const { course } = sectioned()[0] ?? { course: { id: 0, sis: '' } };
  const student = (await students(course.id)).at(-1);
  const [one, two] = [observed(student?.id ?? 0, 8), observed(student?.id ?? 0, 9)];
  const { id, lost } = await sent(
    [
      'observer_id,student_id,status',
      `${two.sis},${student?.sis},deleted`,
      `${one.sis},${student?.sis},active`,
    ].join('\n'),
  );
  expect(lost.takes.map(({ kind }) => kind)).toEqual(['enrollment', 'user_observer']);
  const { rows } = await effectRows(alma, id, { table: 'user_observer' });
  expect(rows[1]).toMatchObject({ row: 3, does: 'nothing' });
  expect(rows[1]?.why).not.toContain('other observers');
});

test('SIS-06: enrolments through a link that a later row deletes again are not counted as added', async () => {
  const { course } = sectioned()[1] ?? { course: { id: 0, sis: '' } };
  const student = (await students(course.id)).at(-2);
  const [observer] = campus.strangers(17, [course.id]).slice(-1);
  const row = (status: string) => `${observer?.sis},${student?.sis},${status}`;
  const { effect } = await sent(`observer_id,student_id,status\n${row('active')}\n${row('deleted')}`);
  expect(doing(effect, 'user_observer')).toEqual({ creates: 1, removes: 1 });
  expect(effect.notes.join()).not.toContain('observers');
  expect(statesIn(course.id, observer?.id ?? 0)).toEqual(['deleted']);
});
