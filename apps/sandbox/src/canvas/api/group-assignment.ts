/** `POST /group_categories/:id/assign_unassigned_members` (reference §15.3). */

import type { FastifyPluginAsync } from 'fastify';
import { flag, paramsOf } from '../../http/params.ts';
import { requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import type { GroupCategory, User } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { categoryOf } from './group-categories.ts';
import { assignInBackground, assignUnassigned } from './group-distribution.ts';
import { type Place, placeOf } from './group-places.ts';
import { progressJson } from './json/files.ts';

export function groupAssignmentRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.post('/group_categories/:group_category_id/assign_unassigned_members', (request) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      // Self-organised groups, and groups limited to one section, are filled by people themselves.
      if (category.role === 'student_organized' || category.self_signup === 'restricted')
        throw new ApiError(400, {});
      if (flag(paramsOf(request), 'sync')) return newMembers(world, place, category);
      const progress = assignInBackground(world, place, category);
      return progressJson(request, progress);
    });
  };
}

/** Lists the new members of each group, which is the answer to `sync`. */
function newMembers(world: World, place: Place, category: GroupCategory): Record<string, unknown>[] {
  const sectionsOf = (user: User) =>
    world.enrollments.by.user
      .get(user.id)
      .filter((e) => e.course_id === place.id && e.workflow_state === 'active')
      .map((e) => world.sections.must(e.course_section_id));
  return [...assignUnassigned(world, place, category)].map(([group, users]) => ({
    id: group.id,
    new_members: users.map((user) => ({
      user_id: user.id,
      name: user.sortable_name,
      display_name: user.short_name,
      sections: sectionsOf(user).map(({ id, name }) => ({ section_id: id, section_code: name })),
    })),
  }));
}
