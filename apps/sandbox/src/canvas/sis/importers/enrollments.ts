import {
  type Course,
  ENROLLMENT_TYPES,
  type Enrollment,
  type EnrollmentType,
  type Pseudonym,
  type Role,
  type Section,
} from '../../store/model.ts';
import { STICKY } from '../../store/sticky.ts';
import { placeKey } from '../../store/world.ts';
import { readDates } from '../csv/dates.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';
import { enrollmentsIn, followStudent, leaveGroups } from './effects.ts';
import { type Importer, type Outcome, startsWithOne, type Work } from './work.ts';

const COLUMNS = [
  'course_id',
  'section_id',
  'user_id',
  'user_integration_id',
  'role',
  'role_id',
  'status',
  'root_account',
  'start_date',
  'end_date',
  'associated_user_id',
  'limit_section_privileges',
  'notify',
  'temporary_enrollment_source_user_id',
] as const;
type EnrollmentCells = Cells<(typeof COLUMNS)[number]>;

const say = messages.enrollment;

/** Enrolments (§9.5). */
export const enrollmentImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'enrollment',
  columns: COLUMNS,
  buffer: 100,

  check(row, work) {
    // Dates are read first: even a rejected row can have an invalid one (§8.3).
    if (hasDates(row) && readDates([row.start_date, row.end_date]).bad)
      work.warn(row.row, say.badDate(row.user_id, row.course_id, row.section_id));
    if (!row.course_id && !row.section_id) return say.noPlace;
    if (!row.user_id && !row.user_integration_id) return say.noUser;
    if (!startsWithOne(row.status, 'active', 'deleted', 'completed', 'inactive'))
      return say.badStatus(row.status);
    return undefined;
  },

  apply(row, work) {
    // There is only one root account, so rows for people of another one are silently ignored.
    if (row.root_account) return false;
    const login = findLogin(row, work);
    if (!login) return say.userNotFound(row.user_id, row.course_id, row.section_id);
    const place = findPlace(row, work);
    if (typeof place === 'string') return place;
    const { course, section } = place;
    const role = findRole(row, course, work);
    if (!role) return say.badRole(row.role);
    const type = role.base_role_type as EnrollmentType;
    if (course.blueprint && (type === 'StudentEnrollment' || type === 'ObserverEnrollment')) {
      const word = type === 'StudentEnrollment' ? 'Student' : 'Observer';
      return say.blueprint(word, row.user_id, course.sis_source_id);
    }
    const associated = findAssociated(row, type, work);
    if (typeof associated === 'string') return associated;
    const source = row.temporary_enrollment_source_user_id;
    if (source && !work.world.pseudonyms.by.sis.get(source)) return say.unknownSource(source);
    return put(row, work, { login, course, section, role, type, associated });
  },
};

const hasDates = (row: EnrollmentCells): boolean => row.start_date !== null || row.end_date !== null;

function findLogin(row: EnrollmentCells, work: Work): Pseudonym | undefined {
  const { sis, integration } = work.world.pseudonyms.by;
  return row.user_integration_id ? integration.get(row.user_integration_id) : sis.get(row.user_id);
}

function findPlace(row: EnrollmentCells, work: Work): { course: Course; section: Section } | string {
  const { courses, sections } = work.world;
  const { course_id: courseId, section_id: sectionId } = row;
  let course = courses.by.sis.get(courseId);
  let section = sections.by.sis.get(sectionId);
  if (!course && !section) return say.placeNotFound(courseId, sectionId, row.user_id);
  if (sectionId && !section) return say.unknownSection(sectionId);
  if (courseId && !course) return say.unknownCourse(courseId);
  section ??= work.world.defaultSection(course as Course);
  // The section decides if the row names no course, or the course from which the section was cross-listed.
  if (!course || (course.id !== section.course_id && section.nonxlist_course_id === course.id))
    course = courses.must(section.course_id);
  if (course.id !== section.course_id) return say.unrelated(sectionId, courseId, row.user_id);
  return { course, section };
}

/** Finds the role by `role_id` first; an unavailable one falls back to the name (§9.5). */
function findRole(row: EnrollmentCells, course: Course, work: Work): Role | undefined {
  const key = `role ${course.account_id} ${row.role_id ?? ''} ${row.role ?? ''}`;
  return work.remember(key, () => {
    const { world } = work;
    const enrolls = (role: Role | undefined) =>
      role && isEnrollmentType(role.base_role_type) && world.isRoleAvailable(role, course.account_id);
    const byId = /^\d+$/.test(row.role_id ?? '') ? world.roles.get(Number(row.role_id)) : undefined;
    if (enrolls(byId)) return byId;
    if (!row.role) return undefined;
    return (
      world.roles.by.name.get(row.role).find(enrolls) ??
      world.roles.by.name.get(builtInName(row.role)).find((role) => role.workflow_state === 'built_in')
    );
  });
}

const isEnrollmentType = (type: string): type is EnrollmentType =>
  (ENROLLMENT_TYPES as readonly string[]).includes(type);

const ROLE_WORDS: readonly [RegExp, EnrollmentType][] = [
  [/^teacher$/i, 'TeacherEnrollment'],
  [/^student/i, 'StudentEnrollment'],
  [/^ta$/i, 'TaEnrollment'],
  [/^observer$/i, 'ObserverEnrollment'],
  [/^designer$/i, 'DesignerEnrollment'],
];

function builtInName(word: string): EnrollmentType | undefined {
  return ROLE_WORDS.find(([form]) => form.test(word))?.[1];
}

/**
 * Finds the student whom an observer follows: returns a user ID, null for none, or text for an unknown one.
 */
