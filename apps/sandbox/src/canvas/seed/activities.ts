/** Groups and calendar events of the courses. */

import type { SchoolSize } from '../../seed/courses.ts';
import { timetableOf } from '../../seed/timetable.ts';
import type { CalendarEvent, Course } from '../store/model.ts';
import { timestamp, type World } from '../store/world.ts';

const GROUP_SIZE = 5;
const NO_STICKINESS = { sis_batch_id: null, stuck_sis_fields: null };

/** Adds groups to every sixth course (every sixtieth in the large school), and the timetable's sessions. */
export function seedActivities(world: World, size: SchoolSize): void {
  const every = size === 'large' ? 60 : 6;
  addCategory(world, 'Account', 1, 'Campus Clubs', 'GC-CLUBS');
  let n = 0;
  for (const course of world.courses.values()) {
    if (course.workflow_state !== 'available') continue;
    n++;
    if (n % every === 0) addTeams(world, course);
  }
  addSessions(world, size);
}

function addCategory(
  world: World,
  context_type: 'Account' | 'Course',
  context_id: number,
  name: string,
  sis: string | null,
): number {
  return world.groupCategories.add({
    name,
    role: null,
    context_type,
    context_id,
    self_signup: null,
    auto_leader: null,
    group_limit: null,
    deleted_at: null,
    sis_source_id: sis,
    sis_batch_id: null,
  }).id;
}

function addTeams(world: World, course: Course): void {
  const sis = course.sis_source_id;
  const categoryId = addCategory(world, 'Course', course.id, 'Project Teams', sis && `${sis}-TEAMS`);
  const students = world.enrollments.by.course
    .get(course.id)
    .filter((e) => e.type === 'StudentEnrollment' && e.workflow_state === 'active');
  for (let team = 0; team * GROUP_SIZE < students.length; team++) {
    const members = students.slice(team * GROUP_SIZE, (team + 1) * GROUP_SIZE);
    const group = world.groups.add({
      name: `Team ${team + 1}`,
      description: null,
      workflow_state: 'available',
      context_type: 'Course',
      context_id: course.id,
      group_category_id: categoryId,
      join_level: 'invitation_only',
      is_public: false,
      max_membership: null,
      leader_id: null,
      sis_source_id: sis && `${sis}-TEAM${team + 1}`,
      ...NO_STICKINESS,
    });
    for (const { user_id } of members) {
      world.groupMemberships.add({
        group_id: group.id,
        user_id,
        workflow_state: 'accepted',
        moderator: false,
        sis_batch_id: null,
      });
    }
  }
}

/** Adds sessions to courses; every fourth course with sessions has them by section. */
function addSessions(world: World, size: SchoolSize): void {
  for (const { courseId, nth, title, description, location, start, end } of timetableOf(size).sessions) {
    const event = {
      title,
      description,
      start_at: timestamp(start),
      end_at: timestamp(end),
      location_name: location,
    };
    const parent = addEvent(world, { ...event, context_code: `course_${courseId}` });
    const sections = world.sections.by.course.get(courseId).filter((s) => s.workflow_state === 'active');
    if (nth % 4 !== 3 || sections.length < 2) continue;
    for (const section of sections) {
      addEvent(world, {
        ...event,
        context_code: `course_section_${section.id}`,
        effective_context_code: `course_${courseId}`,
        parent_calendar_event_id: parent.id,
      });
    }
  }
}

type EventFields = Pick<CalendarEvent, 'title' | 'start_at' | 'end_at' | 'location_name' | 'context_code'> &
  Partial<CalendarEvent>;

function addEvent(world: World, fields: EventFields): CalendarEvent {
  return world.calendarEvents.add({
    description: null,
    workflow_state: 'active',
    all_day: false,
    all_day_date: null,
    location_address: null,
    comments: null,
    effective_context_code: null,
    parent_calendar_event_id: null,
    user_id: null,
    important_dates: false,
    blackout_date: false,
    time_zone_edited: null,
    series_uuid: null,
    series_head: null,
    rrule: null,
    ...fields,
  });
}
