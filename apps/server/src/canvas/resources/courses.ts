/** Courses of the LMS. */
import {
  type Course,
  type CourseDetails,
  courseDetails,
  course as courseOfContract,
} from '@lms-admin/contract/canvas-objects';
import { z } from 'zod';
import { answered, one, pages, type Query, type Reader, walked } from './reading.ts';

const id = z.number().int().positive();
const perhaps = z.string().nullish();
const text = perhaps.transform((value) => value ?? null);

/** With all that a file of courses can say. */
const course = z.object({
  id,
  name: z.string(),
  course_code: text,
  workflow_state: z.string(),
  account_id: id,
  enrollment_term_id: id,
  start_at: text,
  end_at: text,
  sis_course_id: text,
  integration_id: text,
  course_format: text,
  grade_passback_setting: text,
  homeroom_course: z.boolean().nullish(),
  friendly_name: text,
  blueprint: z.boolean().nullish(),
  restrict_enrollments_to_course_dates: z.boolean().nullish(),
});
export type LmsCourse = z.output<typeof course>;

const zoned = z.object({ sis_course_id: text, time_zone: text });
const named = z.object({ name: z.string(), sis_course_id: text });
const everSection = z.object({ id, name: z.string(), start_at: text, end_at: text });
const withSections = z.object({ sections: z.array(everSection).nullish() });

/** Courses of one page of a search. */
const PER_PAGE = 100;

/** A course with its term; a deleted one is not found. @param segment its number, or its SIS ID by `sisSegment` @throws CanvasError */
export function courseAt(reader: Reader, segment: string | number): Promise<Course> {
  return one(reader, `courses/${segment}`, courseOfContract, [['include[]', 'term']]);
}

/** A course with the number of its students. @throws CanvasError */
export function courseWithCount(reader: Reader, number: number): Promise<CourseDetails> {
  return one(reader, `courses/${number}`, courseDetails, [['include[]', 'total_students']]);
}

/** A course, deleted ones too, with all that a file can say of it. @param segment as for `courseAt` @throws CanvasError */
export function everCourse(reader: Reader, segment: string | number): Promise<LmsCourse> {
  return one(reader, `courses/${segment}`, course, [['include[]', 'all_courses']]);
}

/** What a course is called. @throws CanvasError */
export function courseName(reader: Reader, number: number): Promise<z.output<typeof named>> {
  return one(reader, `courses/${number}`, named);
}

/** In which zone a course is shown; null where it has none of its own. @throws CanvasError */
export function courseZone(reader: Reader, number: number): Promise<z.output<typeof zoned>> {
  return one(reader, `courses/${number}`, zoned);
}

/** All sections that a course ever had, deleted ones too. @throws CanvasError */
export async function everSections(reader: Reader, number: number): Promise<z.output<typeof everSection>[]> {
  return (await one(reader, `courses/${number}`, withSections, [['include[]', 'sections']])).sections ?? [];
}

/**
 * Courses of an account and those below it, by a part of their name, code or SIS ID.
 * @returns the first of them, and whether there may be more
 * @throws CanvasError
 */
export async function coursesNamed(
  reader: Reader,
  account: number,
  search: string,
): Promise<{ courses: Course[]; more: boolean }> {
  const query: Query = [
    ['search_term', search],
    ['include[]', 'term'],
    ['per_page', String(PER_PAGE)],
  ];
  const courses = await one(reader, `accounts/${account}/courses`, z.array(courseOfContract), query);
  return { courses, more: courses.length >= PER_PAGE };
}

/** Takes courses of the school, deleted ones too, up to a number of pages. @returns whether all were read @throws like `walked` */
export function walkCourses(reader: Reader, most: number, take: (one: LmsCourse) => void): Promise<boolean> {
  return walked(reader, 'accounts/1/courses', course, [['state[]', 'all']], most, take);
}

/**
 * Whether an account has courses, in accounts below it too; null where the LMS does not tell.
 * @param term the number of a term, for courses in it only
 * @throws like `answered`
 */
export async function hasCourses(reader: Reader, account: number, term?: number): Promise<boolean | null> {
  const query: Query = term === undefined ? [] : [['enrollment_term_id', String(term)]];
  const found = await answered(reader, async () => {
    for await (const { data } of pages(reader, `accounts/${account}/courses`, z.object({ id }), query))
      return data.length > 0;
    return false;
  });
  return typeof found === 'string' ? null : found;
}
