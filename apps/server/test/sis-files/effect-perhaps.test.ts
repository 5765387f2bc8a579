/**
 * Rows that the LMS may reject or carry out are counted, confirmed and approved as if they were carried out
 * (SIS-06).
 */
import { expect, test } from 'vitest';
import { submit, submitted, watch } from '../enrollments/campus.ts';
import { alma, ENROL, openEffects, seated, ts } from './effect-campus.ts';
import { lookAt, lostBetween } from './lost.ts';
import { COURSES, fullCourse, LISTINGS, observed, SECTIONS, sectioned, sent, students } from './removals.ts';
import { doing, effectRows, reviewed, zipOf } from './support.ts';

openEffects();

const INTO = 'course_id,short_name,long_name,account_id,status';

/** Creates and deletes an account, and returns its SIS ID. */
async function deletedAccount(sisId: string): Promise<string> {
  const header = 'account_id,parent_account_id,name,status';
  await sent(`${header}\n${sisId},,Old office,active`);
  await sent(`${header}\n${sisId},,Old office,deleted`);
  return sisId;
}

test('SIS-06: if courses end because rows name a deleted account, everything that ends with them is counted, by course', async () => {
  const account = await deletedAccount('OLD-1');
  const full = await fullCourse(0);
  const [, second, third] = sectioned();
  const row = (course: { sis: string; name: string } | undefined, status: string) =>
    `${course?.sis},x,${course?.name},${account},${status}`;
  const { id, effect, lost } = await sent(
    `${INTO}\n${row(full.course, 'deleted')}\n${row(second?.course, 'deleted')}`,
  );
  expect(effect.brake.uncompared).toEqual(effect.brake.takes);
  expect(lost.takes.map(({ kind }) => kind)).toEqual(['course', 'enrollment', 'group_membership']);
  const { rows } = await effectRows(alma, id, { table: 'course' });
  expect(rows.map(({ does }) => does)).toEqual(['unknown', 'unknown']);
  expect(rows[0]?.takes).toMatch(/^with \d+ enrolments and \d+ group memberships$/);
  expect(rows[0]?.why).toContain('If this account never existed, the LMS rejects the row.');
  const concluded = await sent(`${INTO}\n${row(third?.course, 'completed')}`);
  expect(concluded.lost.takes.map(({ kind }) => kind)).toEqual(['course', 'enrollment']);
  // The course is already concluded, so nothing more is lost.
  expect((await sent(`${INTO}\n${row(third?.course, 'completed')}`)).effect.brake.takes).toEqual([]);
});

test('SIS-06: an enrolment that also ends by its own row is counted once in such a course', async () => {
  const account = await deletedAccount('OLD-2');
  const { course } = sectioned()[0] ?? { course: { id: 0, sis: '', name: '' } };
  const [student] = await students(course.id);
  await sent(
    await zipOf({
      'courses.csv': `${INTO}\n${course.sis},x,${course.name},${account},deleted`,
      'enrollments.csv': `${ENROL}\n${course.sis},${student?.section},${student?.sis},3,deleted`,
    }),
    'both.zip',
  );
});

test('SIS-06: a row that names a deleted account is not shown as rejected; the review shows its values and dates', async () => {
  const account = await deletedAccount('OLD-3');
  const { course } = sectioned()[0] ?? { course: { id: 0, sis: '', name: '' } };
  const { id, effect } = await sent(
    `${INTO},start_date,end_date\n${course.sis},REN,Renamed course,${account},active,2020-09-01,2020-10-01`,
  );
  expect(doing(effect, 'course')).toEqual({ unknown: 1 });
  expect(effect.not_found).toBe(1);
  expect(effect.notes.join(' ')).toMatch(/end date/);
  const { rows } = await effectRows(alma, id, { table: 'course' });
  expect(rows[0]?.problems).toEqual([
    { column: 'account_id', message: `The LMS has no account "${account}".` },
  ]);
  const named = rows[0]?.fields.find(([field]) => field === 'long_name');
  expect(named?.[2]).toBe('Renamed course');
  expect(ts.sandbox.world.courses.must(course.id).name).toBe('Renamed course');
});

