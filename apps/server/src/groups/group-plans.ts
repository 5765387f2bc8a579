/** Plans for creating groups: which are new, and which ids conflict. Planning changes nothing (area GRP). */

import type { GroupPlan, GroupPlanRequest } from '@lms-admin/contract/groups';
import { GROUP_PLAN } from '@lms-admin/contract/plan-kinds';
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { planGroups, unknownGroupIds } from '@lms-admin/domain/group-plan';
import { groupNames, groupSisId } from '@lms-admin/domain/groups';
import { counted } from '@lms-admin/domain/numbers';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { noSuchPlan, readPlan, writePlan } from '../plans/store.ts';
import { AppError } from '../platform/errors.ts';
import { groupsElsewhere } from './elsewhere.ts';
import {
  counting,
  type GroupPlanProgress,
  type GroupServices,
  type KeptGroups,
  type KeptRows,
  openCategory,
  openCourse,
  TOOL,
} from './plan-parts.ts';
import { readGroups } from './read-course.ts';

export interface GroupPlans {
  /** @throws AppError not-allowed, not-found (course), bad-request */
  check(admin: Admin, request: GroupPlanRequest): Promise<{ label: string }>;
  /** Makes a plan and stores it for a day. @throws like `check`; CanvasError; the signal's reason */
  make(admin: Admin, request: GroupPlanRequest, id: string, progress: GroupPlanProgress): Promise<GroupPlan>;
  /** Returns a plan that this admin made. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<GroupPlan>;
}

export function createGroupPlans(services: GroupServices): GroupPlans {
  const { db, identity } = services;

  return {
    async check(admin, { course: id, ranges }) {
      const names = namesOf(ranges);
      const course = await openCourse(services, admin, id);
      return { label: `Review: ${counted(names.length, 'group')} in ${course.name}` };
    },

    make: (admin, request, id, progress) => makePlan(services, admin, { request, id, progress }),

    async get(admin, id) {
      requireTool(admin, TOOL);
      const plan = await readPlan<GroupPlan>(db.db, admin.login, GROUP_PLAN, id, identity.known());
      if (!plan) throw noSuchPlan();
      return plan;
    },
  };
}

async function makePlan(
  services: GroupServices,
  admin: Admin,
  { request, id, progress }: { request: GroupPlanRequest; id: string; progress: GroupPlanProgress },
): Promise<GroupPlan> {
  const { canvas, db, identity } = services;
  const { signal } = progress;
  const names = namesOf(request.ranges);
  const lms = await identity.lastSeen(admin.token);
  const course = await openCourse(services, admin, request.course, signal);
  progress.onStep({ stage: 'Reading the course', unit: 'groups', done: 0, total: null });
  const index = await readGroups({ canvas, token: admin.token, signal }, course.id);
  const category = openCategory(index, request.category);
  const ids = names.map((name) => groupSisId(course.sis_course_id, name));
  const unknownIds = unknownGroupIds(ids, index);
  const onResult = counting(progress, { stage: 'Looking up groups', unit: 'groups' }, unknownIds.length);
  const elsewhere = await groupsElsewhere(services, admin, unknownIds, signal, { onResult, here: course.id });
  const groups = planGroups(course.sis_course_id, names, category, index, elsewhere);
  const totals = totalsOf(groups);
  const summary = {
    id,
    created_at: new Date().toISOString(),
    course,
    category: { id: category.id, name: category.name, sis_group_category_id: category.sisId },
    groups,
    totals,
  };
  signal.throwIfAborted();
  await writePlan<KeptRows>(db.db, {
    login: admin.login,
    tool: TOOL,
    kind: GROUP_PLAN,
    roleId: null,
    status: null,
    label: `${labelOf(totals)} in ${course.name}`,
    lms,
    // Undo never deletes groups: people may have been added since.
    undoable: false,
    summary,
    people: [],
    courses: [
      {
        courseId: course.id,
        sisCourseId: course.sis_course_id,
        rowCount: totals.rows,
        rows: keptOf(groups, category, index),
      },
    ],
  });
  return { ...summary, import_id: null };
}

type PlannedGroup = GroupPlan['groups'][number];

function totalsOf(groups: readonly PlannedGroup[]): GroupPlan['totals'] {
  const count = (fate: PlannedGroup['fate']) => groups.filter((one) => one.fate === fate).length;
  return {
    new: count('new'),
    there: count('there'),
    renamed: count('renamed'),
    refused: count('refused'),
    rows: groups.filter(isSent).length,
  };
}

const isSent = ({ fate }: PlannedGroup) => fate === 'new' || fate === 'renamed';

/** Returns the parts of a plan that are needed for sending. */
function keptOf(
  groups: readonly PlannedGroup[],
  { id, name, sisId }: ReturnType<typeof openCategory>,
  index: CourseIndex,
): KeptGroups {
  return {
    kind: 'groups',
    category: { id, name, sisId },
    rows: groups.filter(isSent).map((one) => ({
      sis_group_id: one.sis_group_id,
      name: one.name,
      fate: one.fate,
      was: index.groupWithId(one.sis_group_id)?.name ?? null,
    })),
    same: groups.flatMap((one) =>
      one.fate === 'there' ? [{ sis_group_id: one.sis_group_id, name: one.name }] : [],
    ),
  };
}

/** @throws AppError bad-request if the rows produce no group (GRP-18, OP-78) */
function namesOf(ranges: GroupPlanRequest['ranges']): string[] {
  const names = groupNames(ranges);
  if (names.length > 0) return names;
  throw new AppError('bad-request', {
    message: 'These rows create no groups.',
    next: 'Enter a prefix, and an end number that is not lower than the start number.',
  });
}

/** Labels a plan: `Create 12 groups`, `Create 1 group and rename 2`. */
function labelOf(totals: GroupPlan['totals']): string {
  if (totals.renamed === 0) return `Create ${counted(totals.new, 'group')}`;
  if (totals.new === 0) return `Rename ${counted(totals.renamed, 'group')}`;
  return `Create ${counted(totals.new, 'group')} and rename ${totals.renamed}`;
}
