/** Enrolment plans as they travel: what is asked, the progress while it is worked out, and the review (area CE). */
import { ROW_STATUSES } from '@lms-admin/domain/enrollment-states';
import { z } from 'zod';
import { noSpreadsheetValue } from './spreadsheet.ts';

/** An address as it was entered: whether someone has it is for the LMS to say. */
export const askedEmail = noSpreadsheetValue(z.string().trim().min(3).max(254));

export const planRequest = z.strictObject({
  /** Canvas role id. */
  role_id: z.number().int().positive(),
  status: z.enum(['active', 'deleted']),
  /** Canvas course ids. */
  courses: z.array(z.number().int().positive()).min(1).max(20_000),
  emails: z.array(askedEmail).min(1).max(100_000),
});
export type PlanRequest = z.infer<typeof planRequest>;

const count = z.number().int().nonnegative();

export const plannedSection = z.object({
  id: z.number().int(),
  name: z.string(),
  sis_section_id: z.string(),
  /** True when the section has no SIS ID yet and is given this one on submitting. */
  assign: z.boolean(),
});

/** Someone who would be removed or become active, and whose present state no row can set again: undo could not restore it. */
export const unrestorable = z.object({
  person: z.string(),
  section: z.string(),
  /** `invited`, `creation_pending`, `rejected` … */
  state: z.string(),
});

/** Someone whose enrolment has dates of its own. */
export const dated = z.object({
  person: z.string(),
  section: z.string(),
  start: z.string().nullable(),
  end: z.string().nullable(),
});
export type Dated = z.infer<typeof dated>;

/** What ends in the LMS with the enrolments that a plan removes. */
export const removedWith = z.object({
  /** Group memberships. */
  members: count,
  /** Enrolments of observers that are linked to a student. */
  observers: count,
  /** The people concerned, at most `MOST_NAMED_WITH`. */
  who: z.array(
    z.object({
      person: z.string(),
      course: z.string(),
      groups: count,
      observer: z.boolean(),
      /** Whom an observer observes; none in plans of earlier versions. */
      students: z.array(z.string()).default([]),
    }),
  ),
  /** Names of courses where this could not be looked up. */
  unread: z.array(z.string()),
});
export type RemovedWith = z.infer<typeof removedWith>;
export const MOST_NAMED_WITH = 500;
const NOTHING_WITH: RemovedWith = { members: 0, observers: 0, who: [], unread: [] };

/** Whom the LMS enrols, or gives another state, together with the students of a plan: observers who are linked to them. */
export const addedWith = z.object({
  /** Their enrolments that are made or change. */
  observers: count,
  /** The observers concerned, at most `MOST_NAMED_WITH`, with the number of sections. */
  who: z.array(z.object({ person: z.string(), student: z.string(), places: count })),
  /** Students of whom this could not be looked up. */
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
  /** Of those to add: who is there already without being active, and becomes active. */
  reactivated: count.default(0),
  /** Those of `add` who have the role in another section of the course without being active: that enrolment stays as it is. */
  beside: count.default(0),
  already: count,
  remove: count,
  not_enrolled: count,
  /** Those whose present state undo could not restore. */
  unrestorable: z.array(unrestorable).default([]),
  /** Of those to add: who is there with dates of their own, which end. */
  dates_end: z.array(dated).default([]),
  /** Of a removal: people who are there as observers linked to a student, which no row of a plan removes. */
  linked: z.array(z.string()).default([]),
  /** Whether the course is concluded: who is added can only read it. */
  concluded: z.boolean().default(false),
  /** Rows that go into the CSV for this course (may exceed people: one for each enrolment removed). */
  rows: count,
  /** Sections that rows name. One without a number is made on submitting, as the course shows no default section. */
  sections: z.array(plannedSection.extend({ id: z.number().int().nullable() })),
  /** Set when the course's enrolments could not be read: the rows are then the documented ones, without a difference. */
  unread: z.string().nullable(),
});
export type PlannedCourseSummary = z.infer<typeof plannedCourse>;

/**
 * Why someone who is in the LMS cannot be enrolled by their address: without an SIS ID no import can name them; `several`
 * have that login; it is `another-login` than the one the LMS shows of the person, or a suspended one; or it is no login, but the
 * `mail-address` of a person.
 */
export const WHY_THERE = ['no-sis-id', 'several', 'another-login', 'mail-address'] as const;
export type WhyThere = (typeof WHY_THERE)[number];

export const plan = z.object({
  id: z.uuid(),
  created_at: z.string(),
  role: z.object({ id: z.number().int(), label: z.string() }),
  status: z.enum(['active', 'deleted']),
  people: z.object({
    asked: count,
    found: count,
    /** Of those found: whose enrolments change in any of the courses. Plans of earlier versions do not hold it. */
    affected: count.optional(),
    /** Emails without exactly one person with that login and an SIS ID (OP-45). */
    not_found: z.array(z.string()),
    /** Those of `not_found` that the LMS has anyway: they are not to be created. */
    there: z.array(z.object({ email: z.string(), why: z.enum(WHY_THERE) })).default([]),
    /** Emails whose lookup failed, which says nothing about the person (OP-48). */
    failed: z.array(z.string()),
  }),
  courses: z.array(plannedCourse),
  /** Courses asked for that do not exist in the admin's reach, have no SIS ID, or whose sections could not be read: they get no row. */
  left_out: z.array(z.object({ id: z.number().int(), reason: z.string() })),
  removed_with: removedWith.default(NOTHING_WITH),
  /** Null in plans of earlier versions, which did not look. */
  added_with: addedWith.nullable().default(null),
  totals: z.object({ add: count, already: count, remove: count, not_enrolled: count, rows: count }),
  /** Id of the import that this plan became, when it was submitted. */
  import_id: z.uuid().nullable(),
});
export type Plan = z.infer<typeof plan>;