function findAssociated(row: EnrollmentCells, type: EnrollmentType, work: Work): number | null | string {
  if (type !== 'ObserverEnrollment' || !row.associated_user_id) return null;
  const student = work.world.pseudonyms.by.sis.get(row.associated_user_id);
  return student?.user_id ?? say.unknownAssociated(row.associated_user_id);
}

interface Wanted {
  login: Pseudonym;
  course: Course;
  section: Section;
  role: Role;
  type: EnrollmentType;
  associated: number | null;
}

function findEnrollment({ world }: Work, wanted: Wanted): Enrollment | undefined {
  const { login, section, role, type, associated } = wanted;
  return world.enrollments.by.place
    .get(placeKey(section.id, login.user_id))
    .find((e) => e.role_id === role.id && e.type === type && e.associated_user_id === associated);
}

type NewState = 'active' | 'deleted' | 'completed' | 'inactive';

function requestedState(row: EnrollmentCells, work: Work, wanted: Wanted, present?: Enrollment): NewState {
  const status = (row.status ?? '').toLowerCase();
  if (status.startsWith('active')) return 'active';
  if (status.startsWith('completed')) return 'completed';
  if (status.startsWith('inactive')) return 'inactive';
  if (!status.startsWith('deleted_last_completed')) return 'deleted';
  // Completed only if it is the person's last enrolment in this role that is not deleted.
  const another = enrollmentsIn(work.world, wanted.login.user_id, wanted.course.id).some(
    (e) =>
      e !== present &&
      e.role_id === wanted.role.id &&
      e.associated_user_id === wanted.associated &&
      e.workflow_state !== 'deleted',
  );
  return another ? 'deleted' : 'completed';
}

function put(row: EnrollmentCells, work: Work, wanted: Wanted): Outcome {
  const { world } = work;
  const { login, course, section } = wanted;
  const present = findEnrollment(work, wanted);
  const gone = world.users.must(login.user_id).workflow_state === 'deleted';
  // A deleted enrolment stays deleted if the person or the login is deleted, whatever the row says.
  if (present?.workflow_state === 'deleted') {
    if (gone) return say.deletedUser(row.user_id, row.course_id);
    if (login.workflow_state === 'deleted') return say.deletedLogin(login.unique_id, row.course_id);
  }
  let state = requestedState(row, work, wanted, present);
  if (present && state === 'deleted') return remove(work, present);
  if (state === 'active' && (gone || login.workflow_state === 'deleted')) {
    const other = !gone && hasOtherLogin(work, login);
    if (!other) state = 'deleted';
    const message = other ? say.otherLogin : say.deletedUser;
    work.warn(row.row, message(row.user_id, row.course_id));
  }
  const invalid = validate(wanted, state);
  if (invalid) return say.invalid(row.course_id, row.section_id, row.user_id, row.role, invalid);

  const datesStuck = present !== undefined && STICKY.enrollment.some((field) => work.isStuck(present, field));
  const [start = null, end = null] = hasDates(row) ? readDates([row.start_date, row.end_date]).dates : [];
  const limits = row.limit_section_privileges;
  const limited = limits === null ? present?.limit_privileges_to_course_section : isTrue(limits);
  const fields = {
    workflow_state: state,
    ...(datesStuck ? {} : { start_at: start, end_at: end }),
    limit_privileges_to_course_section: limited ?? false,
    completed_at: state === 'completed' ? (present?.completed_at ?? world.now()) : null,
    sis_pseudonym_id: login.id,
  };
  const before = present?.workflow_state;
  let enrollment = present;
  if (enrollment) work.update(world.enrollments, 'Enrollment', enrollment, fields, STICKY.enrollment);
  else
    enrollment = work.create(world.enrollments, 'Enrollment', {
      user_id: login.user_id,
      course_id: course.id,
      course_section_id: section.id,
      type: wanted.type,
      role_id: wanted.role.id,
      associated_user_id: wanted.associated,
      last_activity_at: null,
      total_activity_time: 0,
      start_at: null,
      end_at: null,
      sis_batch_id: null,
      stuck_sis_fields: null,
      ...fields,
    });
  if (before !== state) {
    followStudent(work, enrollment);
    if (state === 'deleted') leaveGroups(work, enrollment);
  }
  return true;
}

/**
 * Removes an existing enrolment by changing only its state: dates and limits stay in case it is restored
 * (§18.2).
 */
function remove(work: Work, present: Enrollment): Outcome {
  const before = present.workflow_state;
  work.update(work.world.enrollments, 'Enrollment', present, { workflow_state: 'deleted' });
  if (before !== 'deleted') {
    followStudent(work, present);
    leaveGroups(work, present);
  }
  return true;
}

/** Returns whether the person can sign in with another login. */
function hasOtherLogin(work: Work, login: Pseudonym): boolean {
  const logins = work.world.pseudonyms.by.user.get(login.user_id);
  return logins.some((other) => other !== login && other.workflow_state === 'active');
}

function validate(wanted: Wanted, state: NewState): string | undefined {
  const errors: string[] = [];
  if (state !== 'deleted' && wanted.course.workflow_state === 'deleted') errors.push(say.badCourse);
  if (state !== 'deleted' && wanted.section.workflow_state === 'deleted') errors.push(say.badSection);
  if (wanted.associated !== null && wanted.associated === wanted.login.user_id)
    errors.push(say.observeYourself);
  return errors.length > 0 ? errors.join(',') : undefined;
}

function isTrue(cell: string): boolean {
  return ['true', '1', 'yes', 'on', 't', 'y'].includes(cell.toLowerCase());
}
