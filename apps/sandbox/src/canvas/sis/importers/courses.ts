import type { AbstractCourse, Course } from '../../store/model.ts';
import { STICKY } from '../../store/sticky.ts';
import { readDates } from '../csv/dates.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';
import { completeCourseEnrollments, deleteCourseEnrollments } from './effects.ts';
import {
  endsTooEarly,
  type Importer,
  integrationTaken,
  type Outcome,
  startsWithOne,
  tooLong,
  type Work,
} from './work.ts';

const COLUMNS = [
  'course_id',
  'short_name',
  'long_name',
  'status',
  'account_id',
  'term_id',
  'fallback_account_id',
  'integration_id',
  'start_date',
  'end_date',
  'course_format',
  'blueprint_course_id',
  'grade_passback_setting',
  'homeroom_course',
  'friendly_name',
  'abstract_course_id',
] as const;
type CourseCells = Cells<(typeof COLUMNS)[number]>;

const PASSBACKS = ['nightly_sync', 'disabled', 'not_set'];
const say = messages.course;

/** Courses (§9.4). */
export const courseImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'course',
  columns: COLUMNS,
  buffer: 1,

  check(row, work) {
    const id = row.course_id;
    if (readDates([dateCell(row.start_date), dateCell(row.end_date)]).bad)
      work.warn(row.row, say.badDate(id));
    if (!id) return say.noId;
    if (!row.short_name && !row.abstract_course_id) return say.noShortName(id);
    if (!row.long_name && !row.abstract_course_id) return say.noLongName(id);
    if (!startsWithOne(row.status, 'active', 'deleted', 'completed', 'unpublished', 'published'))
      return say.badStatus(row.status, id);
    if (row.course_format && !startsWithOne(row.course_format, 'online', 'on_campus', 'blended', 'not_set'))
      return say.badFormat(row.course_format, id);
    const passback = row.grade_passback_setting;
    if (passback && !PASSBACKS.includes(passback.toLowerCase())) return say.badPassback(passback, id);
    return undefined;
  },

  apply(row, work) {
    const { courses } = work.world;
    const present = courses.by.sis.get(row.course_id);
    const account = findAccount(row, present, work);
    if (typeof account === 'string') return account;
    const abstract = findAbstract(row, work);
    const fields = {
      ...identity(row, present, abstract, work),
      account_id: row.account_id || !abstract ? account : abstract.account_id,
      integration_id: row.integration_id,
      abstract_course_id: abstract?.id ?? null,
      workflow_state: stateFor(row, present),
      ...datesFor(row, present, work),
      ...settingsFor(row),
    };
    const invalid =
      tooLong([
        ['Name', fields.name],
        ['Course code', fields.course_code],
        ['SIS ID', row.course_id],
        ['Integration ID', row.integration_id],
      ]) ??
      integrationTaken(row.integration_id, present, courses.by.integration.get(row.integration_id)) ??
      endsTooEarly(
        'Conclude at',
        'start_at' in fields ? fields.start_at : present?.start_at,
        'conclude_at' in fields ? fields.conclude_at : present?.conclude_at,
      );
    if (invalid) return say.invalid(row.course_id, row.short_name, invalid);
    let course = present;
    const former = present?.workflow_state;
    if (course) {
      const inherited = INHERITED.filter((field) => !work.isStuck(course as Course, field));
      if (work.update(courses, 'Course', course, fields, STICKY.course)) passOn(course, inherited, work);
    } else course = work.create(courses, 'Course', newCourse(row, fields, work));
    if (former !== course.workflow_state) {
      if (course.workflow_state === 'deleted') deleteCourseEnrollments(work, course);
      if (course.workflow_state === 'completed') completeCourseEnrollments(work, course);
    }
    return linkBlueprint(row, course, work);
  },
};

/** Fields that courses created for cross-listings take from their original course. */
const INHERITED = STICKY.course.filter(
  (field) => field !== 'workflow_state' && field !== 'grade_passback_setting',
);

/** Passes changes of a blueprint on to its courses. Fields that a person changed on either side stay. */
function passOn(course: Course, fields: readonly (keyof Course)[], work: Work): void {
  const { courses } = work.world;
  const patch = Object.fromEntries(fields.map((field) => [field, course[field]])) as Partial<Course>;
  for (const follower of courses.by.template.get(course.id))
    work.update(courses, 'Course', follower, patch, STICKY.course);
}

/** Reads a date cell. `<delete>` is a keyword, not a date. */
const dateCell = (cell: string | null): string | null => (cell === '<delete>' ? null : cell);

function findAccount(row: CourseCells, present: Course | undefined, work: Work): number | string {
  const { accounts, rootAccount } = work.world;
  const named = accounts.by.sis.get(row.account_id) ?? accounts.by.sis.get(row.fallback_account_id);
  if (row.account_id && !named) return say.unknownAccount(row.account_id, row.course_id);
  const stuck = present !== undefined && work.isStuck(present, 'account_id');
  const moved = !stuck && named?.workflow_state === 'active' ? named : undefined;
  const account =
    moved ?? accounts.get(present?.account_id) ?? (named?.workflow_state === 'deleted' ? named : rootAccount);
  if (account.workflow_state === 'deleted') return say.accountDeleted(row.course_id, account.sis_source_id);
  return account.id;
}