test('SIS-06: if a section of a deleted course is cross-listed into a mistyped one, the new course has to be allowed', async () => {
  const { world } = ts.sandbox;
  const found = sectioned()[0];
  const section = found?.named[0];
  await sent(`${COURSES}\n${found?.course.sis},x,${found?.course.name},deleted`);
  const { id, effect } = await reviewed(alma, `${LISTINGS}\nMISTYPED,${section?.sis},active`);
  expect(doing(effect, 'xlist')).toEqual({ unknown: 1 });
  expect(effect.new_courses).toEqual([{ sis_course_id: 'MISTYPED', name: '', sections: 1, enrolments: 0 }]);
  expect(effect.brake.takes).toEqual([]);
  expect((await submit(alma, { file: id })).status).toBe(400);
  const before = lookAt(world);
  await watch(alma, (await submitted(alma, { file: id, new_courses: ['MISTYPED'] })).id);
  expect(world.courses.by.sis.get('MISTYPED')?.workflow_state).toBe('claimed');
  expect(lostBetween(before, lookAt(world), world).takes).toEqual([]);
});

test('SIS-06: linked observers who leave a default section that could not be determined are counted', async () => {
  const { world } = ts.sandbox;
  for (const [at, status] of ['deleted', 'inactive'].entries()) {
    const { course, places } = await seated(at);
    const section = world.sections.by.course.get(course.id).find((each) => each.default_section);
    const student = places.find(({ section: named }) => named === '');
    if (!section || !student) throw new Error('the campus has no such course');
    for (const index of [0, 1, 2]) observed(student.id, 10 + at * 3 + index);
    world.sections.change(section, { name: 'Renamed' });
    const { id, effect } = await reviewed(alma, `${ENROL}\n${course.sis},,${student.sis},3,${status}`);
    expect(doing(effect, 'enrollment')).toEqual({ unknown: 1 });
    const { confirm, takes } = effect.brake;
    expect(takes).toContainEqual({ kind: 'enrollment', count: 4 });
    const before = lookAt(world);
    await watch(alma, (await submitted(alma, { file: id, deletions: confirm ?? 0 })).id);
    expect(lostBetween(before, lookAt(world), world).takes).toEqual(takes);
    const { rows } = await effectRows(alma, id, { table: 'enrollment' });
    expect(rows[0]?.takes).toBe('with 3 observers');
  }
});

test('SIS-06: a cross-listing into a course that an earlier row creates only if its section was deleted may stay in the LMS, and is counted', async () => {
  const { world } = ts.sandbox;
  const [first, second] = sectioned().slice(-2);
  const [section] = first?.named ?? [];
  await sent(`${LISTINGS}\n${second?.course.sis},${section?.sis},active`);
  await sent(`${SECTIONS}\nMAYBE-S,${second?.course.sis},x,active`);
  await sent(`${SECTIONS}\nMAYBE-S,${second?.course.sis},x,deleted`);
  const rows = (hidden: string) => `${LISTINGS}\nMAYBE-C,${hidden},active\nMAYBE-C,${section?.sis},deleted`;
  const { id, effect } = await reviewed(alma, rows('MAYBE-S'));
  expect(doing(effect, 'xlist')).toEqual({ unknown: 2 });
  expect(effect.brake.takes).toContainEqual({ kind: 'section', count: 1 });
  const shown = await effectRows(alma, id, { table: 'xlist' });
  expect(shown.rows[1]?.why).toContain(
    'If the course "MAYBE-C" exists after the earlier rows, nothing changes.',
  );
  const typed = { file: id, deletions: effect.brake.confirm ?? undefined, new_courses: ['MAYBE-C'] };
  await watch(alma, (await submitted(alma, typed)).id);
  expect(world.sections.by.sis.get(section?.sis ?? '')?.course_id).toBe(second?.course.id);
});
