/** Whether rows of group members may be sent: each a group of a course in reach, and someone who is in that course. */
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { planMembers } from '@lms-admin/domain/group-members';
import { fits } from '@lms-admin/domain/group-plan';
import { type AskedMember, unanswered } from '@lms-admin/domain/group-references';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../auth/admin.ts';
import { type ElsewhereServices, findGroups, peopleElsewhere, requireAnswers } from './elsewhere.ts';
import { readGroupCourse } from './read-course.ts';

/** Groups whose course is looked for together: the groups of a course that was read need not be. */
const AT_ONCE = 16;

interface MemberRow {
  row: number;
  group_id: string;
  user_id: string;
  status: string;
}

/** What is wrong with which row. @throws CanvasError when the LMS cannot be asked */
export async function evaluateMemberRows(
  services: ElsewhereServices,
  admin: Admin,
  rows: readonly MemberRow[],
  signal: AbortSignal,
): Promise<Map<number, SisProblem>> {
  const problems = new Map<number, SisProblem>();
  const courses = await coursesOf(services, admin, rows, signal);
  const byCourse = new Map<CourseIndex, AskedMember[]>();
  for (const { row, group_id: group, user_id: person, status } of rows) {
    const index = courses.get(group);
    if (!index) {
      problems.set(row, {
        column: 'group_id',
        message: `Your courses have no group ${shown(group)}.`,
      });
      continue;
    }
    const those = byCourse.get(index) ?? [];
    byCourse.set(index, those);
    those.push({ row, person, group, status });
  }
  for (const [index, asked] of byCourse) {
    const { people } = unanswered(asked, { index, by: 'ids' });
    const found = await peopleElsewhere(services.people, admin, people, 'ids', { signal, fresh: true });
    requireAnswers(found);
    const elsewhere = { people: found, groups: new Map() };
    for (const { row, fate, column, why } of planMembers(asked, { index, by: 'ids', elsewhere }).rows) {
      if (fate === 'refused') problems.set(row, { column, message: why ?? '' });
    }
  }
  return problems;
}

/** The course of each group, as far as it is in reach, by the group's SIS ID. */
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
    // What was asked for and is no group of such a course is none of anybody's.
    for (const id of some) waiting.delete(id);
  }
  return found;
}
