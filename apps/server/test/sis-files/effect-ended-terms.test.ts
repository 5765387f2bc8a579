/**
 * Courses that rows move into a term that has ended or not yet started: people lose access, and the review
 * says so (SIS-06).
 */
import { beforeAll, expect, test } from 'vitest';
import { campus, openEffects, ts } from './effect-campus.ts';
import { LISTINGS, SECTIONS, sent } from './removals.ts';
import { zipOf } from './support.ts';

openEffects();

const HEADER = 'course_id,short_name,long_name,status,term_id,start_date,end_date';
const TERMS = 'term_id,name,status,start_date,end_date,date_override_enrollment_type';
const [LAST_YEAR, LONG_AGO, NEXT_YEAR] = ['2025-06-30', '2024-06-30', '2099-09-01'];

beforeAll(async () => {
  await sent(
    [
      TERMS,
      'ET-OPEN,Open,active,,,',
      `ET-OVER,Over,active,,${LAST_YEAR},`,
      `ET-OLD,Old,active,,${LONG_AGO},`,
      `ET-SOON,Soon,active,${NEXT_YEAR},,`,
      'ET-STUDENTS,Over for students,active,,,',
      `ET-STUDENTS,,active,,${LAST_YEAR},StudentEnrollment`,
      'ET-ENDS,Ends,active,,,',
    ].join('\n'),
  );
});

/** Moves a course to a term, with or without its own dates. */
function courseIn(term: string, index: number, end: string | null = null) {
  const { courses, terms } = ts.sandbox.world;
  const course = courses.must(campus.course(index).id);
  courses.change(course, {
    enrollment_term_id: terms.by.sis.get(term)?.id ?? 0,
    start_at: null,
    conclude_at: end,
    restrict_enrollments_to_course_dates: end !== null,
  });
  return (into: string, dates = ',') =>
    `${course.sis_source_id},"${course.course_code}","${course.name}",active,${into},${dates}`;
}

const notesOf = async (...rows: string[]) =>
  (await sent([HEADER, ...rows].join('\n'))).effect.notes.join(' ');
const OVER =
  /1 row puts a course into a term whose end date has passed \(2025-06-30\)\..*people have no access/;

test('SIS-06: an existing course moved to an ended term, and a new one there, are named', async () => {
  expect(await notesOf(courseIn('ET-OPEN', 2)('ET-OVER'))).toMatch(OVER);
  expect(await notesOf('ET-NEW,x,y,active,ET-OVER,,')).toMatch(OVER);
  expect(await notesOf('ET-NEW2,x,y,active,ET-OVER,,')).toContain('(2025-06-30). The course is "ET-NEW2". ');
  expect(await notesOf(courseIn('ET-OPEN', 2)('ET-OVER'), courseIn('ET-OPEN', 3)('ET-OLD'))).toMatch(
    /2 rows put courses into a term whose end date has passed \(latest: 2025-06-30\)\. The courses are "[^"]+", "[^"]+"\. /,
  );
  expect(await notesOf(courseIn('ET-OPEN', 4)('ET-STUDENTS'))).toMatch(OVER);
});

test('SIS-06: if the term does not matter, or had already ended before, the review says nothing', async () => {
  const none = /into a term|goes by a term/;
  expect(await notesOf(courseIn('ET-OPEN', 2, '2099-01-31T00:00:00Z')('ET-OVER'))).not.toMatch(none);
  expect(await notesOf(courseIn('ET-OPEN', 3)('ET-OVER', ',2099-01-31'))).not.toMatch(none);
  expect(await notesOf(courseIn('ET-OLD', 4)('ET-OVER'))).not.toMatch(none);
  expect(await notesOf(courseIn('ET-OVER', 5)('ET-OVER'))).not.toMatch(none);
  expect(await notesOf(courseIn('ET-OVER', 6)('ET-OPEN'))).not.toMatch(none);
  expect(await notesOf('ET-NEW-SOON,x,y,active,ET-SOON,,')).not.toMatch(none);
});

test('SIS-06: a course that loses its own dates follows its term, and one in a future term waits for it', async () => {
  expect(await notesOf(courseIn('ET-OVER', 2, '2099-01-31T00:00:00Z')('', '<delete>,<delete>'))).toMatch(
    /1 row removes the dates of a course, which then follows a term whose end date has passed \(2025-06-30\)/,
  );
  expect(await notesOf(courseIn('ET-OPEN', 3)('ET-SOON'))).toMatch(
    /1 row puts a course into a term that starts in the future \(2099-09-01\)\..*students have no access until then/,
  );
});

test('SIS-06: if the same upload gives the term dates, those apply', async () => {
  const row = courseIn('ET-OPEN', 2)('ET-ENDS');
  const { effect } = await sent(
    await zipOf({
      'terms.csv': `${TERMS}\nET-ENDS,Ends,active,,${LAST_YEAR},`,
      'courses.csv': `${HEADER}\n${row}`,
    }),
    'ends.zip',
  );
  expect(effect.notes.join(' ')).toMatch(OVER);
  expect(effect.notes.join(' ')).toMatch(/1 row sets the end date of a term to a day that has passed/);
});

test('SIS-06: a section moved to an ended course is named, unless its old course has ended too, or it has its own dates', async () => {
  const { sections } = ts.sandbox.world;
  const [over, other] = [campus.course(7), campus.course(8)];
  courseIn('ET-OVER', 7);
  courseIn('ET-OPEN', 8);
  const section = (id: string, course: string) => `${id},${course},${id},active`;
  const ids = ['ET-S1', 'ET-S2', 'ET-S3'];
  await sent([SECTIONS, ...ids.map((id) => section(id, other.sis))].join('\n'));
  const notes = async (content: string) => (await sent(content)).effect.notes.join(' ');
  const into =
    /1 row moves a section to a course that has ended \(2025-06-30\), because the end date of the course or of its term has passed\./;
  expect(await notes(`${SECTIONS}\n${section('ET-S1', over.sis)}`)).toMatch(into);
  expect(await notes(`${LISTINGS}\n${over.sis},ET-S2,active`)).toMatch(into);
  const own = sections.by.sis.get('ET-S3');
  if (own)
    sections.change(own, { end_at: '2099-01-01T00:00:00Z', restrict_enrollments_to_section_dates: true });
  expect(await notes(`${LISTINGS}\n${over.sis},ET-S3,active`)).not.toMatch(/that has ended|that have ended/);
  courseIn('ET-OVER', 8);
  expect(await notes(`${SECTIONS}\n${section('ET-S1', other.sis)}`)).not.toMatch(
    /that has ended|that have ended/,
  );
  expect(await notes(`${LISTINGS}\n${over.sis},ET-S2,deleted`)).not.toMatch(/that has ended|that have ended/);
});
