import type { View } from '../../http/view.ts';
import { allowsMany, isFull, isProtected } from '../../store/group-rules.ts';
import type { Group, GroupCategory, GroupMembership } from '../../store/model.ts';
import { userDisplay } from './users.ts';

/** Returns the GroupCategory object (§6.10). `callerId` decides `is_member`. */
export function groupCategoryJson(
  view: View,
  category: GroupCategory,
  callerId: number,
): Record<string, unknown> {
  const inCourse = category.context_type === 'Course';
  return {
    id: category.id,
    name: category.name,
    role: category.role,
    self_signup: category.self_signup,
    self_signup_end_at: null,
    group_limit: category.group_limit,
    auto_leader: category.auto_leader,
    created_at: category.created_at,
    context_type: category.context_type,
    [inCourse ? 'course_id' : 'account_id']: category.context_id,
    protected: isProtected(category),
    allows_multiple_memberships: allowsMany(category),
    is_member: groupsOf(view, category).some((group) =>
      membersOf(view, group).some((m) => m.user_id === callerId),
    ),
    non_collaborative: false,
    ...(view.sis ? { sis_group_category_id: category.sis_source_id } : {}),
    ...(view.manageSis ? { sis_import_id: category.sis_batch_id } : {}),
  };
}

/** Returns the active groups of a category, in no particular order. */
export function groupsOf(view: View, category: GroupCategory): Group[] {
  return view.world.groups.by.category
    .get(category.id)
    .filter((group) => group.workflow_state === 'available');
}

/** Returns the accepted members. */
export function membersOf(view: View, group: Group): GroupMembership[] {
  return view.world.groupMemberships.by.group.get(group.id).filter((m) => m.workflow_state === 'accepted');
}

/** Returns the Group object (§6.10). */
export function groupJson(view: View, group: Group): Record<string, unknown> {
  const { world } = view;
  const inCourse = group.context_type === 'Course';
  const course = inCourse ? world.courses.get(group.context_id) : undefined;
  const context = course ?? world.accounts.get(group.context_id);
  const members = membersOf(view, group).length;
  const leader = world.users.get(group.leader_id);
  return {
    id: group.id,
    name: group.name,
    created_at: group.created_at,
    max_membership: group.max_membership,
    is_public: group.is_public,
    join_level: group.join_level,
    group_category_id: group.group_category_id,
    description: group.description,
    members_count: members,
    storage_quota_mb: 50,
    context_type: group.context_type,
    [inCourse ? 'course_id' : 'account_id']: group.context_id,
    context_name: context?.name ?? null,
    avatar_url: null,
    role: world.groupCategories.get(group.group_category_id)?.role ?? null,
    leader: leader ? userDisplay(view, leader, `groups/${group.id}`) : null,
    is_full: isFull(world, group),
    has_submission: false,
    concluded: course?.workflow_state === 'completed',
    non_collaborative: false,
    ...(view.sis ? { sis_group_id: group.sis_source_id } : {}),
    ...(view.manageSis ? { sis_import_id: group.sis_batch_id } : {}),
  };
}

/** Returns the GroupMembership object (§6.10). */
export function membershipJson(view: View, membership: GroupMembership): Record<string, unknown> {
  return {
    id: membership.id,
    group_id: membership.group_id,
    user_id: membership.user_id,
    workflow_state: membership.workflow_state,
    moderator: membership.moderator,
    created_at: membership.created_at,
    ...(view.sis ? { sis_group_id: view.world.groups.get(membership.group_id)?.sis_source_id ?? null } : {}),
    ...(view.manageSis ? { sis_import_id: membership.sis_batch_id } : {}),
  };
}
