/** Enrolment plans in requests and answers: the request, the progress, and the review (area CE). */
import { ROW_STATUSES } from '@lms-admin/domain/enrollment-states';
import { z } from 'zod';
import { noSpreadsheetValue } from './spreadsheet.ts';

/** An address as entered: only the LMS knows whether someone has it. */
export const requestedEmail = noSpreadsheetValue(z.string().trim().min(3).max(254));

export const planRequest = z.strictObject({
  /** Canvas role id. */
  role_id: z.number().int().positive(),
  status: z.enum(['active', 'deleted']),
  /** Canvas course ids. */
  courses: z.array(z.number().int().positive()).min(1).max(20_000),
  emails: z.array(requestedEmail).min(1).max(100_000),
});
export type PlanRequest = z.infer<typeof planRequest>;

const count = z.number().int().nonnegative();

export const plannedSection = z.object({
  id: z.number().int(),
  name: z.string(),
  sis_section_id: z.string(),
  /** True when the section has no SIS ID yet and gets this one on submitting. */
  assign: z.boolean(),
});

/** A person to be removed or activated whose current state no row can set: undo could not restore it. */
export const unrestorable = z.object({
  person: z.string(),
  section: z.string(),
  /** `invited`, `creation_pending`, `rejected` … */
  state: z.string(),
});

/** A person whose enrolment has its own dates. */
export const dated = z.object({
  person: z.string(),
  section: z.string(),
  start: z.string().nullable(),
  end: z.string().nullable(),
});
export type Dated = z.infer<typeof dated>;

/** Group memberships and enrolments that end with the enrolments that a plan removes. */
export const removedWith = z.object({
  /** Group memberships. */
  members: count,
  /** Enrolments of observers linked to a student. */
  observers: count,
  /** The people concerned, at most `MOST_NAMED_WITH`. */
  who: z.array(
    z.object({
      person: z.string(),
      course: z.string(),
      groups: count,
      observer: z.boolean(),
      /** Students whom an observer follows; empty in plans of earlier versions. */
      students: z.array(z.string()).default([]),
    }),
  ),
  /** Names of courses whose data could not be read. */
  unread: z.array(z.string()),
});
export type RemovedWith = z.infer<typeof removedWith>;
export const MOST_NAMED_WITH = 500;
const NOTHING_WITH: RemovedWith = { members: 0, observers: 0, who: [], unread: [] };

/** People whom the LMS enrols or changes together with a plan's students: observers linked to them. */
export const addedWith = z.object({
  /** Enrolments of these observers that are created or changed. */
  observers: count,
  /** The observers concerned, at most `MOST_NAMED_WITH`, with the number of sections. */
  who: z.array(z.object({ person: z.string(), student: z.string(), places: count })),
  /** Number of students whose observers could not be read. */
  unread: count,
});
export type AddedWith = z.infer<typeof addedWith>;

export const plannedCourse = z.object({
  id: z.number().int(),
  name: z.string(),
  sis_course_id: z.string(),
  term: z.string().nullable(),
  campus: z.string(),
  add: count,
  /** People to add who are enrolled but not active, and become active. */
  reactivated: count.default(0),
  /** People in `add` with the role in another section of the course, but not active: that enrolment stays unchanged. */
  beside: count.default(0),
  already: count,
  remove: count,
  not_enrolled: count,
  /** People whose current state undo could not restore. */
  unrestorable: z.array(unrestorable).default([]),
  /** People to add whose enrolment loses its own dates. */
  dates_end: z.array(dated).default([]),
  /** For a removal: observers linked to a student, whom a plan does not remove. */
  linked: z.array(z.string()).default([]),
  /** Whether the course is concluded: added people can only read it. */
  concluded: z.boolean().default(false),
  /** Rows in the CSV for this course; can exceed people, with one for each removed enrolment. */
  rows: count,
  /** Sections in the rows. One without a number is created on submitting if the course shows no default section. */
  sections: z.array(plannedSection.extend({ id: z.number().int().nullable() })),
  /** Set when the course's enrolments could not be read: the rows are then the documented ones. */
  unread: z.string().nullable(),
});
export type PlannedCourseSummary = z.infer<typeof plannedCourse>;

