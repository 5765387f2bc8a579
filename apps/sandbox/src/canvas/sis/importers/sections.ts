import type { Course, Section } from '../../store/model.ts';
import { STICKY } from '../../store/sticky.ts';
import { readDates } from '../csv/dates.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';
import { deleteSectionEnrollments } from './effects.ts';
import { endsTooEarly, type Importer, integrationTaken, startsWithOne, tooLong, type Work } from './work.ts';

const COLUMNS = [
  'section_id',
  'course_id',
  'name',
  'status',
  'start_date',
  'end_date',
  'integration_id',
] as const;
type SectionCells = Cells<(typeof COLUMNS)[number]>;
const say = messages.section;

/** Sections (§9.4). */
export const sectionImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'section',
  columns: COLUMNS,
  buffer: 1,

  check(row, work) {
    if (readDates([row.start_date, row.end_date]).bad) work.warn(row.row, say.badDate(row.section_id));
    if (!row.section_id) return say.noId(row.course_id);
    if (!row.course_id) return say.noCourse(row.section_id);
    if (!row.name && startsWithOne(row.status, 'active')) return say.noName(row.section_id, row.course_id);
    if (!startsWithOne(row.status, 'active', 'deleted'))
      return say.badStatus(row.status, row.section_id, row.course_id);
    return undefined;
  },

  apply(row, work) {
    const { courses, sections } = work.world;
    const course = courses.by.sis.get(row.course_id);
    if (!course) return say.unknownCourse(row.section_id, row.course_id);
    const present = sections.by.sis.get(row.section_id);
    if (!present && !row.name) return say.noName(row.section_id, row.course_id);
    const fields = fieldsFor(row, present, work);
    const invalid =
      tooLong([
        ['Name', row.name],
        ['SIS ID', row.section_id],
        ['Integration ID', row.integration_id],
      ]) ??
      integrationTaken(row.integration_id, present, sections.by.integration.get(row.integration_id)) ??
      endsTooEarly('End at', fields.start_at, fields.end_at);
    if (invalid) return say.invalid(row.section_id, row.name, row.course_id, invalid);
    if (present) moveWhereItBelongs(present, course, row, work);
    const former = present?.workflow_state;
    let section = present;
    if (section) work.update(sections, 'CourseSection', section, fields, STICKY.section);
    else
      section = work.create(sections, 'CourseSection', {
        course_id: course.id,
        name: row.name ?? '',
        default_section: false,
        sis_source_id: row.section_id,
        sis_batch_id: null,
        nonxlist_course_id: null,
        stuck_sis_fields: null,
        ...fields,
      });
    if (former !== undefined && section.workflow_state === 'deleted') deleteSectionEnrollments(work, section);
    return true;
  },
};

function fieldsFor(row: SectionCells, present: Section | undefined, work: Work) {
  const [start = null, end = null] = readDates([row.start_date, row.end_date]).dates;
  const stuck =
    present !== undefined && (work.isStuck(present, 'start_at') || work.isStuck(present, 'end_at'));
  const dates = stuck
    ? { start_at: present.start_at, end_at: present.end_at }
    : { start_at: start, end_at: end };
  return {
    ...(row.name ? { name: row.name } : {}),
    integration_id: row.integration_id,
    workflow_state: startsWithOne(row.status, 'deleted') ? ('deleted' as const) : ('active' as const),
    ...dates,
    restrict_enrollments_to_section_dates: dates.start_at !== null || dates.end_at !== null,
  };
}

/** Moves a section to the course of its row, unless a person placed it or it is cross-listed from there. */
function moveWhereItBelongs(section: Section, course: Course, row: SectionCells, work: Work): void {
  if (section.course_id === course.id) return;
  const stuck = work.isStuck(section, 'course_id');
  if (section.nonxlist_course_id === null) {
    if (!stuck) moveSection(work, section, course.id, null);
    return;
  }
  const elsewhere = section.nonxlist_course_id !== course.id && !stuck;
  const holder = work.world.courses.must(section.course_id);
  const orphaned = holder.workflow_state === 'deleted' && startsWithOne(row.status, 'active');
  if (elsewhere || orphaned) moveSection(work, section, course.id, null);
}

/**
 * Moves a section with its enrolments to another course, where it becomes the default section if the course has none.
 */
export function moveSection(
  work: Work,
  section: Section,
  courseId: number,
  nonxlistCourseId: number | null,
): void {
  const { sections } = work.world;
  work.update(sections, 'CourseSection', section, work.world.moveTo(courseId, nonxlistCourseId));
  work.world.followSection(section);
}
