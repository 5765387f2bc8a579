/** Group Enrollment as it travels: what is to be made, and both plans with their difference (area GRP). */
import { MAX_GROUP_RANGES, MAX_PREFIX_LENGTH } from '@lms-admin/domain/groups';
import { z } from 'zod';
import { job } from './jobs.ts';

/** Most rows of a file of members: ten times what the largest course needs. */
export const MAX_MEMBER_ROWS = 20_000;
/** Most characters of such a file, or of what is pasted. */
export const MAX_MEMBER_TEXT = 4_000_000;

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const count = z.number().int().nonnegative();
const number = z.number().int().min(0).max(49);

/** Input of the job `group-plan`: groups by prefix and number in a category that has an SIS ID (GRP-15, GRP-18). */
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
 * How the students of the course are spread over groups: in the order of their names; a section after the other, so that
 * groups hold people of one section where that is possible; or so that each group holds people of all sections.
 */
export const SPREADS = ['evenly', 'by-section', 'mixed'] as const;
export type Spread = (typeof SPREADS)[number];

/**
 * Input of the job `group-member-plan`: people into groups of the opened course, by one of three ways.
 * `csv` is the documented file (`group_id,user_id,status`); `pasted` are lines of a spreadsheet, a person (email, login or SIS
 * id) and a group (name or SIS ID), where names are those of groups in `category`, or in any where it is null; `spread` proposes rows for the students.
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
      /** Only students who are in no group of the category yet; otherwise everybody is spread again. */
      onlyUnassigned: z.boolean(),
    }),
  ]),
});
export type MemberPlanRequest = z.infer<typeof memberPlanRequest>;

const plannedFor = {
  id: z.uuid(),
  created_at: z.string(),
  course: z.object({ id, name: z.string(), sis_course_id: z.string() }),
  /** Id of the import that this plan became, when it was submitted. */
  import_id: z.uuid().nullable(),
};

/**
 * What becomes of a group: `new`; `there` already, in this category, with this id and name; `renamed`, since the id is there
 * in this category under another name; `refused`, see `why` (the id is another category's, the name another group's …).
 */
export const GROUP_FATES = ['new', 'there', 'renamed', 'refused'] as const;

/** A row of the simulation of groups (GRP-16, GRP-23). */
export const plannedGroup = z.object({
  sis_group_id: z.string(),
  name: z.string(),
  fate: z.enum(GROUP_FATES),
  /** A sentence: why it is refused, or what it was called before. */
  why: z.string().nullable(),
});
export type PlannedGroup = z.infer<typeof plannedGroup>;

export const groupPlan = z.object({
  ...plannedFor,
  category: z.object({ id, name: z.string(), sis_group_category_id: z.string() }),
  groups: z.array(plannedGroup),
  /** `rows` are sent: those that are new or renamed. */
  totals: z.object({ new: count, there: count, renamed: count, refused: count, rows: count }),
});
export type GroupPlan = z.infer<typeof groupPlan>;

/**
 * What becomes of a row: someone is added; moves here out of another group of the category (OP-107); is there already; is
 * removed; is not in the group, so that there is nothing to remove; or the row is refused, see `why`.
 */
export const MEMBER_FATES = ['add', 'move', 'already', 'remove', 'not-member', 'refused'] as const;
export type MemberFate = (typeof MEMBER_FATES)[number];

/** A row of the simulation of members. A person or group that no name is known of has null. */
export const plannedMember = z.object({
  /** Row of the file or of what was pasted, counted from 1 with the header; of a proposal, its place. */
  row: count,
  /** SIS ID, or what was typed where no one was found. */
  user_id: z.string(),
  person: z.string().nullable(),
  /** SIS ID of the group, or what was typed. */
  group_id: z.string(),
  group: z.string().nullable(),
  category: z.string().nullable(),
  status: z.enum(['accepted', 'deleted']),
  fate: z.enum(MEMBER_FATES),
  /** Name of the group that someone moves out of. */
  from: z.string().nullable(),
  /** Which cell is wrong, and a sentence with what to do. */
  column: z.enum(['group_id', 'user_id', 'status']).nullable(),
  why: z.string().nullable(),
  /** What was looked up and is not there. */
  not_found: z.array(z.enum(['person', 'group'])).default([]),
});
export type PlannedMember = z.infer<typeof plannedMember>;

/** A group that the rows touch, with its head count before and after. */
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
 * People who lead a group that they leave by rows that are sent; those who lead a group `again` that they come into, as far as that is
 * known; and how many groups could not be asked who leads them.
 */
export const groupLeaders = z.object({
  who: z.array(leader),
  again: z.array(leader).default([]),
  unread: count,
});
export type GroupLeaders = z.infer<typeof groupLeaders>;

export const memberPlan = z.object({
  ...plannedFor,
  /** The file's name, or how the rows came about. */
  source: z.string(),
  members: z.array(plannedMember),
  groups: z.array(touchedGroup),
  leaders: groupLeaders.default({ who: [], again: [], unread: 0 }),
  /** Columns of pasted rows that are not sent, by name. */
  unsent: z.array(z.string()).default([]),
  /** Groups over which students were to be distributed and which no row can name, as they have no SIS ID: by name. */
  unfilled: z.array(z.string()).default([]),
  /** `rows` are sent: add, move and remove. `people` are the different ones of these. */
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
 * Why someone stays as an import left them: `moved-on`, others have put them into another group since, or taken them out;
 * `later-import`, an import of others has put them there again since; `by-hand`, they were taken out and put there again without an
 * import; `regrouped`, one of the groups is in another category; `several`, they stayed in another group of the category, which they
 * would leave; `full`, the group that they left is full; `no-id`, the group has no SIS ID, so that no row can name it; `no-person-id`,
 * the person has none; `gone`, the group is not in the course any more; `left`, the person is not; `another`, nor are they, and their
 * SIS ID is someone else's by now.
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

/** How an import of members is taken back: who leaves again, who comes back, row by row. */
export const memberUndoPlan = memberPlan.extend({
  /** The import that it takes back. */
  undoes: z.object({ import: z.uuid(), label: z.string() }),
  /** Who stays as they are now. */
  kept: z.array(z.object({ person: z.string(), group: z.string(), why: z.enum(MEMBER_KEPT) })),
  /** True where the import is of an earlier version, which kept what the review said and not what its rows did when they were sent. */
  as_reviewed: z.boolean().default(false),
});
export type MemberUndoPlan = z.infer<typeof memberUndoPlan>;

/** An import of the admin's own that changes the groups of a course: it goes on, or its end has not been seen yet. */
export const courseImport = job
  .pick({ label: true, state: true, outcome: true, progress: true, created_at: true })
  .extend({
    import: z.uuid(),
    plan: z.uuid(),
    /** The part of the course's window that it was sent from; null for an undo. */
    part: z.enum(['groups', 'members']).nullable(),
  });
export type CourseImport = z.infer<typeof courseImport>;
