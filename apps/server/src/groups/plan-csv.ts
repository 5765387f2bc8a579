/** Writes the CSV of a plan of groups or members with the rows that are still valid. Runs before each sending. */
import type { CourseIndex } from '@lms-admin/domain/group-course';
import {
  evaluateGroup,
  type GroupEvaluation,
  type GroupFate,
  groupCells,
  unknownGroupIds,
} from '@lms-admin/domain/group-plan';
import { shown } from '@lms-admin/domain/sis-rows';
import { GROUP_HEADER } from '@lms-admin/domain/sis-tables/groups';
import type { Admin } from '../auth/admin.ts';
import type { PlannedCsv } from '../imports/sources.ts';
import { type PlanCourse, rewriteRows } from '../plans/store.ts';
import { csvOf } from './csv-of.ts';
import { type ElsewhereServices, groupsElsewhere } from './elsewhere.ts';
import { membersCsv, type SendingServices } from './members-csv.ts';
import type { KeptGroups, KeptRows } from './plan-parts.ts';
import { readGroups } from './read-course.ts';

/**
 * @param admin with the current access
 * @throws CanvasError if the LMS is unavailable; AppError if it no longer shows SIS IDs
 */
export async function groupPlanCsv(
  services: SendingServices,
  admin: Admin,
  planId: string,
  { courseId, sisCourseId, rows }: PlanCourse<KeptRows>,
  signal: AbortSignal,
): Promise<PlannedCsv> {
  const uncached = { ...services, scope: services.scope.withoutCache() };
  const course = await uncached.scope.course(admin, courseId, signal);
  if (course?.sis_course_id !== sisCourseId) {
    const why = course
      ? 'it now has a different SIS ID.'
      : 'it no longer exists, or you no longer have access to it.';
    return nothing(`Course ${shown(sisCourseId)} (${courseId}) was skipped: ${why}`);
  }
  if (rows.kind === 'groups') return groupsCsv(uncached, admin, courseId, rows, signal);
  const { recorded, ...csv } = await membersCsv(uncached, admin, courseId, rows, signal);
  return {
    ...csv,
    record: await rewriteRows<KeptRows>(planId, [{ courseId, rows: { ...rows, ...recorded } }]),
  };
}

function nothing(why: string): PlannedCsv {
  return { ...csvOf([], []), leftOut: [why] };
}

async function groupsCsv(
  services: ElsewhereServices,
  admin: Admin,
  course: number,
  { category: planned, rows, same = [] }: KeptGroups,
  signal: AbortSignal,
): Promise<PlannedCsv> {
  const index = await readGroups({ canvas: services.canvas, token: admin.token, signal }, course);
  const category = index.category(planned.id);
  if (category?.sisId !== planned.sisId) {
    const why = category ? 'it now has a different SIS ID.' : 'the course no longer has it.';
    return nothing(`The group category ${shown(planned.name)} was skipped: ${why}`);
  }
  const ids = unknownGroupIds(
    rows.map((one) => one.sis_group_id),
    index,
  );
  const elsewhere = await groupsElsewhere(services, admin, ids, signal);
  const leftOut = same.flatMap((one) => groupChangedSince(one, category.id, index));
  let settled = leftOut.length === 0;
  const kept = rows.filter((row) => {
    const { sis_group_id: id, name } = row;
    const now = evaluateGroup({ id, name }, category, index, elsewhere);
    // A name that was not in the review is not overwritten.
    if (now.fate === row.fate && (index.groupWithId(id)?.name ?? null) === row.was) return true;
    if (now.fate !== 'there') settled = false;
    const why = whyNotGroup(row.fate, now);
    leftOut.push(`The group ${shown(name)} was skipped: ${why}`);
    return false;
  });
  return {
    ...csvOf(
      GROUP_HEADER,
      kept.map((row) => groupCells(planned.sisId, row)),
    ),
    leftOut,
    settled,
  };
}

/** Returns why a reviewed group is not sent as planned. */
function whyNotGroup(planned: GroupFate, now: GroupEvaluation): string | null {
  if (now.fate === 'new') return 'The group to be renamed no longer exists.';
  if (now.fate !== 'there') return now.why;
  return planned === 'new'
    ? 'Another import or someone in the LMS has already created this group.'
    : 'Another import or someone in the LMS has already given the group this name.';
}

/** Returns a sentence for a group that existed at the review and was changed by others since. */
function groupChangedSince(
  { sis_group_id: id, name }: NonNullable<KeptGroups['same']>[number],
  category: number,
  index: CourseIndex,
): string[] {
  const group = index.groupWithId(id);
  if (group?.name === name && group.category === category) return [];
  const is =
    group?.category === category ? `is now called ${shown(group.name)}` : 'is no longer in its category';
  return [
    `The group ${shown(name)} existed at the time of the review and ${is}. Another import or someone in the LMS changed this. LMS Admin left it unchanged.`,
  ];
}