/** A person in the 'User List' of a course. */
export const plannedPerson = z.object({
  email: z.string(),
  name: z.string(),
  sis_user_id: z.string(),
  /**
   * What happens to this person in the course; 'already', 'not-enrolled' and 'linked' get no row. 'linked': they are there as an
   * observer linked to a student, and a removal leaves them.
   */
  change: z.enum(['add', 'already', 'remove', 'not-enrolled', 'linked']),
  /** State of the enrolment that changes, such as `inactive`; absent where it is active, or where there is none. */
  state: z.string().optional(),
  /** Sections named in the person's rows. */
  sections: z.array(z.string()),
});
export type PlannedPerson = z.infer<typeof plannedPerson>;

/** What Section Enrollment asks for: for each section its own people, role and action (SE-07). */
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

/** What a plan does in one section. */
export const sectionPlanEntry = z.object({
  course: z.object({
    id: z.number().int(),
    name: z.string(),
    sis_course_id: z.string(),
    /** Name of its term; plans of before did not tell it. */
    term: z.string().nullable().default(null),
    /** Whether it is concluded: who is added can only read it. */
    concluded: z.boolean().default(false),
  }),
  section: plannedSection,
  role: z.object({ id: z.number().int(), label: z.string() }),
  status: z.enum(['active', 'deleted']),
  /** People asked for and, of these, found. */
  asked: count,
  found: count,
  add: count,
  /** Of those to add: who is there already without being active, and becomes active. */
  reactivated: count.default(0),
  already: count,
  remove: count,
  not_enrolled: count,
  /** Those whose present state undo could not restore. */
  unrestorable: z.array(unrestorable).default([]),
  /** Of those to add: who is there with dates of their own, which end; of an undo also who gets such dates again. */
  dates_end: z.array(dated).default([]),
  dates_set: z.array(dated).default([]),
  /** Of a removal: people who are there as observers linked to a student, which no row of a plan removes. */
  linked: z.array(z.string()).default([]),
  rows: count,
  /** SIS IDs that no one has. */
  not_found: z.array(z.string()),
  /** SIS IDs whose lookup failed, which says nothing about the person. */
  failed: z.array(z.string()),
  /** Set when the section's enrolments could not be read: everybody found then gets a row. */
  unread: z.string().nullable(),
});
export type SectionPlanEntry = z.infer<typeof sectionPlanEntry>;

export const sectionPlan = z.object({
  id: z.uuid(),
  created_at: z.string(),
  entries: z.array(sectionPlanEntry),
  /** Sections asked for that do not exist in the admin's reach: they get no row. */
  left_out: z.array(
    z.object({
      course: z.number().int(),
      section: z.number().int(),
      reason: z.string(),
      /** True where the LMS could not be asked: then it says nothing about the section. */
      unanswered: z.boolean().default(false),
    }),
  ),
  removed_with: removedWith.default(NOTHING_WITH),
  /** Null in plans of earlier versions, which did not look. */
  added_with: addedWith.nullable().default(null),
  /** Different people over all sections. */
  people: z.object({ asked: count, found: count, not_found: count, failed: count }),
  totals: z.object({ add: count, already: count, remove: count, not_enrolled: count, rows: count }),
  import_id: z.uuid().nullable(),
});
export type SectionPlan = z.infer<typeof sectionPlan>;

/** A person in the 'User List' of a section; `email` is the login where the LMS tells it. */
export const sectionPerson = plannedPerson.omit({ sections: true });
export type SectionPerson = z.infer<typeof sectionPerson>;

/** Input of all of them: the import that is to be taken back. */
export const undoRequest = z.strictObject({ import: z.uuid() });
export type UndoRequest = z.infer<typeof undoRequest>;

/** What one entry of undoing does: removes people again, or gives them the state from before. */
export const undoStatus = z.enum(ROW_STATUSES);

/** How an import is undone: who is removed again and who is restored, by section. A section may be there with several statuses. */
export const undoPlan = sectionPlan.extend({
  entries: z.array(sectionPlanEntry.extend({ status: undoStatus })),
  /** The import that it undoes. */
  undoes: z.object({ import: z.uuid(), label: z.string() }),
  /** What stays as it is now. */
  kept: z.array(
    z.object({
      course: z.string(),
      section: z.string(),
      people: count,
      /**
       * `changed`: others have changed them since; `state`: no row can set the state from before; `unread`: no one knows what was there
       * before; `unanswered`: the LMS could not be asked what is there now; `out-of-reach`: the course is gone, or no longer theirs;
       * `lost`: the section is no longer in its course; `gone`: the LMS does not have the person any more, or they have no SIS ID; `elsewhere`: the LMS applied the rows to another section than the review showed;
       * `another-person`: the LMS changed the person who had their SIS ID then.
       * `not-active` is of earlier versions: they were there before, not active.
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
        'not-active',
      ]),
      /** Who they are, with their state now (`changed`) or before the import (`state`), else an empty one. */
      who: z.array(z.object({ person: z.string(), state: z.string() })).default([]),
    }),
  ),
  /** Sections that were created, or given an SIS ID, for the import: they stay. */
  sections: z
    .array(z.object({ course: z.string(), section: z.string(), what: z.enum(['created', 'named']) }))
    .default([]),
  /** True where the import is of an earlier version, which noted states at the review and not when it was sent. */
  as_reviewed: z.boolean().default(false),
});
export type UndoPlan = z.infer<typeof undoPlan>;
