/** Group Enrollment in requests and answers: input, and both plans with their changes (area GRP). */
import { ENDED_ENROLMENTS } from '@lms-admin/domain/group-course';
import { MAX_GROUP_RANGES, MAX_PREFIX_LENGTH } from '@lms-admin/domain/groups';
import { z } from 'zod';
import { copiedPeople } from './enrollments.ts';
import { job } from './jobs.ts';

/** Maximum number of rows in a file of members: ten times what the largest course needs. */
export const MAX_MEMBER_ROWS = 20_000;
/** Maximum number of characters in such a file or in pasted text. */
export const MAX_MEMBER_TEXT = 4_000_000;

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const count = z.number().int().nonnegative();
const number = z.number().int().min(0).max(49);

/** Input of the job `group-plan`: groups by prefix and number in a category with an SIS ID (GRP-15, GRP-18). */
export const groupPlanRequest = z.strictObject({
  course: id,
  /** Canvas id. */
  category: id,
  ranges: z
    .array(z.strictObject({ prefix: z.string().max(MAX_PREFIX_LENGTH), start: number, end: number }))
    .min(1)
    .max(MAX_GROUP_RANGES),
});
export type GroupPlanRequest = z.infer<typeof groupPlanRequest>;

/**
 * How students are distributed over groups: by name; one section after the other, so that groups contain one section
 * where possible; or so that each group contains all sections.
 */
export const SPREADS = ['evenly', 'by-section', 'mixed'] as const;
export type Spread = (typeof SPREADS)[number];

/**
 * Input of the job `group-member-plan`: people for groups of the opened course, in one of three forms. `csv` is the
 * documented file (`group_id,user_id,status`). `pasted` are lines of a spreadsheet, with a person (email, login or SIS
 * ID) and a group (SIS ID, or name in `category`, or in any category if null). `spread` proposes rows for the students.
 */
export const memberPlanRequest = z.strictObject({
  course: id,
  from: z.union([
    z.strictObject({
      way: z.literal('csv'),
      text: z.string().min(1).max(MAX_MEMBER_TEXT),
      name: z.string().max(255),
    }),
    z.strictObject({
      way: z.literal('pasted'),
      text: z.string().min(1).max(MAX_MEMBER_TEXT),
      category: id.nullable(),
    }),
    z.strictObject({
      way: z.literal('spread'),
      category: id,
      by: z.enum(SPREADS),
      /** Only students without a group in the category; otherwise everyone is distributed again. */
      onlyUnassigned: z.boolean(),
    }),
  ]),
});
export type MemberPlanRequest = z.infer<typeof memberPlanRequest>;

const plannedFor = {
  id: z.uuid(),
  created_at: z.string(),
  course: z.object({ id, name: z.string(), sis_course_id: z.string() }),
  /** Id of the import of this plan, if it was submitted. */
  import_id: z.uuid().nullable(),
};

/**
 * Result for a group: `new`; `there` already, with this id and name; `renamed`, because the id has another name in this
 * category; `refused`, see `why` (the id is in another category, the name belongs to another group …).
 */
export const GROUP_FATES = ['new', 'there', 'renamed', 'refused'] as const;

/** A row of the simulation of groups (GRP-16, GRP-23). */
export const plannedGroup = z.object({
  sis_group_id: z.string(),
  name: z.string(),
  fate: z.enum(GROUP_FATES),
  /** A sentence: why it is rejected, or its previous name. */
  why: z.string().nullable(),
});
export type PlannedGroup = z.infer<typeof plannedGroup>;

export const groupPlan = z.object({
  ...plannedFor,
  category: z.object({ id, name: z.string(), sis_group_category_id: z.string() }),
  groups: z.array(plannedGroup),
  /** `rows` are sent: the new and renamed groups. */
  totals: z.object({ new: count, there: count, renamed: count, refused: count, rows: count }),
});
export type GroupPlan = z.infer<typeof groupPlan>;

/**
 * Result for a row: the person is added; moves here from another group of the category (OP-107); is there already; is
 * removed; is not in the group, so that there is nothing to remove; or the row is rejected, see `why`.
 */
export const MEMBER_FATES = ['add', 'move', 'already', 'remove', 'not-member', 'refused'] as const;
export type MemberFate = (typeof MEMBER_FATES)[number];

