/**
 * Looking people up in bulk: by SIS ID (Section Enrollment), by login (Create Users) and by the address they are enrolled
 * with (Course Enrollment): OP-45, OP-50, OP-55, OP-57.
 */
import { z } from 'zod';
import { askedEmail, WHY_THERE } from './enrollments.ts';
import { errorBody } from './errors.ts';
import { noSpreadsheetValue } from './spreadsheet.ts';

export const peopleRequest = z.strictObject({
  /** SIS IDs as they were typed. */
  sis_ids: z
    .array(
      noSpreadsheetValue(
        z.string().regex(/^[\w.@-]{1,100}$/, 'letters, digits, dots, underscores, hyphens and @'),
      ),
    )
    .max(20_000)
    .default([]),
  /** Login names: addresses as the school's pattern takes them, which is wider than that of mail (CU-20). */
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
  /** Addresses of people who are to be enrolled: only who can be enrolled is found (OP-45). */
  emails: z.array(askedEmail).max(20_000).default([]),
  /** Whether someone is to be created with these SIS IDs: of an id that no one has, who had it and is deleted (OP-55). */
  creating: z.boolean().default(false),
});
export type PeopleRequest = z.input<typeof peopleRequest>;

const person = z.object({
  id: z.number().int(),
  name: z.string(),
  login_id: z.string().nullable(),
  sis_user_id: z.string().nullable(),
  /** When the LMS made them, where it tells that. */
  created_at: z.string().nullish(),
});
export type LookedUpPerson = z.infer<typeof person>;

/**
 * One line of the answer, in the order in which the lookups end: `found` with the person, `not-found`, or `failed`, which
 * says nothing about the person. Of someone asked for by `email` who is there and cannot be enrolled, `not-found` says why.
 * The last line is `done`, or an error that ended the work.
 */
export const peopleLine = z.union([
  z.object({
    /** By what the person was asked for, and the text as it was sent. */
    by: z.enum(['sis_id', 'login', 'email']),
    asked: z.string(),
    result: z.enum(['found', 'not-found', 'failed']),
    /** Also someone who is there without an SIS ID. */
    person: person.nullable(),
    why: z.enum(WHY_THERE).optional(),
    /** Of an SIS ID that no one has: who had it and is deleted in the LMS, told where someone is to be created. */
    deleted: person.optional(),
  }),
  z.object({ done: z.literal(true) }),
  z.object({ error: errorBody }),
]);
export type PeopleLine = z.infer<typeof peopleLine>;