/**
 * Why a person in the LMS cannot be enrolled by their address. Without an SIS ID, no import can name them; `several`
 * people have that login; `another-login`: the LMS shows another one, or it is suspended; or it is not a login, but a
 * person's `mail-address`.
 */
export const WHY_THERE = ['no-sis-id', 'several', 'another-login', 'mail-address'] as const;
export type WhyThere = (typeof WHY_THERE)[number];

/** People in a review who come from the directory's copy: they are looked up in the LMS before anything is sent. */
export const copiedPeople = z.object({
  count,
  /** When the LMS started the report of the copy. Milliseconds since 1970. */
  as_of: z.number(),
});
export type CopiedPeople = z.infer<typeof copiedPeople>;

export const plan = z.object({
  id: z.uuid(),
  created_at: z.string(),
  role: z.object({ id: z.number().int(), label: z.string() }),
  status: z.enum(['active', 'deleted']),
  people: z.object({
    asked: count,
    found: count,
    /** People found whose enrolments change in any of the courses. Missing in plans of earlier versions. */
    affected: count.optional(),
    /** Emails without exactly one person with that login and an SIS ID (OP-45). */
    not_found: z.array(z.string()),
    /** Addresses in `not_found` that are in the LMS nevertheless: do not create these people. */
    there: z.array(z.object({ email: z.string(), why: z.enum(WHY_THERE) })).default([]),
    /** Emails whose lookup failed, which says nothing about the person (OP-48). */
    failed: z.array(z.string()),
  }),
  courses: z.array(plannedCourse),
  /** Requested courses out of scope, without an SIS ID, or with unreadable sections: they get no row. */
  left_out: z.array(z.object({ id: z.number().int(), reason: z.string() })),
  removed_with: removedWith.default(NOTHING_WITH),
  /** Null in plans of earlier versions, which did not check. */
  added_with: addedWith.nullable().default(null),
  totals: z.object({ add: count, already: count, remove: count, not_enrolled: count, rows: count }),
  /** Null if everyone was looked up in the LMS. */
  copied: copiedPeople.nullable().default(null),
  /** Id of the import of this plan, if it was submitted. */
  import_id: z.uuid().nullable(),
});
export type Plan = z.infer<typeof plan>;

/** A person in the 'User List' of a course. */
export const plannedPerson = z.object({
  email: z.string(),
  name: z.string(),
  sis_user_id: z.string(),
  /**
   * Change for this person in the course; 'already', 'not-enrolled' and 'linked' get no row. 'linked': an observer
   * linked to a student, whom a removal keeps.
   */
  change: z.enum(['add', 'already', 'remove', 'not-enrolled', 'linked']),
  /** State of the enrolment that changes, such as `inactive`; absent if it is active or there is none. */
  state: z.string().optional(),
  /** Sections named in the person's rows. */
  sections: z.array(z.string()),
});
export type PlannedPerson = z.infer<typeof plannedPerson>;

/** Input of Section Enrollment: for each section its own people, role and action (SE-07). */
export const sectionPlanRequest = z.strictObject({
  sections: z
    .array(
      z.strictObject({
        /** Canvas ids. */
        course: z.number().int().positive(),
        section: z.number().int().positive(),
        role_id: z.number().int().positive(),
        status: z.enum(['active', 'deleted']),
        /** SIS IDs of people. */
        users: z
          .array(noSpreadsheetValue(z.string().regex(/^[\w.@-]{1,100}$/)))
          .min(1)
          .max(100_000),
      }),
    )
    .min(1)
    .max(5_000),
});
export type SectionPlanRequest = z.infer<typeof sectionPlanRequest>;

