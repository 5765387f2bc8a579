/** Shared by the group routes: their places, members and order (reference §6.10). */

import type { FastifyRequest } from 'fastify';
import { currentCaller, hasRight, requireRight } from '../http/auth.ts';
import { invalid, refused } from '../http/errors.ts';
import { findAccount, findCourse } from '../http/find.ts';
import { viewOf } from '../http/view.ts';
import { LIVE } from '../store/enrollment-rules.ts';
import { liveMembership, maySignUp } from '../store/group-rules.ts';
import type { Account, Course, Group, GroupCategory } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { groupsOf } from './json/groups.ts';
import { compareNames, pathParam } from './lists.ts';

/** A place that has groups and categories. */
export type Place = Account | Course;

/** Paths of the places, and how to find each place. */
export const PLACES: readonly [path: string, find: (request: FastifyRequest) => Place][] = [
  ['/courses/:course_id', (request) => findCourse(request, pathParam(request, 'course_id'))],
  ['/accounts/:account_id', (request) => findAccount(request, pathParam(request, 'account_id'))],
];

/**
 * Returns the SIS ID in a request, or undefined if there is none.
 * @throws ApiError 401 without permission, 400 if the SIS ID is in use.
 */
export function sisIdFor<T extends object>(
  request: FastifyRequest,
  sis: string | null,
  index: { get(key: string): T | undefined },
  self: T | null,
  verb: 'set' | 'update' = 'set',
): string | null | undefined {
  if (sis === null) return undefined;
  // Requires a permission in the root account, wherever the place is.
  if (!hasRight(request, currentCaller(request).world.rootAccount, 'manage_sis'))
    throw refused(401, `You must have manage_sis permission to ${verb} sis attributes`);
  const holder = index.get(sis);
  if (sis !== '' && holder && holder !== self)
    throw invalid('sis_source_id', `SIS ID "${sis}" is already in use`);
  return sis || null;
}

/**
 * Returns the place of a group that the caller can read: as a member of it, or with a permission in its
 * place. A person who can join the group can also see its members.
 * @throws ApiError 403
 */
export function readablePlace(request: FastifyRequest, group: Group, what: 'group' | 'members'): Place {
  const { world, user } = currentCaller(request);
  const place = placeOf(world, group);
  const isMember = liveMembership(world, group, user.id)?.workflow_state === 'accepted';
  if (!isMember && !(what === 'members' && maySignUp(world, group, user.id)))
    requireRight(request, place, 'manage_groups', 'view_group_pages');
  return place;
}

/** Adds a group to a category, with Canvas's defaults. */
export function addGroup(
  world: World,
  category: GroupCategory,
  fields: Partial<Group> & { name: string },
): Group {
  return world.groups.add({
    description: null,
    workflow_state: 'available',
    context_type: category.context_type,
    context_id: category.context_id,
    group_category_id: category.id,
    join_level: 'invitation_only',
    is_public: false,
    max_membership: category.group_limit,
    leader_id: null,
    sis_source_id: null,
    sis_batch_id: null,
    stuck_sis_fields: null,
    ...fields,
  });
}

export function countsOf(
  world: World,
  request: FastifyRequest,
  category: GroupCategory,
): Record<string, number> {
  const place = placeOf(world, category);
  const grouped = groupedUsers(world, category);
  const all = 'course_code' in place ? studentsOf(world, place) : grouped;
  return {
    groups_count: groupsOf(viewOf(request, place), category).length,
    unassigned_users_count: [...all].filter((id) => !grouped.has(id)).length,
  };
}

export function groupedUsers(world: World, category: GroupCategory): Set<number> {
  const ids = new Set<number>();
  for (const group of world.groups.by.category.get(category.id)) {
    if (group.workflow_state !== 'available') continue;
    for (const membership of world.groupMemberships.by.group.get(group.id)) {
      if (membership.workflow_state === 'accepted') ids.add(membership.user_id);
    }
  }
  return ids;
}

export function studentsOf(world: World, course: Course): Set<number> {
  return new Set(
    world.enrollments.by.course
      .get(course.id)
      .filter((e) => e.type === 'StudentEnrollment' && LIVE.has(e.workflow_state))
      .map((e) => e.user_id),
  );
}

export function placeOf(world: World, of: GroupCategory | Group): Place {
  return of.context_type === 'Course'
    ? world.courses.must(of.context_id)
    : world.accounts.must(of.context_id);
}

export function contextType(place: Place): 'Course' | 'Account' {
  return 'course_code' in place ? 'Course' : 'Account';
}

export function codeOf(place: Place): string {
  return `${contextType(place)}_${place.id}`;
}

export function byName(a: Group, b: Group): number {
  return compareNames(a.name, b.name) || a.id - b.id;
}
