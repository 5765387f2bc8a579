/** Courses, their sections and their people. */

import { plannedCourses, type SchoolSize } from '../../seed/courses.ts';
import type { Chance } from '../../seed/prng.ts';
import { TIME_ZONE } from '../../seed/school.ts';
import type { Course, Enrollment, Section } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { TYPE_OF_ROLE } from './accounts.ts';
import { type Cast, LECTURER_ID } from './people.ts';

const CUSTOM_ROLE_IDS = [21, 23, 56, 58, 59, 166, 169];
const NAMES_OF_SECTIONS = ['Section A', 'Section B', 'Section C'];

/** How many people a course has, in the two sizes of the school. */
export type Crowd = { students: readonly [from: number, to: number] };

export function seedCourses(world: World, chance: Chance, size: SchoolSize, cast: Cast, crowd: Crowd): void {
  for (const plan of plannedCourses(size)) {
    const { term } = plan;
    const course = world.courses.add({
      id: plan.id,
      account_id: plan.accountId,
      enrollment_term_id: plan.sis === null ? 1 : (term?.id ?? 1),
      name: plan.name,
      course_code: plan.code,
      workflow_state: plan.state,
      sis_source_id: plan.sis,
      integration_id: null,
      start_at: term?.start ? `${term.start}T08:00:00Z` : null,
      conclude_at: term?.end ? `${term.end}T18:00:00Z` : null,
      restrict_enrollments_to_course_dates: false,
      course_format: null,
      grade_passback_setting: null,
      homeroom_course: false,
      friendly_name: null,
      abstract_course_id: null,
      blueprint: false,
      blueprint_course_id: null,
      template_course_id: null,
      time_zone: plan.campus === 'SGP' ? 'Asia/Singapore' : plan.campus === 'ABD' ? 'Asia/Dubai' : TIME_ZONE,
      sis_batch_id: null,
      stuck_sis_fields: null,
    });
    const sections = addSections(world, course, plan.place);
    fill(world, chance, course, sections, cast.students.get(plan.programme.id) ?? [], cast, crowd);
  }
}

/** Adds one to four sections: usually a default one without an SIS ID, and others from the student records. */
function addSections(world: World, course: Course, n: number): Section[] {
  const sections: Section[] = [];
  const extra = n % 4;
  if (extra === 0 || n % 3 !== 0) sections.push(addSection(world, course, course.name, null, true));
  for (let i = 0; i < extra; i++) {
    const name = NAMES_OF_SECTIONS[i] as string;
    const fromRecords = course.sis_source_id !== null && (n + i) % 7 !== 0;
    sections.push(
      addSection(world, course, name, fromRecords ? `${course.sis_source_id}-S${i + 1}` : null, false),
    );
  }
  return sections;
}

function addSection(
  world: World,
  course: Course,
  name: string,
  sis: string | null,
  isDefault: boolean,
): Section {
  return world.sections.add({
    course_id: course.id,
    name,
    workflow_state: course.workflow_state === 'deleted' ? 'deleted' : 'active',
    default_section: isDefault,
    sis_source_id: sis,
    integration_id: null,
    start_at: null,
    end_at: null,
    restrict_enrollments_to_section_dates: false,
    nonxlist_course_id: null,
    sis_batch_id: null,
    stuck_sis_fields: null,
  });
}

function fill(
  world: World,
  chance: Chance,
  course: Course,
  sections: readonly Section[],
  cohort: readonly number[],
  cast: Cast,
  crowd: Crowd,
): void {
  if (cohort.length === 0) return;
  const seated = new Set<number>();
  const seat = (userId: number, roleId: number, section: Section): void => {
    if (seated.has(userId)) return;
    seated.add(userId);
    enrol(world, chance, course, section, userId, roleId);
  };
  // Hugo Tan teaches a few courses, so that people can try an account without admin rights.
  seat(course.id % 60 === 12 ? LECTURER_ID : chance.pick(cast.teachers), 4, sections[0] as Section);
  if (chance.chance(0.3)) seat(chance.pick(cast.teachers), 4, chance.pick(sections));
  if (chance.chance(0.4)) seat(chance.pick(cast.staff), 5, sections[0] as Section);
  if (chance.chance(0.5)) seat(chance.pick(cast.staff), chance.pick(CUSTOM_ROLE_IDS), sections[0] as Section);
  const wanted = chance.between(crowd.students[0], crowd.students[1]);
  // A cohort stays together: neighbours in the list, from a random position.
  const from = chance.between(0, cohort.length - 1);
  for (let i = 0; i < wanted; i++) {
    const userId = cohort[(from + i) % cohort.length] as number;
    seat(userId, i % 31 === 30 ? 58 : i % 41 === 40 ? 59 : 3, sections[i % sections.length] as Section);
  }
}

function enrol(
  world: World,
  chance: Chance,
  course: Course,
  section: Section,
  userId: number,
  roleId: number,
): Enrollment {
  const dealt = roleId === 4 ? 1 : chance.next();
  const active = course.workflow_state === 'available' && dealt > 0.2;
  return world.enrollments.add({
    user_id: userId,
    course_id: course.id,
    course_section_id: section.id,
    type: TYPE_OF_ROLE.get(roleId) ?? 'StudentEnrollment',
    role_id: roleId,
    associated_user_id: null,
    workflow_state: stateOfEnrolment(course, dealt),
    limit_privileges_to_course_section: false,
    start_at: null,
    end_at: null,
    completed_at: null,
    last_activity_at: active
      ? `2026-11-${String(1 + Math.floor(dealt * 18)).padStart(2, '0')}T10:15:00Z`
      : null,
    total_activity_time: active ? Math.floor(dealt * 40_000) : 0,
    sis_pseudonym_id: null,
    sis_batch_id: null,
    stuck_sis_fields: null,
  });
}

function stateOfEnrolment(course: Course, dealt: number): Enrollment['workflow_state'] {
  if (course.workflow_state === 'deleted') return 'deleted';
  if (course.workflow_state === 'completed') return 'completed';
  if (dealt < 0.02) return 'inactive';
  if (dealt < 0.035) return 'completed';
  if (dealt < 0.05) return 'deleted';
  return dealt < 0.06 ? 'invited' : 'active';
}
