/** Plans of groups that are to be made: which are new, and which ids stand in the way. Nothing is changed here (area GRP). */

import type { GroupPlan, GroupPlanRequest } from '@lms-admin/contract/groups';
import { GROUP_PLAN } from '@lms-admin/contract/plan-kinds';
import { planGroups, unknownGroupIds } from '@lms-admin/domain/group-plan';
import { groupNames, groupSisId } from '@lms-admin/domain/groups';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { noSuchPlan, readPlan, writePlan } from '../imports/plan-store.ts';
import { AppError } from '../platform/errors.ts';
import { counted } from '../platform/text.ts';
import { groupsElsewhere } from './elsewhere.ts';
import {
  counting,
  type GroupPlanProgress,
  type GroupServices,
  type KeptRows,
  openCategory,
  openCourse,
  TOOL,
} from './plan-parts.ts';
import { readGroups } from './read-course.ts';

export interface GroupPlans {
  /** @throws AppError not-allowed, not-found (course), bad-request */
  check(admin: Admin, request: GroupPlanRequest): Promise<{ label: string }>;
  /** Works out a plan and stores it for a day. @throws like `check`; CanvasError; the signal's reason */
  make(admin: Admin, request: GroupPlanRequest, id: string, progress: GroupPlanProgress): Promise<GroupPlan>;
  /** A plan that this admin made. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<GroupPlan>;
}

export function createGroupPlans(services: GroupServices): GroupPlans {
  const { canvas, db, identity } = services;

  return {
    async check(admin, { course: id, ranges }) {
      const names = namesOf(ranges);
      const course = await openCourse(services, admin, id);
      return { label: `Review: ${counted(names.length, 'group')} in ${course.name}` };
    },

    async make(admin, request, id, progress) {
      const { signal } = progress;
      const names = namesOf(request.ranges);
      const lms = await identity.lastSeen(admin.token);
      const course = await openCourse(services, admin, request.course, signal);
      progress.onStep({ stage: 'Reading the course', unit: 'groups', done: 0, total: null });
      const index = await readGroups({ canvas, token: admin.token, signal }, course.id);
      const category = openCategory(index, request.category);
      const ids = names.map((name) => groupSisId(course.sis_course_id, name));
      const asked = unknownGroupIds(ids, index);
      const onResult = counting(progress, { stage: 'Looking up groups', unit: 'groups' }, asked.length);
      const elsewhere = await groupsElsewhere(services, admin, asked, signal, { onResult, here: course.id });
      const groups = planGroups(course.sis_course_id, names, category, index, elsewhere);
      const sent = groups.filter(({ fate }) => fate === 'new' || fate === 'renamed');
      const count = (fate: string) => groups.filter((one) => one.fate === fate).length;
      const summary = {
        id,
        created_at: new Date().toISOString(),
        course,
        category: { id: category.id, name: category.name, sis_group_category_id: category.sisId },
        groups,
        totals: {
          new: count('new'),
          there: count('there'),
          renamed: count('renamed'),
          refused: count('refused'),
          rows: sent.length,
        },
      };
      signal.throwIfAborted();
      await writePlan<KeptRows>(db.db, {
        login: admin.login,
        tool: TOOL,
        kind: GROUP_PLAN,
        roleId: null,
        status: null,
        label: `${labelOf(summary.totals)} in ${course.name}`,
        lms,
        // Groups are not deleted again: people may have been put into them since.
        undoable: false,
        summary,
        people: [],
        courses: [
          {
            courseId: course.id,
            sisCourseId: course.sis_course_id,
            rowCount: sent.length,
            rows: {
              kind: 'groups',
              category: { id: category.id, name: category.name, sisId: category.sisId },
              rows: sent.map(({ sis_group_id, name, fate }) => ({
                sis_group_id,
                name,
                fate,
                was: index.groupWithId(sis_group_id)?.name ?? null,
              })),
              same: groups.flatMap(({ sis_group_id, name, fate }) =>
                fate === 'there' ? [{ sis_group_id, name }] : [],
              ),
            },
          },
        ],
      });
      return { ...summary, import_id: null };
    },

    async get(admin, id) {
      requireTool(admin, TOOL);
      const plan = await readPlan<GroupPlan>(db.db, admin.login, GROUP_PLAN, id, identity.known());
      if (!plan) throw noSuchPlan();
      return plan;
    },
  };
}

/** @throws AppError bad-request where no group comes of the rows (GRP-18, OP-78) */
function namesOf(ranges: GroupPlanRequest['ranges']): string[] {
  const names = groupNames(ranges);
  if (names.length > 0) return names;
  throw new AppError('bad-request', {
    message: 'No group comes of these rows.',
    next: 'Give a prefix, and an end that is not below the start.',
  });
}

/** `Create 12 groups`, `Create 1 group and rename 2`. */
function labelOf(totals: GroupPlan['totals']): string {
  if (totals.renamed === 0) return `Create ${counted(totals.new, 'group')}`;
  if (totals.new === 0) return `Rename ${counted(totals.renamed, 'group')}`;
  return `Create ${counted(totals.new, 'group')} and rename ${totals.renamed}`;
}
