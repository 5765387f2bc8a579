/** A row with dates limits access to these dates, even if they are the current ones (SIS-06). */
import { expect, test } from 'vitest';
import { alma, campus, openEffects, ts } from './effect-campus.ts';
import { sectioned, sent } from './removals.ts';
import { effectRows } from './support.ts';

openEffects();

const PAST = '2026-01-31T00:00:00Z';
const BETWEEN = 'access only between these dates';
const SHUT = /The LMS then gives access only between these dates, and the end date has passed \(2026-01-31\)/;

const only = async (content: string, table: 'course' | 'section') => {
  const { id, effect } = await sent(content);
  const { rows } = await effectRows(alma, id, { table });
  return { row: rows[0], notes: effect.notes.join() };
};

test('SIS-06: a course row with the current dates changes who has access, and says so', async () => {
  const { courses } = ts.sandbox.world;
  const course = courses.must(campus.course(2).id);
  courses.change(course, { start_at: null, conclude_at: PAST, restrict_enrollments_to_course_dates: false });
  const rowOf = (start: string, end: string) =>
    `course_id,short_name,long_name,status,start_date,end_date\n${course.sis_source_id},"${course.course_code}","${course.name}",active,${start},${end}`;
  const plain = await only(rowOf('', ''), 'course');
  expect(plain.row).toMatchObject({ does: 'nothing', fields: [] });
  const same = await only(rowOf('', PAST), 'course');
  expect(same.row).toMatchObject({ does: 'changes', fields: [[BETWEEN, 'no', 'yes']] });
  expect(same.notes).toMatch(SHUT);
  expect(course.restrict_enrollments_to_course_dates).toBe(true);
  const again = await only(rowOf('', PAST), 'course');
  expect(again.row).toMatchObject({ does: 'nothing' });
  expect(again.notes).not.toMatch(SHUT);
  const cleared = await only(rowOf('<delete>', '<delete>'), 'course');
  expect(cleared.row?.fields).toEqual([
    ['end_date', PAST, null],
    [BETWEEN, 'yes', 'no'],
  ]);
  expect(course.restrict_enrollments_to_course_dates).toBe(false);
});

test('SIS-06: with only a start date, an old end date still applies; a new end date in the past also removes access', async () => {
  const { courses } = ts.sandbox.world;
  const course = courses.must(campus.course(3).id);
  const rowOf = (start: string, end: string) =>
    `course_id,short_name,long_name,status,start_date,end_date\n${course.sis_source_id},"${course.course_code}","${course.name}",active,${start},${end}`;
  courses.change(course, { start_at: null, conclude_at: PAST, restrict_enrollments_to_course_dates: false });
  expect((await only(rowOf('2026-01-01', ''), 'course')).notes).toMatch(SHUT);
  courses.change(course, { restrict_enrollments_to_course_dates: false });
  expect((await only(rowOf('', '2026-01-30'), 'course')).notes).toMatch(
    /1 row sets the end date of a course to a day that has passed/,
  );
});

test('SIS-06: a section row with dates limits access, and a row without dates removes the limit', async () => {
  const [found] = sectioned();
  const { sections } = ts.sandbox.world;
  const section = sections.must(found?.named[0]?.id ?? 0);
  sections.change(section, { end_at: PAST, restrict_enrollments_to_section_dates: false });
  const rowOf = (end: string) =>
    `section_id,course_id,name,status,end_date\n${section.sis_source_id},${found?.course.sis},"${section.name}",active,${end}`;
  const same = await only(rowOf(PAST), 'section');
  expect(same.row).toMatchObject({ does: 'changes', fields: [[BETWEEN, 'no', 'yes']] });
  expect(same.notes).toMatch(SHUT);
  expect(section.restrict_enrollments_to_section_dates).toBe(true);
  const open = await only(rowOf(''), 'section');
  expect(open.row?.fields).toEqual([
    ['end_date', PAST, null],
    [BETWEEN, 'yes', 'no'],
  ]);
});
