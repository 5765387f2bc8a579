/** Kinds of jobs that make plans for Group Enrollment. */

import { undoRequest } from '@lms-admin/contract/enrollments';
import { groupPlanRequest, memberPlanRequest } from '@lms-admin/contract/groups';
import { GROUP_PLAN, MEMBER_PLAN, UNDO_KINDS } from '@lms-admin/contract/plan-kinds';
import type { ActFor } from '../access/acting.ts';
import type { StartableKind } from '../jobs/start.ts';
import { planKind } from '../plans/kind.ts';
import type { GroupPlans } from './group-plans.ts';
import type { MemberPlans } from './member-plans.ts';
import { shownGroupStep, TOOL } from './plan-parts.ts';
import type { MemberUndo } from './undo.ts';

/** Returns the kinds for both types of plans, and for undoing an import of members. */
export function groupPlanKinds(parts: {
  groups: GroupPlans;
  members: MemberPlans;
  undo: MemberUndo;
  actFor: ActFor;
}): StartableKind[] {
  const { actFor, groups, members, undo } = parts;
  const shared = { tool: TOOL, begins: 'Reading the course', shown: shownGroupStep, actFor } as const;
  return [
    planKind({ ...shared, id: GROUP_PLAN, input: groupPlanRequest, planner: groups }),
    planKind({ ...shared, id: MEMBER_PLAN, input: memberPlanRequest, takesList: true, planner: members }),
    planKind({ ...shared, id: UNDO_KINDS[TOOL], input: undoRequest, planner: undo }),
  ];
}
