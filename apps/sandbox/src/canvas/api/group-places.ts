/** What the routes of groups share: where they lie, who is in them, how they are ordered (reference §6.10). */

import type { FastifyRequest } from 'fastify';
import { currentCaller, hasRight } from '../http/auth.ts';
import { invalid, refused } from '../http/errors.ts';
import { findAccount, findCourse } from '../http/find.ts';
import { viewOf } from '../http/view.ts';
import type { Account, Course, Group, GroupCategory } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { groupsOf } from './json/groups.ts';
import { compareNames, pathParam } from './lists.ts';

const NO_SIS_RIGHT = 'You must have manage_sis permission to set sis attributes';

/** Where groups and their categories lie. */
export type Place = Account | Course;

/** The paths of the places and how each is found. */
export const PLACES: readonly [path: string, find: (request: FastifyRequest) => Place][] = [
  ['/courses/:course_id', (request) => findCourse(request, pathParam(request, 'course_id'))],
  ['/accounts/:account_id', (request) => findAccount(request, pathParam(request, 'account_id'))],
];

/**
 * The SIS ID that a request gives; undefined = none.
 * @throws ApiError 401 without the right, 400 when the SIS ID is taken.
 */
export function sisIdFor<T extends object>(
  request: FastifyRequest,
  sis: string | null,
  index: { get(key: string): T | undefined },
  self: T | null,
): string | null | undefined {
  if (sis === null) return undefined;
  // A right of the root account, whatever account the place lies in.
  if (!hasRight(request, currentCaller(request).world.rootAccount, 'manage_sis'))
    throw refused(401, NO_SIS_RIGHT);
  const holder = index.get(sis);
  if (sis !== '' && holder && holder !== self)
    throw invalid('sis_source_id', `SIS ID "${sis}" is already in use`);
  return sis || null;
}

/** A new group of a category, as Canvas makes it when nothing else is said. */
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
      .filter((e) => e.type === 'StudentEnrollment' && ['active', 'invited'].includes(e.workflow_state))
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
