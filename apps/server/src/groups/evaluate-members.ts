/** Checks rows of group members: each must name a group of a course in scope, and a person in that course. */
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { planMembers } from '@lms-admin/domain/group-members';
import { fits } from '@lms-admin/domain/group-plan';
import { type RequestedMember, unanswered } from '@lms-admin/domain/group-references';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../auth/admin.ts';
import { type ElsewhereServices, findGroups, peopleElsewhere, requireAnswers } from './elsewhere.ts';
import { readGroupCourse } from './read-course.ts';

/** Number of groups whose course is looked up at once; groups of a course already read are skipped. */
const AT_ONCE = 16;

interface MemberRow {
  row: number;
  group_id: string;
  user_id: string;
  status: string;
}

/** Returns the problem of each invalid row. @throws CanvasError if the LMS does not answer */
export async function evaluateMemberRows(
  services: ElsewhereServices,
  admin: Admin,
  rows: readonly MemberRow[],
  signal: AbortSignal,
): Promise<Map<number, SisProblem>> {
  const problems = new Map<number, SisProblem>();
  const courses = await coursesOf(services, admin, rows, signal);
  const byCourse = new Map<CourseIndex, RequestedMember[]>();
  for (const { row, group_id: group, user_id: person, status } of rows) {
    const index = courses.get(group);
    if (!index) {
      problems.set(row, {
        column: 'group_id',
        message: `Your courses have no group ${shown(group)}.`,
      });
      continue;
    }
    const courseRows = byCourse.get(index) ?? [];
    byCourse.set(index, courseRows);
    courseRows.push({ row, person, group, status });
  }
  for (const [index, requested] of byCourse) {
    const { people } = unanswered(requested, { index, by: 'ids' });
    const found = await peopleElsewhere(services.people, admin, people, 'ids', { signal, fresh: true });
    requireAnswers(found);
    const elsewhere = { people: found, groups: new Map() };
    for (const { row, fate, column, why } of planMembers(requested, { index, by: 'ids', elsewhere }).rows) {
      if (fate === 'refused') problems.set(row, { column, message: why ?? '' });
    }
  }
  return problems;
}

/** Returns the course of each group in scope, by the group's SIS ID. */
async function coursesOf(
  { canvas, scope }: ElsewhereServices,
  admin: Admin,
  rows: readonly MemberRow[],
  signal: AbortSignal,
): Promise<Map<string, CourseIndex>> {
  const found = new Map<string, CourseIndex>();
  const read = new Set<number>();
  const waiting = new Set(rows.map((one) => one.group_id).filter(fits));
  while (waiting.size > 0) {
    const some = [...waiting].slice(0, AT_ONCE);
    const groups = await findGroups(canvas, admin, some, signal);
    const named = [...groups.values()].flatMap(({ course }) => course ?? []);
    const known = await scope.courses(admin, named, signal);
    for (const id of known.keys()) {
      if (read.has(id)) continue;
      read.add(id);
      const index = await readGroupCourse({ canvas, token: admin.token, signal }, id);
      for (const { sisId } of index.course.groups) {
        if (sisId === null) continue;
        found.set(sisId, index);
        waiting.delete(sisId);
      }
    }
    // Looked-up ids that are not groups of such a course are not looked up again.
    for (const id of some) waiting.delete(id);
  }
  return found;
}
