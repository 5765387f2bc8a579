/** The parts of LMS objects that the console reads. The server reduces answers to these fields. */
import { z } from 'zod';

const id = z.number().int().positive();
const text = z.string();

export const account = z.object({ id, name: text, parent_account_id: id.nullable() });
export type Account = z.infer<typeof account>;

export const term = z.object({ id, name: text });
export type Term = z.infer<typeof term>;

export const course = z.object({
  id,
  name: text,
  account_id: id,
  sis_course_id: text.nullish().transform((value) => value ?? null),
  enrollment_term_id: id,
  course_code: text.nullish().transform((value) => value ?? ''),
  total_students: z.number().int().optional(),
  term: z.object({ id, name: text }).optional(),
});
export type Course = z.infer<typeof course>;

/** A course as the review of Course Student Export shows it (EXP-10). */
export const courseDetails = course.extend({ total_students: z.number().int().nonnegative() });
export type CourseDetails = z.infer<typeof courseDetails>;

export const role = z.object({ id, label: text, role: text, base_role_type: text.optional() });
export type Role = z.infer<typeof role>;

export const section = z.object({
  id,
  name: text,
  course_id: id,
  sis_course_id: text.nullish().transform((value) => value ?? null),
  sis_section_id: text.nullish().transform((value) => value ?? null),
  /** Only with `include[]=total_students`. */
  total_students: z.number().int().nonnegative().nullish(),
});
export type Section = z.infer<typeof section>;

export const user = z.object({
  id,
  name: text,
  login_id: text.nullish().transform((value) => value ?? null),
  sis_user_id: text.nullish().transform((value) => value ?? null),
});
export type User = z.infer<typeof user>;

/** A person as Search Users shows them (USR-04). */
export const foundUser = user.extend({ created_at: text.nullish().transform((value) => value ?? null) });
export type FoundUser = z.infer<typeof foundUser>;

/** An enrolment as plans read it. */
export const enrollment = z.object({
  id,
  user_id: id,
  course_id: id,
  course_section_id: id,
  role_id: id,
  enrollment_state: text,
  sis_user_id: text.nullish().transform((value) => value ?? null),
  sis_section_id: text.nullish().transform((value) => value ?? null),
  /** The student whom an observer follows, if the enrolment is linked to one. */
  associated_user_id: id.nullish(),
  /** The enrolment's own dates, apart from those of course and section. */
  start_at: text.nullish(),
  end_at: text.nullish(),
  /** The import that last wrote the enrolment; only for people who can manage SIS data. */
  sis_import_id: id.nullish(),
  updated_at: text.nullish(),
  user: z.object({ login_id: text.nullish() }).nullish(),
});
export type Enrollment = z.infer<typeof enrollment>;

/** A group category of a course; files cannot name one without an SIS ID (OP-108). */
export const groupCategory = z.object({
  id,
  name: text,
  sis_group_category_id: text.nullish().transform((value) => value ?? null),
  /** Set for the LMS's own categories: `student_organized`, `imported`, `communities`. */
  role: text.nullish().transform((value) => value ?? null),
  group_limit: z
    .number()
    .int()
    .nullish()
    .transform((value) => value ?? null),
});
export type GroupCategory = z.infer<typeof groupCategory>;

export const group = z.object({
  id,
  name: text,
  group_category_id: id.nullish().transform((value) => value ?? null),
  sis_group_id: text.nullish().transform((value) => value ?? null),
  members_count: z.number().int().nonnegative(),
  max_membership: z
    .number()
    .int()
    .nullish()
    .transform((value) => value ?? null),
});
export type Group = z.infer<typeof group>;
