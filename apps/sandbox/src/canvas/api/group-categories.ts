/** Group categories (reference §6.10). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { type Params, paramsOf, text } from '../../http/params.ts';
import { currentUser, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, invalid } from '../http/errors.ts';
import { findGroupCategory } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import { isProtected, isReservedName } from '../store/group-rules.ts';
import type { GroupCategory } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { assignInBackground, assignmentOf } from './group-distribution.ts';
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
import { pathParam } from './lists.ts';

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
        return paginate(request, reply, categories).map((category) =>
          groupCategoryJson(view, category, callerId),
        );
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
        ...countsOf(world, request, category),
      };
    });

    app.put('/group_categories/:group_category_id', (request) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      const params = paramsOf(request);
      const patch: Partial<GroupCategory> = {};
      if (text(params, 'name') !== null) patch.name = checkedName(world, place, params, category);
      // As `GroupCategories::ParamsPolicy` does: a setting that is not sent again is set back.
      Object.assign(patch, settingsOf(params));
      world.groupCategories.change(category, patch);
      setSisId(request, world, category, params);
      return groupCategoryJson(viewOf(request, place), category, currentUser(request).id);
    });

    app.delete('/group_categories/:group_category_id', (request) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      if (isProtected(category)) throw new ApiError(401, { status: 'unauthorized' });
      for (const group of groupsOf(viewOf(request, place), category)) {
        world.groups.change(group, { workflow_state: 'deleted' });
      }
      world.groupCategories.change(category, { deleted_at: world.now() });
      return groupCategoryJson(viewOf(request, place), category, currentUser(request).id);
    });

    app.get('/group_categories/:group_category_id/groups', (request, reply) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups', 'read_roster');
      const view = viewOf(request, place);
      const groups = groupsOf(view, category).sort(byName);
      return paginate(request, reply, groups).map((group) => groupJson(view, group));
    });
  };
}

/** @throws ApiError 404 with a body of its own (§6.10). */
export function categoryOf(request: FastifyRequest): GroupCategory {
  const category = findGroupCategory(request, pathParam(request, 'group_category_id'));
  if (!category) throw new ApiError(404, { status: 'not found' });
  return category;
}

function createCategory(request: FastifyRequest, world: World, place: Place): Record<string, unknown> {
  const params = paramsOf(request);
  const category = world.groupCategories.add({
    name: checkedName(world, place, params, null),
    role: null,
    context_type: contextType(place),
    context_id: place.id,
    ...settingsOf(params),
    deleted_at: null,
    sis_source_id: null,
    sis_batch_id: null,
  });
  // Canvas saves the category first and sets the SIS ID after it (§6.10): a refusal leaves the category.
  setSisId(request, world, category, params);
  const split = Number(text(params, 'split_group_count') ?? 0);
  const count = Number(text(params, 'create_group_count') ?? split);
  for (let n = 1; n <= Math.min(count, 200); n++)
    addGroup(world, category, { name: `${category.name} ${n}` });
  // Shared out once that is answered, unless people choose their group themselves.
  if (split > 0 && category.self_signup === null) assignInBackground(world, place, category);
  const progress = assignmentOf(world, category);
  return {
    ...groupCategoryJson(viewOf(request, place), category, currentUser(request).id),
    ...countsOf(world, request, category),
    ...(progress ? { progress: progressJson(request, progress) } : {}),
  };
}

/** @throws ApiError 400 for a name that is blank, reserved, or taken in the same place (§6.10). */
function checkedName(world: World, place: Place, params: Params, self: GroupCategory | null): string {
  const name = text(params, 'name')?.trim() ?? '';
  if (name === '') throw invalid('name', 'Name is required');
  if (name.length > 250) throw invalid('name', 'Enter a shorter category name');
  if ('course_code' in place && isReservedName(name)) throw invalid('name', `${name} is a reserved name.`);
  const taken = world.groupCategories.by.context
    .get(codeOf(place))
    .some((other) => other !== self && other.deleted_at === null && other.name === name);
  if (taken) throw invalid('name', `${name} is already in use.`);
  return name;
}

function settingsOf(params: Params): Pick<GroupCategory, 'self_signup' | 'auto_leader' | 'group_limit'> {
  const signup = text(params, 'self_signup');
  const leader = text(params, 'auto_leader');
  const limit = Number(text(params, 'group_limit') ?? Number.NaN);
  return {
    self_signup: signup === 'enabled' || signup === 'restricted' ? signup : null,
    auto_leader: leader === 'first' || leader === 'random' ? leader : null,
    group_limit: Number.isInteger(limit) && limit > 0 ? limit : null,
  };
}

function setSisId(request: FastifyRequest, world: World, category: GroupCategory, params: Params): void {
  const { groupCategories } = world;
  const given = text(params, 'sis_group_category_id');
  const sis = sisIdFor(request, given, groupCategories.by.sis, category);
  if (sis !== undefined) groupCategories.change(category, { sis_source_id: sis });
}
