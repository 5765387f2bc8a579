/** The entries in the dialog of a course: a category, groups, people (GRP-08, GRP-14, GRP-25). Pure. */
import { SPREADS, type Spread } from '@lms-admin/contract/groups';
import { MAX_GROUP_RANGES, MAX_PREFIX_LENGTH } from '@lms-admin/domain/groups';
import { z } from 'zod';
import {
  NEW_WIZARD,
  NOT_PREPARED,
  type WizardAction,
  type WizardParts,
  wizardReducer,
  wizardShape,
} from '../../components/Wizard/wizard-reducer.ts';
import { type CategoryAction, categoryReducer, NO_CATEGORY, newCategory } from './category-state.ts';

const PANELS = ['category', 'groups', 'members'] as const;
export type Panel = (typeof PANELS)[number];

/** The ways to assign people to groups. */
export const WAYS = ['csv', 'pasted', 'spread'] as const;
export type Way = (typeof WAYS)[number];

/** Each part that prepares, confirms and sends is a wizard of one step. */
const ONE_STEP = 1;
const run = wizardShape(ONE_STEP);

const number = z.number().int().min(0).max(49);
const range = z.object({
  /** Identifies a row for as long as it exists. */
  id: z.number().int(),
  prefix: z.string().max(MAX_PREFIX_LENGTH),
  start: number,
  end: number,
});
export type RangeRow = z.infer<typeof range>;

const groupsPart = z.object({
  ...run,
  /** Canvas ID of the category. */
  category: z.number().nullable(),
  ranges: z.array(range).min(1).max(MAX_GROUP_RANGES),
  simulate: z.boolean(),
});
export type GroupsPart = z.infer<typeof groupsPart>;

const membersPart = z.object({
  ...run,
  way: z.enum(WAYS),
  /** Whether the format of the file is shown. */
  sample: z.boolean(),
  simulate: z.boolean(),
  /** The category of the groups named in the rows, or of the groups among which people are distributed. */
  category: z.number().nullable(),
  by: z.enum(SPREADS),
  onlyUnassigned: z.boolean(),
});
export type MembersPart = z.infer<typeof membersPart>;

export const courseWork = z.object({
  open: z.array(z.enum(PANELS)),
  category: newCategory,
  groups: groupsPart,
  members: membersPart,
});
export type CourseWork = z.infer<typeof courseWork>;

const firstRange: RangeRow = { id: 1, prefix: '', start: 1, end: 1 };

export const NEW_WORK: CourseWork = {
  open: ['category'],
  category: NO_CATEGORY,
  groups: { ...NEW_WIZARD, category: null, ranges: [firstRange], simulate: false },
  members: {
    ...NEW_WIZARD,
    way: 'csv',
    sample: false,
    simulate: false,
    category: null,
    by: 'evenly',
    onlyUnassigned: true,
  },
};

export type GroupsAction =
  | { type: 'choose'; category: number | null }
  | { type: 'range'; id: number; change: Partial<Omit<RangeRow, 'id'>> }
  | { type: 'add' }
  | { type: 'remove'; id: number }
  | { type: 'simulate'; on: boolean }
  | RunEnd;

export type MembersAction =
  | { type: 'way'; way: Way }
  | { type: 'sample'; on: boolean }
  | { type: 'simulate'; on: boolean }
  | { type: 'choose'; category: number | null }
  | { type: 'spread'; by?: Spread; onlyUnassigned?: boolean }
  /** The file or the pasted lines, which are stored elsewhere, have changed. */
  | { type: 'input' }
  | RunEnd;

/** 'Done', below an import that has ended. */
interface RunEnd {
  type: 'run-done';
}

export type WorkAction =
  | { type: 'open'; panel: Panel; on: boolean }
  /** @param id ID of the created category, if a file can name it */
  | { type: 'category'; action: CategoryAction; id?: number }
  | { type: 'groups'; action: GroupsAction | WizardAction }
  | { type: 'members'; action: MembersAction | WizardAction }
  /** Shows an import from another tab in the part that would have sent it here. */
  | { type: 'adopt'; part: 'groups' | 'members'; plan: string; import: string };

