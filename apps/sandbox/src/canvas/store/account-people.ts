import type { World } from './world.ts';

/**
 * Returns the people in an account below the root: its admins, and everyone enrolled in courses in or below
 * it.
 */
export function peopleUnder(world: World, accountId: number): Set<number> {
  const people = new Set<number>();
  for (const id of world.accountTree(accountId)) {
    for (const admin of world.accountUsers.by.account.get(id)) {
      if (admin.workflow_state === 'active') people.add(admin.user_id);
    }
  }
  for (const course of world.coursesUnder(accountId)) {
    if (course.workflow_state === 'deleted') continue;
    for (const enrollment of world.enrollments.by.course.get(course.id)) {
      if (enrollment.workflow_state !== 'deleted') people.add(enrollment.user_id);
    }
  }
  return people;
}
