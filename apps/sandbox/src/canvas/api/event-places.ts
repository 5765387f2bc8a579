/** Calendars, and who can read and write them (reference §12, §14). */

import { type Caller, mayIn } from '../http/auth.ts';
import type { CalendarEvent, Course, Section } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { type ContextPlace, parseContextCode } from './json/events.ts';

const READING = ['read_course_content', 'read_course_list', 'read_roster'] as const;

export function placeExists(world: World, place: ContextPlace): boolean {
  switch (place.kind) {
    case 'course':
      return (world.courses.get(place.id)?.workflow_state ?? 'deleted') !== 'deleted';
    case 'course_section':
      return world.sections.get(place.id)?.workflow_state === 'active';
    case 'group':
      return world.groups.get(place.id)?.workflow_state === 'available';
    case 'account':
      return world.accounts.get(place.id)?.workflow_state === 'active';
    default:
      return (world.users.get(place.id)?.workflow_state ?? 'deleted') !== 'deleted';
  }
}

/** Returns whether the caller can read the calendar of an existing context. */
export function mayReadCalendar(caller: Caller, code: string): boolean {
  const { world } = caller;
  const place = parseContextCode(code);
  if (!place) return false;
  switch (place.kind) {
    case 'user':
      return mayReadPerson(caller, place.id);
    case 'course_section': {
      const section = world.sections.get(place.id);
      return section !== undefined && seesSection(caller, section);
    }
    default:
      return mayWriteCalendar(caller, code) || READING.some((right) => mayAround(caller, place, right));
  }
}

/** Returns whether the caller can create and change events in an existing context. */
export function mayWriteCalendar(caller: Caller, code: string): boolean {
  const place = parseContextCode(code);
  if (!place) return false;
  if (place.kind === 'user') return place.id === caller.user.id;
  if (place.kind === 'group' && isMember(caller, place.id)) return true;
  return mayAround(caller, place, 'manage_calendar');
}

/**
 * Returns whether the caller can see a person's calendar: their own, as an observer of the person, or as an
 * admin (§14.1).
 */
export function mayReadPerson(caller: Caller, userId: number): boolean {
  const { world, user } = caller;
  return (
    userId === user.id ||
    world.userObservers.by.student
      .get(userId)
      .some((link) => link.observer_id === user.id && link.workflow_state === 'active') ||
    mayIn(caller, world.rootAccount, 'become_user')
  );
}

/**
 * Returns whether the caller sees every section: admins and teachers do; students and their observers see
 * those of active enrolments (§14.1).
 */
export function seesAllSections(caller: Caller, course: Course): boolean {
  const { world, user } = caller;
  if (mayIn(caller, world.accounts.must(course.account_id), 'read_course_list')) return true;
  return ownEnrollments(world, user.id, course.id).some(
    ({ type, limit_privileges_to_course_section: limited }) =>
      type !== 'StudentEnrollment' && type !== 'ObserverEnrollment' && !limited,
  );
}

export function seesSection(caller: Caller, section: Section): boolean {
  const { world, user } = caller;
  const course = world.courses.must(section.course_id);
  return (
    seesAllSections(caller, course) ||
    ownEnrollments(world, user.id, course.id).some((own) => own.course_section_id === section.id)
  );
}

/** Returns whether the caller sees the children of an event; students do not (§14.1). */
export function seesChildren(caller: Caller, event: CalendarEvent): boolean {
  const course = courseOf(caller.world, parseContextCode(event.context_code));
  return !course || seesAllSections(caller, course);
}

/** Returns the course that is the context, or to which the context belongs. */
export function courseOf(world: World, place: ContextPlace | null): Course | undefined {
  switch (place?.kind) {
    case 'course':
      return world.courses.get(place.id);
    case 'course_section':
      return world.courses.get(world.sections.get(place.id)?.course_id);
    case 'group': {
      const group = world.groups.get(place.id);
      return group?.context_type === 'Course' ? world.courses.get(group.context_id) : undefined;
    }
    default:
      return undefined;
  }
}

function mayAround(caller: Caller, place: ContextPlace, right: Parameters<typeof mayIn>[2]): boolean {
  const { world } = caller;
  const account = place.kind === 'account' ? world.accounts.get(place.id) : undefined;
  return mayIn(caller, courseOf(world, place) ?? account ?? world.rootAccount, right);
}

function isMember({ world, user }: Caller, groupId: number): boolean {
  return world.groupMemberships.by.group
    .get(groupId)
    .some((member) => member.user_id === user.id && member.workflow_state === 'accepted');
}

function ownEnrollments(world: World, userId: number, courseId: number) {
  return world.enrollments.by.user
    .get(userId)
    .filter((own) => own.course_id === courseId && own.workflow_state === 'active');
}
