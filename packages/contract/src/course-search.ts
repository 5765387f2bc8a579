/** Search for courses by a number, an address, an SIS ID or a part of a name. */
import { z } from 'zod';

export const foundCourse = z.object({
  id: z.number().int().positive(),
  code: z.string(),
  name: z.string(),
  sis_course_id: z.string().nullable(),
  term: z.string().nullable(),
});
export type FoundCourse = z.infer<typeof foundCourse>;

/** Minimum length of a name to search for: the LMS rejects shorter ones. */
export const SHORTEST_COURSE_NAME = 2;

/** Query of `GET api/courses/find`. */
export const courseSearch = z.strictObject({ text: z.string().trim().min(1).max(2_000) });

/** Courses in the administrator's scope. `more`: there are others that are not listed. */
export const foundCourses = z.object({ courses: z.array(foundCourse), more: z.boolean() });
export type FoundCourses = z.infer<typeof foundCourses>;