function findAbstract(row: CourseCells, work: Work): AbstractCourse | undefined {
  if (!row.abstract_course_id) return undefined;
  const abstract = work.world.abstractCourses.by.sis.get(row.abstract_course_id);
  if (!abstract) work.warn(row.row, say.unknownAbstract(row.abstract_course_id));
  return abstract;
}

/** Returns names and term: from the row, or the existing course, or the abstract course. */
function identity(
  row: CourseCells,
  present: Course | undefined,
  abstract: AbstractCourse | undefined,
  { world }: Work,
): Pick<Course, 'name' | 'course_code' | 'enrollment_term_id'> {
  const term = world.terms.by.sis.get(row.term_id);
  // An unknown or deleted term is silently ignored.
  const termId =
    term?.workflow_state === 'active' ? term.id : row.term_id ? undefined : abstract?.enrollment_term_id;
  return {
    name: row.long_name ?? present?.name ?? abstract?.name ?? '',
    course_code: row.short_name ?? present?.course_code ?? abstract?.short_name ?? '',
    enrollment_term_id: termId ?? present?.enrollment_term_id ?? world.defaultTerm.id,
  };
}

function stateFor(row: CourseCells, present: Course | undefined): Course['workflow_state'] {
  const status = (row.status ?? '').toLowerCase();
  const former = present?.workflow_state;
  if (['active', 'unpublished', 'published'].includes(status)) {
    // As in Canvas, a course that was published or concluded is published by each of these statuses.
    if (former === 'completed' || former === 'available') return 'available';
    return status === 'published' ? 'available' : 'claimed';
  }
  if (status.includes('deleted')) return 'deleted';
  if (status.includes('completed')) return 'completed';
  return former ?? 'claimed';
}

/** Reads the dates of a course: an empty cell keeps a date, `<delete>` clears it. */
function datesFor(row: CourseCells, present: Course | undefined, work: Work): Partial<Course> {
  if (row.start_date === null && row.end_date === null) return {};
  if (present && (work.isStuck(present, 'start_at') || work.isStuck(present, 'conclude_at'))) return {};
  const [start = null, end = null] = readDates([dateCell(row.start_date), dateCell(row.end_date)]).dates;
  const bothDeleted = row.start_date === '<delete>' && row.end_date === '<delete>';
  return {
    ...(row.start_date === null ? {} : { start_at: start }),
    ...(row.end_date === null ? {} : { conclude_at: end }),
    restrict_enrollments_to_course_dates: !bothDeleted,
  };
}

/** Reads a setting: an empty cell clears it, like `not_set`. */
const valueOf = (cell: string | undefined): string | null => (!cell || cell === 'not_set' ? null : cell);

/**
 * Reads the settings in a row; a missing column keeps the setting. Friendly names are only for elementary
 * schools' accounts.
 */
function settingsFor(row: CourseCells): Partial<Course> {
  const format = row.course_format?.toLowerCase();
  const passback = row.grade_passback_setting?.toLowerCase();
  return {
    ...(row.columns.has('course_format') ? { course_format: valueOf(format) } : {}),
    ...(row.columns.has('grade_passback_setting') ? { grade_passback_setting: valueOf(passback) } : {}),
    ...(row.homeroom_course ? { homeroom_course: /^(?:true|1|yes|on)$/i.test(row.homeroom_course) } : {}),
  };
}

type NewCourse = Omit<Course, 'id' | 'created_at' | 'updated_at'>;

function newCourse(
  row: CourseCells,
  fields: Partial<Course> &
    Pick<
      Course,
      | 'account_id'
      | 'name'
      | 'course_code'
      | 'enrollment_term_id'
      | 'workflow_state'
      | 'integration_id'
      | 'abstract_course_id'
    >,
  { world }: Work,
): NewCourse {
  return {
    sis_source_id: row.course_id,
    sis_batch_id: null,
    start_at: null,
    conclude_at: null,
    restrict_enrollments_to_course_dates: false,
    course_format: null,
    grade_passback_setting: null,
    homeroom_course: false,
    friendly_name: null,
    blueprint: false,
    blueprint_course_id: null,
    template_course_id: null,
    time_zone: world.accounts.must(fields.account_id).default_time_zone,
    stuck_sis_fields: null,
    ...fields,
  };
}

function linkBlueprint(row: CourseCells, course: Course, work: Work): Outcome {
  const wanted = row.blueprint_course_id;
  if (!wanted || course.workflow_state === 'deleted') return true;
  const { courses } = work.world;
  if (wanted === 'dissociate') courses.change(course, { blueprint_course_id: null });
  else {
    const blueprint = courses.by.sis.get(wanted);
    const refused = blueprintRefusal(row, course, blueprint, work);
    if (refused) work.warn(row.row, refused);
    else if (blueprint) courses.change(course, { blueprint_course_id: blueprint.id });
  }
  return true;
}

/** Returns the reason why a course cannot follow a blueprint. The row itself is applied anyway. */
function blueprintRefusal(
  row: CourseCells,
  course: Course,
  blueprint: Course | undefined,
  { world }: Work,
): string | undefined {
  const id = row.course_id;
  if (!blueprint?.blueprint) return say.unknownBlueprint(row.blueprint_course_id, id);
  if (course.blueprint) return say.isBlueprint(id);
  if (course.blueprint_course_id !== null && course.blueprint_course_id !== blueprint.id)
    return say.otherBlueprint(id);
  const above = world.accountChain(course.account_id).some((account) => account.id === blueprint.account_id);
  return above ? undefined : say.aboveBlueprint(id);
}