/** A row of the simulation of members. A person or group without a known name has null. */
export const plannedMember = z.object({
  /** Row in the file or the pasted text, counted from 1 with the header; for a proposal, its position. */
  row: count,
  /** SIS ID, or the typed text if no person was found. */
  user_id: z.string(),
  person: z.string().nullable(),
  /** SIS ID of the group, or the typed text. */
  group_id: z.string(),
  group: z.string().nullable(),
  category: z.string().nullable(),
  status: z.enum(['accepted', 'deleted']),
  fate: z.enum(MEMBER_FATES),
  /** Name of the person's previous group. */
  from: z.string().nullable(),
  /** The wrong cell, and a sentence with what to do. */
  column: z.enum(['group_id', 'user_id', 'status']).nullable(),
  why: z.string().nullable(),
  /** Which of person and group were looked up and not found. */
  not_found: z.array(z.enum(['person', 'group'])).default([]),
  /** How the enrolment of a person who is added or moved has ended: they are added nevertheless. */
  ended: z.enum(ENDED_ENROLMENTS).nullable().default(null),
});
export type PlannedMember = z.infer<typeof plannedMember>;

/** A group in the rows, with its number of members before and after. */
export const touchedGroup = z.object({
  id,
  sis_group_id: z.string(),
  name: z.string(),
  category: z.string(),
  before: count,
  after: count,
});

const leader = z.object({ person: z.string(), group: z.string() });

/**
 * Group leaders: people who leave a group that they lead; people who lead a group `again` on returning to it, as far as
 * known; and the number of groups whose leaders could not be read.
 */
export const groupLeaders = z.object({
  who: z.array(leader),
  again: z.array(leader).default([]),
  unread: count,
});
export type GroupLeaders = z.infer<typeof groupLeaders>;

export const memberPlan = z.object({
  ...plannedFor,
  /** The file's name, or the origin of the rows. */
  source: z.string(),
  members: z.array(plannedMember),
  groups: z.array(touchedGroup),
  leaders: groupLeaders.default({ who: [], again: [], unread: 0 }),
  /** Names of pasted columns that are not sent. */
  unsent: z.array(z.string()).default([]),
  /** Names of groups that could get no students, because they have no SIS ID for a row. */
  unfilled: z.array(z.string()).default([]),
  /** People outside the course who are from the directory's copy. Null if everyone was looked up in the LMS. */
  copied: copiedPeople.nullable().default(null),
  /** `rows` are sent: add, move and remove. `people` is the number of different people in them. */
  totals: z.object({
    add: count,
    move: count,
    already: count,
    remove: count,
    not_member: count,
    refused: count,
    rows: count,
    people: count,
  }),
});
export type MemberPlan = z.infer<typeof memberPlan>;

/**
 * Why a person stays as the import left them. `moved-on`: others have since moved or removed them; `later-import`:
 * someone else's later import has added them again; `by-hand`: they were removed and added again without an import;
 * `regrouped`: one of the groups is in another category; `several`: they stayed in another group of the category, which
 * they would leave; `full`: their previous group is full; `no-id`: the group has no SIS ID for a row; `no-person-id`:
 * the person has none; `gone`: the group is not in the course any more; `left`: the person is not in the course any
 * more; `another`: the same, and another person now has their SIS ID.
 */
export const MEMBER_KEPT = [
  'moved-on',
  'later-import',
  'by-hand',
  'regrouped',
  'several',
  'full',
  'no-id',
  'no-person-id',
  'gone',
  'left',
  'another',
] as const;

/** Undo of an import of members: people removed again and people restored, row by row. */
export const memberUndoPlan = memberPlan.extend({
  /** The import to undo. */
  undoes: z.object({ import: z.uuid(), label: z.string() }),
  /** People who stay unchanged. */
  kept: z.array(z.object({ person: z.string(), group: z.string(), why: z.enum(MEMBER_KEPT) })),
  /** True for an import of an earlier version, which recorded its review instead of the rows it sent. */
  as_reviewed: z.boolean().default(false),
});
export type MemberUndoPlan = z.infer<typeof memberUndoPlan>;

/** The administrator's own import that changes a course's groups, and is in progress or not seen since its end. */
export const courseImport = job
  .pick({ label: true, state: true, outcome: true, progress: true, created_at: true })
  .extend({
    import: z.uuid(),
    plan: z.uuid(),
    /** The part of the course's dialog that it was sent from; null for an undo. */
    part: z.enum(['groups', 'members']).nullable(),
  });
export type CourseImport = z.infer<typeof courseImport>;
