/** Rules for group members, whether a file or a person adds them (reference §15.2). */

import { LIVE } from './enrollment-rules.ts';
import type { Course, EnrollmentState, Group, GroupCategory, GroupMembership } from './model.ts';
import type { World } from './world.ts';

/**
 * Returns whether a person can be in several groups of the category, as in student groups and communities.
 */
export function allowsMany(category: GroupCategory | undefined): boolean {
  return category?.role === 'student_organized' || category?.role === 'communities';
}

/** Returns whether Canvas manages the category, which then cannot be deleted. */
export function isProtected({ role }: GroupCategory): boolean {
  return role !== null && role !== 'imported';
}

/**
 * Returns whether a person can join and leave the groups of a category, which can require a section shared
 * with all members.
 */
export function maySignUp(world: World, group: Group, userId: number): boolean {
  const category = world.groupCategories.get(group.group_category_id);
  if (!category || group.context_type !== 'Course') return false;
  const sections = sectionsOf(world, userId, group.context_id, ACTIVE);
  if (sections.size === 0) return false;
  if (category.role === 'student_organized') return group.join_level === 'parent_context_auto_join';
  if (category.self_signup !== 'restricted') return category.self_signup === 'enabled';
  return haveCommonSection(world, group, [userId]);
}

/** Returns whether there is a section of the course that all members of a group, and these people, are in. */
export function haveCommonSection(world: World, group: Group, people: readonly number[]): boolean {
  const members = world.groupMemberships.by.group
    .get(group.id)
    .filter((one) => one.workflow_state === 'accepted' && hasPlace(world, one.user_id, group.context_id));
  const all = new Set([...members.map((one) => one.user_id), ...people]);
  // People whose enrolment has ended can join as well (§15.2), but are in no section.
  const sections = [...all]
    .map((userId) => sectionsOf(world, userId, group.context_id, LIVE))
    .filter(({ size }) => size > 0);
  return sections.length === 0 || [...(sections[0] ?? [])].some((id) => sections.every((own) => own.has(id)));
}

const ACTIVE: ReadonlySet<EnrollmentState> = new Set(['active']);

/** Returns the sections of the course in which a person has an enrolment in one of the states. */
function sectionsOf(
  world: World,
  userId: number,
  courseId: number,
  states: ReadonlySet<EnrollmentState>,
): Set<number> {
  const own = world.enrollments.by.user.get(userId);
  const here = own.filter((e) => e.course_id === courseId && states.has(e.workflow_state));
  return new Set(here.map((e) => e.course_section_id));
}

const RESERVED_IN_COURSE = new Set(['student groups', 'imported groups']);
const RESERVED_IN_ACCOUNT = new Set(['communities', 'imported groups']);

/** Returns whether Canvas itself creates a category with this name in such a place. */
export function isReservedName(name: string, place: GroupCategory['context_type']): boolean {
  return (place === 'Course' ? RESERVED_IN_COURSE : RESERVED_IN_ACCOUNT).has(name.toLowerCase());
}

/**
 * Finds the category that Canvas itself keeps for groups without one: student groups in a course, communities
 * in an account.
 */
export function ownCategory(
  world: World,
  { context_type, context_id }: Pick<GroupCategory, 'context_type' | 'context_id'>,
): GroupCategory {
  const role = context_type === 'Course' ? 'student_organized' : 'communities';
  const present = world.groupCategories.by.context
    .get(`${context_type}_${context_id}`)
    .find((category) => category.role === role && category.deleted_at === null);
  return (
    present ??
    world.groupCategories.add({
      name: role === 'student_organized' ? 'Student Groups' : 'Communities',
      role,
      context_type,
      context_id,
      self_signup: null,
      auto_leader: null,
      group_limit: null,
      deleted_at: null,
      sis_source_id: null,
      sis_batch_id: null,
    })
  );
}

