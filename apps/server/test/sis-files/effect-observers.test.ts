/** Observers who are linked to a student come into a course with the student: no row names them, so the review does (SIS-06). */
import { expect, test } from 'vitest';
import { alma, campus, ENROL, openEffects, ts } from './effect-campus.ts';
import { COURSES, observed, sectioned, sent, students } from './removals.ts';
import { doing, effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const COMES = /One linked observer is enrolled, too\./;

/** What the LMS holds of someone in a course. */
const statesIn = (course: number, person: number) =>
  ts.sandbox.world.enrollments.by.user
    .get(person)
    .flatMap((one) => (one.course_id === course ? [one.workflow_state] : []));

test('SIS-06: with a new enrolment of the student', async () => {
  const { course } = sectioned()[0] ?? {};
  if (!course) throw new Error('no course');
  const [student] = campus.strangers(1, [course.id]);
  if (!student) throw new Error('nobody');
  const observer = observed(student.id, 0);
  const { id, effect } = await sent(`${ENROL}\n${course.sis},,${student.sis},3,active`);
  expect(doing(effect, 'enrollment')).toEqual({ creates: 1 });
  const { rows } = await effectRows(alma, id, { table: 'enrollment' });
  expect(rows[0]?.why).toMatch(COMES);
  expect(effect.notes.join()).toMatch(/1 enrolment of observers is added or active again/);
  expect(statesIn(course.id, observer.id)).toEqual(['active']);
});

test('SIS-06: with an enrolment that becomes active again; not with one that stays, nor with a teacher', async () => {
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
  // The teacher's place of the same person takes no one along.
  const { lost } = await sent(`${ENROL}\n${row('deleted', 4)}`);
  expect(lost.takes).toEqual([{ kind: 'enrollment', count: 1 }]);
});

test('SIS-06: with a second section of the same course, and again when the student is active in it again', async () => {
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
    expect(effect.notes.join()).toMatch(/1 enrolment of observers is added or active again/);
    expect(statesIn(course.id, observer.id)).toEqual(['active', 'active']);
    const { lost } = await sent(row(second.sis, 'completed'));
    expect(lost.takes).toEqual([{ kind: 'enrollment', count: 2 }]);
  }
});

test('SIS-06: one who comes in and leaves by later rows of the file is not told', async () => {
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

test('SIS-06: a new link tells in how many courses the student is: the observer comes into each of them', async () => {
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

test('SIS-06: a new link counts and names the courses in which the same zip enrols the student, too', async () => {
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
        // Nobody follows a teacher.
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
      `${came.length + cameNew.length} enrolments of observers are added, too: this upload links`,
    ),
  );
});

/** Active enrolments of someone as the observer of a student. */
function cameFor(observer: number, student: number) {
  return ts.sandbox.world.enrollments.by.user
    .get(observer)
    .filter((one) => one.associated_user_id === student && one.workflow_state === 'active');
}

/** The row counts and names what the LMS then did. */
function tellsAll(
  why: string | null | undefined,
  notes: readonly string[],
  came: ReturnType<typeof cameFor>,
) {
  const counted = `${came.length} ${came.length === 1 ? 'enrolment' : 'enrolments'} of`;
  expect(why).toContain(`This adds ${counted} the observer.`);
  if (notes.length > 0) expect(notes.join()).toContain(`${counted} observers`);
  const named = [...new Set(came.map((one) => ts.sandbox.world.courses.must(one.course_id).sis_source_id))];
  expect(named.length).toBeLessThanOrEqual(5);
  for (const sis of named) expect(why).toContain(`"${sis}"`);
}

test('SIS-06: students whose observers are not known are counted as people, however many courses they come into', async () => {
  const [one, two] = sectioned();
  const [student] = campus.strangers(6, [one?.course.id ?? 0, two?.course.id ?? 0]).slice(-1);
  await campus.fault({ match: '/api/v1/users/*/observers', kind: 'status', status: 500 });
  const { effect } = await reviewed(
    alma,
    `${ENROL}\n${one?.course.sis},,${student?.sis},3,active\n${two?.course.sis},,${student?.sis},3,active`,
  );
  expect(effect.notes).toContainEqual(expect.stringMatching(/^Of 1 student who comes into a course/));
});