export function workReducer(work: CourseWork, action: WorkAction): CourseWork {
  switch (action.type) {
    case 'open': {
      const others = work.open.filter((one) => one !== action.panel);
      return { ...work, open: action.on ? [...others, action.panel] : others };
    }
    case 'category':
      return withCategory({ ...work, category: categoryReducer(work.category, action.action) }, action.id);
    case 'groups': {
      const groups = groupsReducer(work.groups, action.action);
      const next = groups === work.groups ? work : { ...work, groups };
      switch (action.action.type) {
        case 'choose':
          return chosen(next, action.action.category);
        case 'logged':
          // The groups have changed, so a plan for people may be out of date.
          return action.action.what === 'ended' ? withMembers(next, { type: 'prepare-again' }) : next;
        default:
          return next;
      }
    }
    case 'members':
      return withMembers(work, action.action);
    case 'adopt': {
      const { part } = action;
      if (isSent(work[part])) return work;
      const open = work.open.includes(part) ? work.open : [...work.open, part];
      return { ...work, open, [part]: adopted(work[part], action) };
    }
  }
}

/** Tells whether the part has a submission that has not been dismissed with 'Done'. */
export function isSent(part: WizardParts): boolean {
  return part.wizard.view === 'progress';
}

function adopted<Part extends WizardParts>(part: Part, sent: { plan: string; import: string }): Part {
  return {
    ...part,
    ...NOT_PREPARED,
    wizard: { step: 0, view: 'progress' },
    // The tab that sent it has already logged its start.
    submission: { key: sent.plan, import: sent.import, logged: ['created'] },
  };
}

/** Selects a newly created category for creating groups. */
function withCategory(work: CourseWork, id: number | undefined): CourseWork {
  if (id === undefined) return work;
  const next = workReducer(work, { type: 'groups', action: { type: 'choose', category: id } });
  return next.open.includes('groups') ? next : { ...next, open: [...next.open, 'groups'] };
}

/** Selects the category of the groups in the part for people as well. */
function chosen(work: CourseWork, category: number | null): CourseWork {
  return withMembers(work, { type: 'choose', category });
}

function withMembers(work: CourseWork, action: MembersAction | WizardAction): CourseWork {
  const members = membersReducer(work.members, action);
  return members === work.members ? work : { ...work, members };
}

function groupsReducer(part: GroupsPart, action: GroupsAction | WizardAction): GroupsPart {
  // A submission does not change until 'Done'.
  const edit = (change: Partial<GroupsPart>) =>
    isSent(part) ? part : { ...part, ...change, ...NOT_PREPARED };
  const { ranges } = part;
  switch (action.type) {
    case 'choose':
      return action.category === part.category ? part : edit({ category: action.category });
    case 'range':
      return edit({
        ranges: ranges.map((one) => (one.id === action.id ? { ...one, ...action.change } : one)),
      });
    case 'add': {
      if (ranges.length >= MAX_GROUP_RANGES) return part;
      const id = Math.max(...ranges.map((one) => one.id)) + 1;
      return edit({ ranges: [...ranges, { ...firstRange, id }] });
    }
    case 'remove':
      // One row always remains (GRP-20).
      return ranges.length === 1 ? part : edit({ ranges: ranges.filter(({ id }) => id !== action.id) });
    case 'simulate':
      return isSent(part) ? part : { ...part, ...simulated(action.on) };
    case 'run-done':
      return ended(part);
    default:
      return wizardReducer(part, action, ONE_STEP);
  }
}

function membersReducer(part: MembersPart, action: MembersAction | WizardAction): MembersPart {
  const edit = (change: Partial<MembersPart>) =>
    isSent(part) ? part : { ...part, ...change, ...NOT_PREPARED };
  switch (action.type) {
    case 'way':
      return action.way === part.way ? part : edit({ way: action.way });
    case 'sample':
      return { ...part, sample: action.on };
    case 'simulate':
      return isSent(part) ? part : { ...part, ...simulated(action.on) };
    case 'choose': {
      if (action.category === part.category) return part;
      // A file names its groups by ID, in any category.
      const free = part.way === 'csv' && !isSent(part);
      return free ? { ...part, category: action.category } : edit({ category: action.category });
    }
    case 'spread':
      return edit({ by: action.by ?? part.by, onlyUnassigned: action.onlyUnassigned ?? part.onlyUnassigned });
    case 'input':
      return edit({});
    case 'run-done':
      return ended(part);
    default:
      return wizardReducer(part, action, ONE_STEP);
  }
}

/** Prepares the simulation again when it is turned on: the course may have changed since the last simulation. */
function simulated(on: boolean) {
  return on ? { simulate: on, ...NOT_PREPARED } : { simulate: on };
}

/** Keeps the entries after a submission: a new simulation shows that everything now exists. */
function ended<Part extends GroupsPart | MembersPart>(part: Part): Part {
  return isSent(part) ? { ...part, ...NEW_WIZARD, simulate: false } : part;
}
