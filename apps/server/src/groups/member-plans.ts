/** Plans for group members: who is added, moved or removed, row by row. Planning changes nothing (area GRP). */

import type { MemberPlan, MemberPlanRequest } from '@lms-admin/contract/groups';
import { MEMBER_PLAN } from '@lms-admin/contract/plan-kinds';
import { changes, type MemberDifference, planMembers } from '@lms-admin/domain/group-members';
import { type MemberReader, type RequestedMember, unanswered } from '@lms-admin/domain/group-references';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { noSuchPlan, readPlan } from '../plans/store.ts';
import { copiedRows } from './copied-members.ts';
import type { FoundElsewhere } from './elsewhere.ts';
import {
  type CopiedMember,
  type GroupPlanProgress,
  type GroupServices,
  openCourse,
  TOOL,
} from './plan-parts.ts';
import { readGroupCourse } from './read-course.ts';
import { courseRows, fileRows } from './requested-members.ts';
import { lookUpGroups, lookUpPeople, writeMemberPlan } from './write-members.ts';

export interface MemberPlans {
  /** @throws AppError not-allowed, not-found (course), bad-request */
  check(admin: Admin, request: MemberPlanRequest): Promise<{ label: string }>;
  /**
   * Makes a plan and stores it for a day.
   * @throws like `check`; AppError bad-request (the file), too-many-rows; CanvasError; the signal's reason
   */
  make(
    admin: Admin,
    request: MemberPlanRequest,
    id: string,
    progress: GroupPlanProgress,
  ): Promise<MemberPlan>;
  /** Returns a plan that this admin made. @throws AppError not-allowed, not-found */
  get(admin: Admin, id: string): Promise<MemberPlan>;
}

export function createMemberPlans(services: GroupServices): MemberPlans {
  const { canvas, db, identity } = services;

  return {
    async check(admin, { course: id }) {
      const course = await openCourse(services, admin, id);
      return { label: `Review: people in groups of ${course.name}` };
    },

    async make(admin, request, id, progress) {
      const { signal } = progress;
      const lms = await identity.lastSeen(admin.token);
      const course = await openCourse(services, admin, request.course, signal);
      const fromFile = await fileRows(request.from);
      const reading = { stage: 'Reading the course', unit: 'people', total: null } as const;
      progress.onStep({ ...reading, done: 0 });
      const index = await readGroupCourse({ canvas, token: admin.token, signal }, course.id, (done) =>
        progress.onStep({ ...reading, done }),
      );
      const read = fromFile ?? courseRows(request.from, index);
      const { rows: requested, by, source, unsent = [], unfilled = [] } = read;
      const compared = await compareMembers(services, admin, { requested, index, by }, progress);
      const { difference, copied, rows: copiedMembers } = compared;
      return writeMemberPlan(
        services,
        admin,
        {
          id,
          lms,
          course,
          source,
          index,
          difference,
          ...(copiedMembers.length > 0 && { copied: { by, rows: copiedMembers } }),
          more: { unsent, unfilled, copied },
        },
        signal,
      );
    },

    async get(admin, id) {
      requireTool(admin, TOOL);
      const plan = await readPlan<MemberPlan>(db.db, admin.login, MEMBER_PLAN, id, identity.known());
      if (!plan) throw noSuchPlan();
      return plan;
    },
  };
}

interface Comparison extends Pick<FoundElsewhere, 'copied'> {
  difference: MemberDifference;
  /** Rows that are not sent because of people in the directory's copy. */
  rows: CopiedMember[];
}

/**
 * Looks up who is not in the course's list, and compares the rows with the course. Repeats this without the directory's
 * copy if there are no rows to send: then nothing is sent, so nothing would check the copy.
 */
async function compareMembers(
  services: GroupServices,
  admin: Admin,
  { requested, ...reader }: Pick<MemberReader, 'index' | 'by'> & { requested: readonly RequestedMember[] },
  progress: GroupPlanProgress,
): Promise<Comparison> {
  const texts = unanswered(requested, reader);
  const groups = await lookUpGroups(services, admin, texts.groups, progress);
  const compare = async (isRetry: boolean): Promise<Comparison> => {
    const { people, copied } = await lookUpPeople(services, admin, texts.people, reader, {
      ...progress,
      isRetry,
    });
    const difference = planMembers(requested, { ...reader, elsewhere: { groups, people } });
    return { copied, difference, rows: copiedRows(requested, difference.rows, people) };
  };
  const first = await compare(false);
  if (first.copied === null || first.difference.rows.some(changes)) return first;
  return compare(true);
}
