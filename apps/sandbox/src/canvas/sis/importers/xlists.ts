import type { Course, Section } from '../../store/model.ts';
import { messages } from '../messages.ts';
import { moveSection } from './sections.ts';
import { type Importer, type Work } from './work.ts';

const COLUMNS = ['xlist_course_id', 'section_id', 'status'] as const;
const say = messages.xlist;

/** Cross-listings (§9.4). */
export const xlistImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'xlist',
  columns: COLUMNS,
  buffer: 1,

  check(row) {
    if (!row.xlist_course_id) return say.noCourse;
    if (!row.section_id) return say.noSection;
    if (!/^(?:active|deleted)$/i.test(row.status ?? '')) return say.badStatus(row.status);
    return undefined;
  },

  apply(row, work) {
    const { courses, sections } = work.world;
    const section = sections.by.sis.get(row.section_id);
    if (!section) return say.unknownSection(row.section_id);
    const activating = row.status?.toLowerCase() === 'active';
    let course = courses.by.sis.get(row.xlist_course_id);
    if (!course && activating) course = likeTheCourseOf(section, row.xlist_course_id, work);
    if (work.isStuck(section, 'course_id')) return false;
    if (activating && course) crossList(section, course, work);
    else if (!activating && (!course || section.course_id === course.id)) uncrossList(section, work);
    return true;
  },
};

/** Creates a missing target with the fields of the section's own course. */
function likeTheCourseOf(section: Section, sisId: string | null, work: Work): Course {
  const { courses } = work.world;
  const {
    id: _id,
    created_at: _created,
    updated_at: _updated,
    ...template
  } = courses.must(section.course_id);
  return courses.add({
    ...template,
    sis_source_id: sisId,
    integration_id: null,
    sis_batch_id: work.batch.id,
    workflow_state: 'claimed',
    blueprint: false,
    blueprint_course_id: null,
    template_course_id: section.course_id,
    stuck_sis_fields: null,
  });
}

function crossList(section: Section, course: Course, work: Work): void {
  if (course.workflow_state === 'deleted') work.world.courses.change(course, { workflow_state: 'claimed' });
  if (section.course_id === course.id) return;
  const home = section.nonxlist_course_id ?? section.course_id;
  // A section that returns to its original course stops being cross-listed.
  moveSection(work, section, course.id, home === course.id ? null : home);
}

function uncrossList(section: Section, work: Work): void {
  const { courses } = work.world;
  if (section.nonxlist_course_id === null) return;
  const home = courses.must(section.nonxlist_course_id);
  if (home.workflow_state === 'deleted') courses.change(home, { workflow_state: 'claimed' });
  moveSection(work, section, home.id, null);
}
