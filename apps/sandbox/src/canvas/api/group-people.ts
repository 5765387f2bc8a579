/** The people in a course and their groups in a category, as a list and as a file (reference §15.3). */

import type { FastifyPluginAsync } from 'fastify';
import { flag, paramsOf } from '../../http/params.ts';
import { requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { paginate } from '../http/paging.ts';
import { type View, viewOf } from '../http/view.ts';
import { stringify } from '../sis/csv/write.ts';
import { LIVE } from '../store/enrollment-rules.ts';
import type { Enrollment, Group, GroupCategory, User } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { categoryOf } from './group-categories.ts';
import { groupedUsers, type Place, placeOf, studentsOf } from './group-places.ts';
import { groupsOf, membersOf } from './json/groups.ts';
import { mainLogin, userMatches, userOf } from './json/users.ts';
import { compareNames, searchTermOf } from './lists.ts';

export function groupPeopleRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/group_categories/:group_category_id/users', (request, reply) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups', 'read_roster');
      const view = viewOf(request, place);
      const unassigned = flag(paramsOf(request), 'unassigned');
      const grouped = groupedUsers(world, category);
      const term = searchTermOf(paramsOf(request));
      const users = peopleOf(world, place, category)
        .filter((user) => !unassigned || !grouped.has(user.id))
        .filter((user) => term === null || userMatches(view, user, term));
      return paginate(request, reply, users).map((user) => userOf(view, user));
    });

    app.get('/group_categories/:group_category_id/export', (request, reply) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${encodeURIComponent(category.name)}.csv"`)
        .send(exportOf(viewOf(request, place), place, category));
    });
  };
}

/** Returns the students in a course, or the members of an account's groups, by sortable name. */
function peopleOf(world: World, place: Place, category: GroupCategory): User[] {
  const ids = 'course_code' in place ? studentsOf(world, place) : groupedUsers(world, category);
  return [...ids]
    .map((id) => world.users.must(id))
    .sort((a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id);
}

/**
 * Writes one row for each active student, in order of their numbers; SIS IDs only if the caller can see them.
 */
function exportOf(view: View, place: Place, category: GroupCategory): string {
  const { world } = view;
  const groupByUser = new Map<number, Group>();
  for (const group of groupsOf(view, category))
    for (const { user_id } of membersOf(view, group)) groupByUser.set(user_id, group);
  const shown = (sis: string) => (view.sis ? [sis] : []);
  const header = [
    'name',
    'canvas_user_id',
    ...shown('user_id'),
    'login_id',
    'sections',
    'group_name',
    ...(groupByUser.size > 0 ? ['canvas_group_id', ...shown('group_id')] : []),
  ];
  const lines = [stringify(header)];
  for (const user of liveStudents(world, place)) {
    const login = mainLogin(view, user.id);
    const group = groupByUser.get(user.id);
    const cells: Record<string, string | number | null | undefined> = {
      name: user.sortable_name,
      canvas_user_id: user.id,
      user_id: login?.sis_user_id,
      login_id: login?.unique_id,
      sections: sectionsOf(world, user, place),
      group_name: group?.name,
      canvas_group_id: group?.id,
      group_id: group?.sis_source_id,
    };
    lines.push(stringify(header.map((name) => cells[name] ?? null)));
  }
  return lines.join('');
}

function liveStudents(world: World, place: Place): User[] {
  if (!('course_code' in place)) return [];
  const students = world.enrollments.by.course.get(place.id).filter(isLiveStudent);
  const ids = [...new Set(students.map((e) => e.user_id))].sort((a, b) => a - b);
  return ids.map((id) => world.users.must(id));
}

const isLiveStudent = ({ type, workflow_state }: Enrollment): boolean =>
  type === 'StudentEnrollment' && LIVE.has(workflow_state);

/** Returns the names of a student's sections, as Rails joins them: "A", "A and B", "A, B, and C". */
function sectionsOf(world: World, user: User, place: Place): string {
  const names = world.enrollments.by.user
    .get(user.id)
    .filter((e) => e.course_id === place.id && isLiveStudent(e))
    .map((e) => world.sections.must(e.course_section_id).name);
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names);
}
