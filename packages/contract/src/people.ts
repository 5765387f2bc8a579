/**
 * Bulk lookup of people: by SIS ID (Section Enrollment), by login (Create Users) and by the address they are enrolled
 * with (Course Enrollment): OP-45, OP-50, OP-55, OP-57.
 */
import { z } from 'zod';
import { requestedEmail, WHY_THERE } from './enrollments.ts';
import { errorBody } from './errors.ts';
import { noSpreadsheetValue } from './spreadsheet.ts';

export const peopleRequest = z.strictObject({
  /** SIS IDs as typed. */
  sis_ids: z
    .array(
      noSpreadsheetValue(
        z.string().regex(/^[\w.@-]{1,100}$/, 'letters, digits, dots, underscores, hyphens and @'),
      ),
    )
    .max(20_000)
    .default([]),
  /** Logins: addresses that match the school's pattern, which allows more than mail does (CU-20). */
  logins: z
    .array(
      noSpreadsheetValue(
        z
          .string()
          .max(254)
          .regex(/^[^\s@]+@[^\s@]+$/, 'an email address'),
      ),
    )
    .max(20_000)
    .default([]),
  /** Addresses of people to enrol: only people who can be enrolled are found (OP-45). */
  emails: z.array(requestedEmail).max(20_000).default([]),
  /** Whether to report deleted people who had these SIS IDs, because people are to be created with them (OP-55). */
  creating: z.boolean().default(false),
  /** Whether people in the directory's copy are given first; each then has a second line with the LMS's answer. */
  copied: z.boolean().default(false),
});
export type PeopleRequest = z.input<typeof peopleRequest>;

const person = z.object({
  id: z.number().int(),
  name: z.string(),
  login_id: z.string().nullable(),
  sis_user_id: z.string().nullable(),
  /** When the person was created in the LMS, if the LMS returns it. */
  created_at: z.string().nullish(),
});
export type LookedUpPerson = z.infer<typeof person>;

/**
 * One line of the answer, in the order in which the lookups end: `found` with the person, `not-found`, or `failed`,
 * which says nothing about the person. For an `email` of a person who cannot be enrolled, `not-found` gives the reason.
 * The last line is `done`, or an error that ended the work.
 */
export const peopleLine = z.union([
  z.object({
    /** The kind of text that the person was requested by, and the text as sent. */
    by: z.enum(['sis_id', 'login', 'email']),
    asked: z.string(),
    result: z.enum(['found', 'not-found', 'failed']),
    /** Includes people without an SIS ID. */
    person: person.nullable(),
    /** The person is from the directory's copy of this time, in milliseconds since 1970; the LMS's answer follows. */
    as_of: z.number().optional(),
    why: z.enum(WHY_THERE).optional(),
    /** If no one has the SIS ID: the deleted person who had it, given only if a person is to be created. */
    deleted: person.optional(),
  }),
  z.object({ done: z.literal(true) }),
  z.object({ error: errorBody }),
]);
export type PeopleLine = z.infer<typeof peopleLine>;
