import type { Course, Enrollment, Section } from '../../store/model.ts';
import { placeKey } from '../../store/world.ts';
import { deleteCourseEnrollments, deleteSectionEnrollments, endEnrollment } from '../importers/effects.ts';
import type { Work } from '../importers/work.ts';
import { messages } from '../messages.ts';
import type { Pace } from './pace.ts';

/** The clean-up would delete more than the sender's threshold allows, or the import names no term to clean (§11). */
export class CleanupRefused extends Error {}

interface Doomed {
  courses: Course[];
  sections: Section[];
  enrollments: Enrollment[];
}

/**
 * Cleans up in batch mode (§11): deletes the objects that earlier imports added to the term and this one did
 * not include, for the kinds of files that were sent.
 * @throws CleanupRefused | Stopped
 */
export async function cleanUp(work: Work, pace: Pace): Promise<void> {
  const { batch, options, world } = work;
  const failed = batch.errors.some((error) => error.failure);
  if (!options.batch_mode || failed) return;
  const courses = coursesOf(work);
  const supplied = new Set(batch.data['supplied_batches'] as string[]);
  world.sisBatches.change(batch, { workflow_state: 'cleanup_batch', progress: 0 });
  const doomed = await select(work, pace, courses, supplied);
  work.cleaningUp = true;
  const total = doomed.courses.length + doomed.sections.length + doomed.enrollments.length;
  let done = 0;
  const step = async () => {
    done++;
    if (done % pace.step !== 0) return;
    world.sisBatches.change(batch, { progress: Math.min(99, Math.floor((done / total) * 100)) });
    await pace.done(pace.step);
  };
  for (const enrollment of doomed.enrollments) {
    endEnrollment(work, enrollment, options.batch_mode_enrollment_drop_status ?? 'deleted');
    await step();
  }
  for (const section of doomed.sections) {
    work.update(world.sections, 'CourseSection', section, { workflow_state: 'deleted' });
    deleteSectionEnrollments(work, section);
    await step();
  }
  for (const course of doomed.courses) {
    work.update(world.courses, 'Course', course, { workflow_state: 'deleted' });
    course.stuck_sis_fields?.delete('workflow_state');
    deleteCourseEnrollments(work, course);
    await step();
  }
  work.cleaningUp = false;
  const counts = batch.data['counts'] as Record<string, number>;
  if (supplied.has('course')) counts['batch_courses_deleted'] = doomed.courses.length;
  if (supplied.has('section')) counts['batch_sections_deleted'] = doomed.sections.length;
  if (supplied.has('enrollment')) counts['batch_enrollments_deleted'] = doomed.enrollments.length;
}

/** Returns all courses of the cleaned terms: the term named, or those in the import's own terms file. */
function coursesOf({ batch, options, world }: Work): Course[] {
  let terms = [world.terms.get(options.batch_mode_term_id)].flatMap((term) => term ?? []);
  if (options.multi_term_batch_mode) {
    terms = [...world.terms.values()].filter((term) => term.sis_batch_id === batch.id);
    if (terms.length === 0) throw new CleanupRefused(messages.batch.noTerms);
  }
  return terms.flatMap((term) => world.courses.by.term.get(term.id));
}

async function select(
  work: Work,
  pace: Pace,
  courses: readonly Course[],
  supplied: ReadonlySet<string>,
): Promise<Doomed> {
  const { sections, enrollments } = work.world;
  const doomed: Doomed = { courses: [], sections: [], enrollments: [] };
  if (supplied.has('course'))
    doomed.courses = untouched(
      work,
      'courses',
      courses.filter((course) => course.sis_source_id !== null),
    );
  if (supplied.has('section')) {
    // A cross-listed section belongs to the term of its original course.
    const all = courses.flatMap((course) => [
      ...sections.by.course.get(course.id).filter((section) => section.nonxlist_course_id === null),
      ...sections.by.nonxlist.get(course.id),
    ]);
    doomed.sections = untouched(
      work,
      'sections',
      all.filter((section) => section.sis_source_id !== null),
    );
  }
  if (supplied.has('enrollment')) {
    const dropped = work.options.batch_mode_enrollment_drop_status;
    const all: Enrollment[] = [];
    for (const course of courses) {
      for (const enrollment of enrollments.by.course.get(course.id))
        if (enrollment.workflow_state !== dropped && !staysWithStudent(work, enrollment))
          all.push(enrollment);
      await pace.yieldNow();
    }
    doomed.enrollments = untouched(work, 'enrollments', all);
  }
  return doomed;
}

/**
 * Returns whether a linked observer is kept because the student is in this import, even if the observer is
 * not.
 */
function staysWithStudent({ batch, world }: Work, enrollment: Enrollment): boolean {
  const { associated_user_id: studentId, user_id: observerId, course_section_id: sectionId } = enrollment;
  if (enrollment.type !== 'ObserverEnrollment' || studentId === null) return false;
  const linked = world.userObservers.by.student
    .get(studentId)
    .some((link) => link.observer_id === observerId && link.workflow_state !== 'deleted');
  if (!linked) return false;
  return world.enrollments.by.place
    .get(placeKey(sectionId, studentId))
    .some(
      (e) => e.type === 'StudentEnrollment' && e.sis_batch_id === batch.id && e.workflow_state !== 'deleted',
    );
}

type Touched = { workflow_state: string; sis_batch_id: number | null };

/**
 * Finds objects that other imports touched and this one did not.
 * @throws CleanupRefused if there are too many
 */
function untouched<T extends Touched>(work: Work, what: string, all: readonly T[]): T[] {
  const fromSis = all.filter((record) => record.workflow_state !== 'deleted' && record.sis_batch_id !== null);
  const doomed = fromSis.filter((record) => record.sis_batch_id !== work.batch.id);
  const threshold = work.options.change_threshold;
  if (threshold !== null && doomed.length > (threshold / 100) * fromSis.length)
    throw new CleanupRefused(messages.batch.wouldDelete(doomed.length, what, threshold));
  return doomed;
}