/** Changes of a plan in one section. */
export const sectionPlanEntry = z.object({
  course: z.object({
    id: z.number().int(),
    name: z.string(),
    sis_course_id: z.string(),
    /** Name of the course's term; null in plans of earlier versions. */
    term: z.string().nullable().default(null),
    /** Whether the course is concluded: added people can only read it. */
    concluded: z.boolean().default(false),
  }),
  section: plannedSection,
  role: z.object({ id: z.number().int(), label: z.string() }),
  status: z.enum(['active', 'deleted']),
  /** People requested, and found among them. */
  asked: count,
  found: count,
  add: count,
  /** People to add who are enrolled but not active, and become active. */
  reactivated: count.default(0),
  already: count,
  remove: count,
  not_enrolled: count,
  /** People whose current state undo could not restore. */
  unrestorable: z.array(unrestorable).default([]),
  /** People to add whose enrolment loses its own dates; for an undo, also people who get their dates back. */
  dates_end: z.array(dated).default([]),
  dates_set: z.array(dated).default([]),
  /** For a removal: observers linked to a student, whom a plan does not remove. */
  linked: z.array(z.string()).default([]),
  rows: count,
  /** SIS IDs that no one has. */
  not_found: z.array(z.string()),
  /** SIS IDs whose lookup failed, which says nothing about the person. */
  failed: z.array(z.string()),
  /** Set when the section's enrolments could not be read: everyone found then gets a row. */
  unread: z.string().nullable(),
});
export type SectionPlanEntry = z.infer<typeof sectionPlanEntry>;

export const sectionPlan = z.object({
  id: z.uuid(),
  created_at: z.string(),
  entries: z.array(sectionPlanEntry),
  /** Requested sections that are not in the administrator's scope: they get no row. */
  left_out: z.array(
    z.object({
      course: z.number().int(),
      section: z.number().int(),
      reason: z.string(),
      /** True when the LMS did not answer, so that the section may exist. */
      unanswered: z.boolean().default(false),
    }),
  ),
  removed_with: removedWith.default(NOTHING_WITH),
  /** Null in plans of earlier versions, which did not check. */
  added_with: addedWith.nullable().default(null),
  /** Number of different people in all sections. */
  people: z.object({ asked: count, found: count, not_found: count, failed: count }),
  totals: z.object({ add: count, already: count, remove: count, not_enrolled: count, rows: count }),
  /** Null if everyone was looked up in the LMS. */
  copied: copiedPeople.nullable().default(null),
  import_id: z.uuid().nullable(),
});
export type SectionPlan = z.infer<typeof sectionPlan>;

/** A person in the 'User List' of a section; `email` is the login, if the LMS returns it. */
export const sectionPerson = plannedPerson.omit({ sections: true });
export type SectionPerson = z.infer<typeof sectionPerson>;

/** Input of every undo: the import to undo. */
export const undoRequest = z.strictObject({ import: z.uuid() });
export type UndoRequest = z.infer<typeof undoRequest>;

/** Change of one undo entry: removes people again, or restores their previous state. */
export const undoStatus = z.enum(ROW_STATUSES);

/** Undo of an import: people removed again and people restored, by section. A section can have several statuses. */
export const undoPlan = sectionPlan.extend({
  entries: z.array(sectionPlanEntry.extend({ status: undoStatus })),
  /** The import to undo. */
  undoes: z.object({ import: z.uuid(), label: z.string() }),
  /** Entries that stay unchanged. */
  kept: z.array(
    z.object({
      course: z.string(),
      section: z.string(),
      people: count,
      /**
       * `changed`: others have changed them since; `state`: no row can set the previous state; `unread`: the previous
       * state is unknown; `unanswered`: the current state is unknown; `out-of-reach`: the course is gone or out of
       * scope; `lost`: the section left its course; `gone`: the LMS does not have the person, or they have no SIS ID;
       * `elsewhere`: the LMS used another section than in the review; `another-person`: the LMS changed the person who
       * had their SIS ID then; `observer`: they observe a student whose state no row can set;
       * `observers-unread`: such a student, whose observers could not be read. `not-active` comes from earlier versions: they were there before, but not active.
       */
      why: z.enum([
        'changed',
        'state',
        'unread',
        'unanswered',
        'out-of-reach',
        'lost',
        'gone',
        'elsewhere',
        'another-person',
        'observer',
        'observers-unread',
        'not-active',
      ]),
      /** The people, with their state now (`changed`, `observer`) or before the import (`state`), otherwise with an empty state. */
      who: z.array(z.object({ person: z.string(), state: z.string() })).default([]),
    }),
  ),
  /** Sections that were created, or given an SIS ID, for the import: they stay. */
  sections: z
    .array(z.object({ course: z.string(), section: z.string(), what: z.enum(['created', 'named']) }))
    .default([]),
  /** True for an import of an earlier version, which recorded states at the review instead of on sending. */
  as_reviewed: z.boolean().default(false),
});
export type UndoPlan = z.infer<typeof undoPlan>;
