/** Who of a course is in which group of a category, as a list and as a file (reference §15.3). */

import type { FastifyPluginAsync } from 'fastify';
import { flag, paramsOf } from '../../http/params.ts';
import { requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { paginate } from '../http/paging.ts';
import { type View, viewOf } from '../http/view.ts';
import { stringify } from '../sis/csv/write.ts';
import type { Group, GroupCategory, User } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { categoryOf } from './group-categories.ts';
import { groupedUsers, type Place, placeOf, studentsOf } from './group-places.ts';
import { groupsOf, membersOf } from './json/groups.ts';
import { mainLogin, userMatches, userOf } from './json/users.ts';
import { compareNames, searchTermOf } from './lists.ts';

const COLUMNS = ['name', 'canvas_user_id', 'user_id', 'login_id', 'sections', 'group_name'];
/** Missing while no one is in a group. */
const GROUP_COLUMNS = ['canvas_group_id', 'group_id'];

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

/** The students of a course; in an account those who are in its groups. By sortable name. */
function peopleOf(world: World, place: Place, category: GroupCategory): User[] {
  const ids = 'course_code' in place ? studentsOf(world, place) : groupedUsers(world, category);
  return [...ids]
    .map((id) => world.users.must(id))
    .sort((a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id);
}

function exportOf(view: View, place: Place, category: GroupCategory): string {
  const { world } = view;
  const groupsByUser = new Map<number, Group[]>();
  for (const group of groupsOf(view, category)) {
    for (const { user_id } of membersOf(view, group)) {
      groupsByUser.set(user_id, [...(groupsByUser.get(user_id) ?? []), group]);
    }
  }
  const hasMembers = groupsByUser.size > 0;
  const lines = [stringify(hasMembers ? [...COLUMNS, ...GROUP_COLUMNS] : COLUMNS)];
  for (const user of peopleOf(world, place, category)) {
    const login = mainLogin(view, user.id);
    const person = [
      user.name,
      user.id,
      login?.sis_user_id ?? null,
      login?.unique_id ?? null,
      sectionsOf(world, user, place),
    ];
    const groups = groupsByUser.get(user.id) ?? [null];
    for (const group of groups) {
      const cells = [...person, group?.name ?? null];
      lines.push(stringify(hasMembers ? [...cells, group?.id ?? null, group?.sis_source_id ?? null] : cells));
    }
  }
  return lines.join('');
}

function sectionsOf(world: World, user: User, place: Place): string {
  const names = world.enrollments.by.user
    .get(user.id)
    .filter((e) => e.course_id === place.id && e.workflow_state !== 'deleted')
    .map((e) => world.sections.must(e.course_section_id).name);
  return [...new Set(names)].sort(compareNames).join(', ');
}
