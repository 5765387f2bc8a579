/** Groups and calendar events of the courses. */

import type { Chance } from '../../seed/prng.ts';
import { BASE_DATE } from '../../seed/school.ts';
import type { CalendarEvent, Course } from '../store/model.ts';
import { timestamp, type World } from '../store/world.ts';

const DAY = 24 * 60 * 60 * 1000;
const GROUP_SIZE = 5;
const ROOMS = ['Amphitheatre A', 'Amphitheatre B', 'Plessis 2', 'Room 12', 'Leadership Lab', 'Online'];
const NO_STICKINESS = { sis_batch_id: null, stuck_sis_fields: null };

/** Groups in every sixth course and sessions in every third (every thirtieth of the large school). */
export function seedActivities(world: World, chance: Chance, size: 'default' | 'large'): void {
  const every = size === 'large' ? 10 : 1;
  addCategory(world, 'Account', 1, 'Campus Clubs', 'GC-CLUBS');
  let n = 0;
  for (const course of world.courses.values()) {
    if (course.workflow_state !== 'available') continue;
    n++;
    if (n % (6 * every) === 0) addTeams(world, course);
    if (n % (3 * every) === 0) addSessions(world, chance, course, n);
  }
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

/** A session a week around the day of the seed; every fourth such course gives its sessions by section. */
function addSessions(world: World, chance: Chance, course: Course, n: number): void {
  const sections = world.sections.by.course.get(course.id).filter((s) => s.workflow_state === 'active');
  const bySection = n % 12 === 0 && sections.length > 1;
  const hour = 8 + (n % 9);
  for (let week = 0; week < 24; week++) {
    const start = Math.floor(BASE_DATE / DAY) * DAY + (week * 7 + (n % 5)) * DAY + hour * 60 * 60 * 1000;
    const event = {
      title: `Session ${week + 1}: ${course.name}`,
      start_at: timestamp(start),
      end_at: timestamp(start + 90 * 60 * 1000),
      location_name: chance.pick(ROOMS),
    };
    const parent = addEvent(world, { ...event, context_code: `course_${course.id}` });
    if (!bySection) continue;
    for (const section of sections) {
      addEvent(world, {
        ...event,
        context_code: `course_section_${section.id}`,
        effective_context_code: `course_${course.id}`,
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
