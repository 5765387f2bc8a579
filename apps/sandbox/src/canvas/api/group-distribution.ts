/** Distributing people without a group among the groups of a category (reference §6.10, §15.3). */

import { addMember, isFull } from '../store/group-rules.ts';
import type { Group, GroupCategory, Progress, User } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { inBackground } from './background.ts';
import { groupedUsers, type Place, studentsOf } from './group-places.ts';
import { compareNames } from './lists.ts';

const TAG = 'assign_unassigned_members';

export function assignInBackground(world: World, place: Place, category: GroupCategory): Progress {
  const about = { context_id: category.id, context_type: 'GroupCategory', user_id: null, tag: TAG } as const;
  return inBackground(world, about, () => {
    assignUnassigned(world, place, category);
    return { results: null };
  });
}

/** Finds the assignment that a category is waiting for. */
export function assignmentOf(world: World, category: GroupCategory): Progress | undefined {
  return [...world.progresses.values()].find(
    (one) =>
      one.tag === TAG && one.context_id === category.id && ['queued', 'running'].includes(one.workflow_state),
  );
}

/** Puts each person into the group with the fewest members that is not full. */
export function assignUnassigned(world: World, place: Place, category: GroupCategory): Map<Group, User[]> {
  const membersOf = (group: Group) =>
    world.groupMemberships.by.group.get(group.id).filter((one) => one.workflow_state === 'accepted').length;
  const groups = world.groups.by.category
    .get(category.id)
    .filter((one) => one.workflow_state === 'available');
  const sizes = new Map(groups.map((group) => [group, membersOf(group)]));
  const added = new Map<Group, User[]>();
  for (const user of unassigned(world, place, category)) {
    const open = [...sizes].filter(([group]) => !isFull(world, group));
    const [group, size] = open.sort(([a, n], [b, m]) => n - m || a.id - b.id)[0] ?? [];
    if (!group || size === undefined) break;
    addMember(world, group, user.id);
    sizes.set(group, size + 1);
    added.set(group, [...(added.get(group) ?? []), user]);
  }
  return added;
}

function unassigned(world: World, place: Place, category: GroupCategory): User[] {
  const grouped = groupedUsers(world, category);
  const students = 'course_code' in place ? [...studentsOf(world, place)] : [];
  return students
    .filter((id) => !grouped.has(id))
    .map((id) => world.users.must(id))
    .sort((a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id);
}
