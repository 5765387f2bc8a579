/** What holds for members of groups anyone who puts them there, a file or a person (reference §15.2). */

import type { Course, Group, GroupCategory, GroupMembership } from './model.ts';
import type { World } from './world.ts';

/** Groups that students make themselves, and communities: a person may be in several of them. */
export function allowsMany(category: GroupCategory | undefined): boolean {
  return category?.role === 'student_organized' || category?.role === 'communities';
}

/** Categories that Canvas keeps itself: they are not deleted. */
export function isProtected({ context_type, role }: GroupCategory): boolean {
  return role === 'imported' || role === (context_type === 'Course' ? 'student_organized' : 'communities');
}

/** Whether a person may join, and leave, the groups of a category: who shares a section with all members, where that is asked. */
export function maySignUp(world: World, group: Group, userId: number): boolean {
  const category = world.groupCategories.get(group.group_category_id);
  if (!category || group.context_type !== 'Course') return false;
  const sections = sectionsOf(world, userId, group.context_id);
  if (sections.size === 0) return false;
  if (category.role === 'student_organized') return group.join_level === 'parent_context_auto_join';
  if (category.self_signup !== 'restricted') return category.self_signup === 'enabled';
  return world.groupMemberships.by.group
    .get(group.id)
    .filter((one) => one.workflow_state === 'accepted')
    .every((one) => [...sectionsOf(world, one.user_id, group.context_id)].some((id) => sections.has(id)));
}

/** Where a person takes part in a course. */
function sectionsOf(world: World, userId: number, courseId: number): Set<number> {
  const own = world.enrollments.by.user.get(userId);
  const here = own.filter((e) => e.course_id === courseId && e.workflow_state === 'active');
  return new Set(here.map((e) => e.course_section_id));
}

const RESERVED = new Set(['student groups', 'imported groups']);

/** Names of categories that Canvas makes itself in a course. */
export const isReservedName = (name: string): boolean => RESERVED.has(name.toLowerCase());

/** Whether no one new gets into the group: its own limit, else that of its category. */
export function isFull(world: World, group: Group): boolean {
  const category = world.groupCategories.get(group.group_category_id);
  const limit = group.max_membership ?? category?.group_limit ?? null;
  if (limit === null || category?.role === 'student_organized') return false;
  const members = world.groupMemberships.by.group.get(group.id);
  return members.filter((one) => one.workflow_state === 'accepted').length >= limit;
}

/** Whether a person may be in a group: anybody with an enrolment in its course that is not deleted. */
export function mayJoin(world: World, group: Group, userId: number): boolean {
  if (group.context_type !== 'Course') return true;
  return hasPlace(world, userId, group.context_id);
}

/** Whether a person has an enrolment in the course that is not deleted; completed and inactive ones count. */
export function hasPlace(world: World, userId: number, courseId: number): boolean {
  const { user, course } = world.enrollments.by;
  // Through the shorter of the two lists.
  return user.count(userId) <= course.count(courseId)
    ? user.get(userId).some((e) => e.course_id === courseId && e.workflow_state !== 'deleted')
    : course.get(courseId).some((e) => e.user_id === userId && e.workflow_state !== 'deleted');
}

/** Ends the memberships in all other groups of the category, in the same save: nothing records it. */
export function leaveOthers(world: World, membership: GroupMembership): void {
  const group = world.groups.must(membership.group_id);
  if (allowsMany(world.groupCategories.get(group.group_category_id))) return;
  for (const other of world.groupMemberships.by.user.get(membership.user_id)) {
    if (other === membership || other.workflow_state === 'deleted' || other.group_id === group.id) continue;
    if (world.groups.must(other.group_id).group_category_id !== group.group_category_id) continue;
    world.groupMemberships.change(other, { workflow_state: 'deleted' });
  }
}

/** Puts a person into a group by hand. A membership that has ended is not taken up again, as a file would do. */
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

/** A person's membership in a group that has not ended. */
export function liveMembership(world: World, group: Group, userId: number): GroupMembership | undefined {
  const held = membershipOf(world, group, userId);
  return held?.workflow_state === 'deleted' ? undefined : held;
}

/** A person's membership in a group, one that has ended too. */
export function membershipOf(world: World, group: Group, userId: number): GroupMembership | undefined {
  const held = world.groupMemberships.by.group.get(group.id).filter((one) => one.user_id === userId);
  return held.find((one) => one.workflow_state === 'accepted') ?? held[0];
}

/** A person who has no place in a course any more is in none of its groups. */
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
