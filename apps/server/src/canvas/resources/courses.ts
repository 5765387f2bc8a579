/** Courses of the LMS. */
import {
  type CourseDetails,
  courseDetails,
  course as courseOfContract,
} from '@lms-admin/contract/canvas-objects';
import { z } from 'zod';
import { answered, one, pages, type Query, type Reader, walked } from './reading.ts';

const id = z.number().int().positive();
const perhaps = z.string().nullish();
const text = perhaps.transform((value) => value ?? null);

/** Includes every field that a courses file can set. */
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

/** A course with the fields that show whether it is over. The browser does not get these fields. */
export const reachedCourse = courseOfContract.extend({
  term: z.object({ id, name: z.string(), end_at: perhaps }).optional(),
  /** `completed`: a concluded course, whose people can only read. */
  workflow_state: z.string().optional(),
  end_at: perhaps,
  /** Whether the course's own end counts instead of its term's. */
  restrict_enrollments_to_course_dates: z.boolean().nullish(),
});
export type ReachedCourse = z.output<typeof reachedCourse>;

const zoned = z.object({ sis_course_id: text, time_zone: text });
const named = z.object({ name: z.string(), sis_course_id: text });
const everSection = z.object({ id, name: z.string(), start_at: text, end_at: text });
const withSections = z.object({ sections: z.array(everSection).nullish() });

/** Courses per page of a search. */
const PER_PAGE = 100;

/** Returns a course that is not deleted. @param segment its number, or SIS ID from `sisSegment` @throws CanvasError */
export function courseAt(reader: Reader, segment: string | number): Promise<ReachedCourse> {
  return one(reader, `courses/${segment}`, reachedCourse, [['include[]', 'term']]);
}

/** Returns a course with its number of students. @throws CanvasError */
export function courseWithCount(reader: Reader, number: number): Promise<CourseDetails> {
  return one(reader, `courses/${number}`, courseDetails, [['include[]', 'total_students']]);
}

/**
 * Returns a course, even if deleted, with every field that a file can set.
 * @param segment as for `courseAt`
 * @throws CanvasError
 */
export function everCourse(reader: Reader, segment: string | number): Promise<LmsCourse> {
  return one(reader, `courses/${segment}`, course, [['include[]', 'all_courses']]);
}

/** Returns the name of a course. @throws CanvasError */
export function courseName(reader: Reader, number: number): Promise<z.output<typeof named>> {
  return one(reader, `courses/${number}`, named);
}

/** Returns the time zone of a course, or null if it has none of its own. @throws CanvasError */
export function courseZone(reader: Reader, number: number): Promise<z.output<typeof zoned>> {
  return one(reader, `courses/${number}`, zoned);
}

/** Returns all sections of a course, including deleted ones. @throws CanvasError */
export async function everSections(reader: Reader, number: number): Promise<z.output<typeof everSection>[]> {
  return (await one(reader, `courses/${number}`, withSections, [['include[]', 'sections']])).sections ?? [];
}

/**
 * Searches an account and the accounts below it for courses by part of their name, code or SIS ID.
 * @returns the first matches, and whether there may be more
 * @throws CanvasError
 */
export async function coursesNamed(
  reader: Reader,
  account: number,
  search: string,
): Promise<{ courses: ReachedCourse[]; more: boolean }> {
  const query: Query = [
    ['search_term', search],
    ['include[]', 'term'],
    ['per_page', String(PER_PAGE)],
  ];
  const courses = await one(reader, `accounts/${account}/courses`, z.array(reachedCourse), query);
  return { courses, more: courses.length >= PER_PAGE };
}

/** Passes even deleted courses to `take`. @param most pages to read @returns if all were read @throws like `walked` */
export function walkCourses(reader: Reader, most: number, take: (one: LmsCourse) => void): Promise<boolean> {
  return walked(reader, 'accounts/1/courses', course, [['state[]', 'all']], most, take);
}

/** Returns whether the LMS lists the courses of an account to this person. @throws like `answered` */
export async function mayListCourses(reader: Reader, account: number): Promise<boolean> {
  const query: Query = [['per_page', '1']];
  const listed = z.array(z.object({ id }));
  const found = await answered(reader, () => one(reader, `accounts/${account}/courses`, listed, query));
  return typeof found !== 'string';
}

/**
 * Returns whether an account or one below it has courses; null if unknown.
 * @param term number of a term, to count only its courses
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