/** Returns whether the group is full: by its own limit, or by that of its category. */
export function isFull(world: World, group: Group): boolean {
  const category = world.groupCategories.get(group.group_category_id);
  const limit = group.max_membership ?? category?.group_limit ?? null;
  if (limit === null || category?.role === 'student_organized') return false;
  const members = world.groupMemberships.by.group.get(group.id);
  return members.filter((one) => one.workflow_state === 'accepted').length >= limit;
}

/** Returns whether a person can be in a group: anyone with an enrolment in its course that is not deleted. */
export function mayJoin(world: World, group: Group, userId: number): boolean {
  if (group.context_type !== 'Course') return true;
  return hasPlace(world, userId, group.context_id);
}

/**
 * Returns whether a person has an enrolment in the course that is not deleted; completed and inactive ones
 * count.
 */
export function hasPlace(world: World, userId: number, courseId: number): boolean {
  const { user, course } = world.enrollments.by;
  // Searches the shorter of the two lists.
  return user.count(userId) <= course.count(courseId)
    ? user.get(userId).some((e) => e.course_id === courseId && e.workflow_state !== 'deleted')
    : course.get(courseId).some((e) => e.user_id === userId && e.workflow_state !== 'deleted');
}

/** Ends the memberships in all other groups of the category, as part of the same save: nothing records it. */
export function leaveOthers(world: World, membership: GroupMembership): void {
  const group = world.groups.must(membership.group_id);
  if (allowsMany(world.groupCategories.get(group.group_category_id))) return;
  for (const other of world.groupMemberships.by.user.get(membership.user_id)) {
    if (other === membership || other.workflow_state === 'deleted' || other.group_id === group.id) continue;
    if (world.groups.must(other.group_id).group_category_id !== group.group_category_id) continue;
    world.groupMemberships.change(other, { workflow_state: 'deleted' });
  }
}

/** Adds a person to a group by hand. Unlike a file, this does not restore an ended membership. */
export function addMember(world: World, group: Group, userId: number): GroupMembership {
  const { groupMemberships } = world;
  const held = liveMembership(world, group, userId);
  const membership = held
    ? groupMemberships.change(held, { workflow_state: 'accepted' })
    : groupMemberships.add({
        group_id: group.id,
        user_id: userId,
        workflow_state: 'accepted',
        moderator: false,
        sis_batch_id: null,
      });
  leaveOthers(world, membership);
  return membership;
}

/** Deletes a group by hand; its memberships end and are not restored with it (§18.2). */
export function deleteGroup(world: World, group: Group): void {
  world.groups.change(group, { workflow_state: 'deleted' });
  for (const membership of world.groupMemberships.by.group.get(group.id))
    if (membership.workflow_state !== 'deleted')
      world.groupMemberships.change(membership, { workflow_state: 'deleted' });
}

/** Finds a person's current membership in a group. */
export function liveMembership(world: World, group: Group, userId: number): GroupMembership | undefined {
  const held = membershipOf(world, group, userId);
  return held?.workflow_state === 'deleted' ? undefined : held;
}

/** Finds a person's membership in a group, current or ended. */
export function membershipOf(world: World, group: Group, userId: number): GroupMembership | undefined {
  const held = world.groupMemberships.by.group.get(group.id).filter((one) => one.user_id === userId);
  return held.find((one) => one.workflow_state === 'accepted') ?? held[0];
}

/** Removes a person without an enrolment in a course from the course's groups. */
export function leaveGroupsOf(
  world: World,
  course: Pick<Course, 'id'>,
  userId: number,
  end: (membership: GroupMembership) => void,
): void {
  const memberships = world.groupMemberships.by.user.get(userId);
  if (memberships.length === 0 || hasPlace(world, userId, course.id)) return;
  for (const membership of memberships) {
    if (membership.workflow_state === 'deleted') continue;
    const group = world.groups.must(membership.group_id);
    if (group.context_type === 'Course' && group.context_id === course.id) end(membership);
  }
}
