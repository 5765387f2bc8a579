/** Group categories (reference §6.10). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { type Params, paramsOf, text } from '../../http/params.ts';
import { currentUser, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { findGroupCategory } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import { deleteGroup, isProtected } from '../store/group-rules.ts';
import type { GroupCategory } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { groupName, groupsFor, settingsFor } from './group-category-fields.ts';
import { assignInBackground, assignmentOf, assignUnassigned } from './group-distribution.ts';
import {
  addGroup,
  byName,
  codeOf,
  contextType,
  countsOf,
  PLACES,
  type Place,
  placeOf,
  sisIdFor,
} from './group-places.ts';
import { progressJson } from './json/files.ts';
import { groupCategoryJson, groupJson, groupsOf } from './json/groups.ts';
import { includesOf, pathParam } from './lists.ts';

export function groupCategoryRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    for (const [path, find] of PLACES) {
      app.get(`${path}/group_categories`, (request, reply) => {
        const place = find(request);
        requireRight(request, place, 'manage_groups');
        const view = viewOf(request, place);
        const wanted = text(paramsOf(request), 'collaboration_state');
        const categories =
          wanted === 'non_collaborative'
            ? []
            : world.groupCategories.by.context
                .get(codeOf(place))
                .filter((category) => category.deleted_at === null)
                .sort((a, b) => a.id - b.id);
        const callerId = currentUser(request).id;
        return paginate(request, reply, categories).map((category) => ({
          ...groupCategoryJson(view, category, callerId),
          ...included(world, request, category),
        }));
      });

      app.post(`${path}/group_categories`, (request) => {
        const place = find(request);
        requireRight(request, place, 'manage_groups');
        return createCategory(request, world, place);
      });
    }

    app.get('/group_categories/:group_category_id', (request) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      return {
        ...groupCategoryJson(viewOf(request, place), category, currentUser(request).id),
        ...included(world, request, category),
      };
    });

    app.put('/group_categories/:group_category_id', (request) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      const params = paramsOf(request);
      const settings = settingsFor(world, place, params, category);
      const { group_limit } = settings;
      const limits = group_limit === category.group_limit ? [] : world.groups.by.category.get(category.id);
      world.groupCategories.change(category, settings);
      // A new limit applies to every group.
      for (const group of limits) world.groups.change(group, { max_membership: group_limit });
      createGroups(world, place, category, params);
      setSisId(request, world, category, params);
      return {
        ...groupCategoryJson(viewOf(request, place), category, currentUser(request).id),
        ...included(world, request, category),
      };
    });

    app.delete('/group_categories/:group_category_id', (request) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      if (isProtected(category)) throw new ApiError(401, { status: 'unauthorized' });
      for (const group of groupsOf(viewOf(request, place), category)) {
        deleteGroup(world, group);
      }
      world.groupCategories.change(category, { deleted_at: world.now() });
      return groupCategoryJson(viewOf(request, place), category, currentUser(request).id);
    });

    app.get('/group_categories/:group_category_id/groups', (request, reply) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      const view = viewOf(request, place);
      const groups = groupsOf(view, category).sort(byName);
      return paginate(request, reply, groups).map((group) => groupJson(view, group));
    });
  };
}

/** @throws ApiError 404 with Canvas's special body (§6.10). */
export function categoryOf(request: FastifyRequest): GroupCategory {
  const category = findGroupCategory(request, pathParam(request, 'group_category_id'));
  if (!category) throw new ApiError(404, { status: 'not found' });
  return category;
}

function createCategory(request: FastifyRequest, world: World, place: Place): Record<string, unknown> {
  const params = paramsOf(request);
  const category = world.groupCategories.add({
    role: null,
    context_type: contextType(place),
    context_id: place.id,
    ...settingsFor(world, place, params, null),
    deleted_at: null,
    sis_source_id: null,
    sis_batch_id: null,
  });
  createGroups(world, place, category, params);
  // Canvas saves the category before it sets the SIS ID (§6.10), so the category remains if the SIS ID is rejected.
  setSisId(request, world, category, params);
  return {
    ...groupCategoryJson(viewOf(request, place), category, currentUser(request).id),
    ...countsOf(world, request, category),
    ...included(world, request, category),
  };
}

/** Creates the groups that a request asks for, and distributes people among them. */
function createGroups(world: World, place: Place, category: GroupCategory, params: Params): void {
  const { count, distribution } = groupsFor(place, params);
  for (let n = 1; n <= count; n++) addGroup(world, category, { name: `${groupName(category.name)} ${n}` });
  if (distribution === 'now') assignUnassigned(world, place, category);
  else if (distribution === 'later') assignInBackground(world, place, category);
}

/**
 * Returns additions to a category: the running assignment, and the fields that `includes[]` (not `include[]`)
 * requests.
 */
function included(world: World, request: FastifyRequest, category: GroupCategory): Record<string, unknown> {
  const asked = includesOf(request, 'includes');
  const progress = assignmentOf(world, category);
  const counted = ['groups_count', 'unassigned_users_count'].some((name) => asked.has(name));
  const counts = Object.entries(counted ? countsOf(world, request, category) : {});
  const view = viewOf(request, placeOf(world, category));
  return {
    ...(progress ? { progress: progressJson(request, progress) } : {}),
    ...Object.fromEntries(counts.filter(([name]) => asked.has(name))),
    ...(asked.has('groups')
      ? {
          groups: groupsOf(view, category)
            .sort(byName)
            .map((group) => groupJson(view, group)),
        }
      : {}),
  };
}

function setSisId(request: FastifyRequest, world: World, category: GroupCategory, params: Params): void {
  const { groupCategories } = world;
  const given = text(params, 'sis_group_category_id');
  const sis = sisIdFor(request, given, groupCategories.by.sis, category);
  if (sis !== undefined) groupCategories.change(category, { sis_source_id: sis });
}
