/** Evaluates cross-listings: where sections move with their people, and which courses are created or restored. */
import { type Cells, notFound, type SisEffect } from '@lms-admin/domain/sis-effect';
import { shown } from '@lms-admin/domain/sis-rows';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import type { CourseRef } from './course-ref.ts';
import { leftBy, namedSections } from './evaluate-sections.ts';
import { courseIsThere, type Evaluation, named, noteConcluded, put } from './evaluation.ts';
import type { FoundSection } from './holdings.ts';
import { noteOver } from './over-courses.ts';

interface Listing {
  effect: SisEffect;
  /** New course of the section; null if it stays. */
  to: CourseRef | null;
  /** The course that the section is cross-listed from afterwards. */
  home: CourseRef | null;
  /** Whether the LMS creates or restores the course. */
  brings?: 'new' | 'back';
}

export async function evaluateCrossListings(evaluation: Evaluation): Promise<void> {
  const { uploadRows, uploadState, courses, tally } = evaluation;
  const rows = [...uploadRows.of('xlist')];
  const held = await namedSections(evaluation, rows, 'xlist_course_id');
  for (const { cell, ...at } of rows) {
    const [id, target] = [cell('section_id') ?? '', cell('xlist_course_id') ?? ''];
    const known = held.get(id) ?? 'unread';
    // A section of the same upload has no people yet.
    const found = uploadState.sections.has(id) ? null : known;
    const from = typeof found === 'string' ? null : presentPlace(evaluation, id, found).present;
    const { effect, to, home, brings } = await crossListing(evaluation, cell, found);
    if (found === 'missing' && /^active$/i.test(cell('status') ?? '')) {
      uploadState.perhaps.add(id).add(target);
      noteMaybeNew(evaluation, target);
    }
    const sitting =
      to !== null && typeof found === 'object' && found !== null
        ? await leftBy(evaluation, found, to, home)
        : null;
    if (to !== null) uploadState.journeys.comes(id, to);
    if (to !== null && found === null)
      uploadState.sections.set(id, { course: to.sisId, home: home?.sisId ?? null });
    if (to !== null && from !== null && (brings === 'new' || tally.newCourses.has(to.sisId)))
      await noteNewCourse(evaluation, to.sisId, from, typeof found === 'object' ? found : null);
    if (to !== null && brings) {
      uploadState.set('course', to.sisId, true);
      // A cross-listing restores a course deleted by the same upload.
      tally.losses.keep('course', to.sisId);
    }
    // The LMS also does this if an earlier row deletes the course, which LMS Admin cannot know.
    if (to !== null && uploadState.mayBeGone(to.sisId)) uploadState.set('course', to.sisId, true);
    // A deleted section, or one of a deleted course, has no people to lose.
    if (effect.does === 'unknown' && found !== 'missing') tally.uncompared('section');
    const course = courses.of(target);
    if (effect.fields?.some(([field, , after]) => field === 'xlist_course_id' && after === target)) {
      noteConcluded(evaluation, target, course);
      if (typeof found === 'object' && found !== null)
        await noteOver(evaluation, found, target, found.limited === true);
    }
    await put(
      evaluation,
      'xlist',
      at,
      effect,
      typeof found === 'object' && found !== null
        ? named(id, found.name, `courses/${found.courseId}/sections/${found.id}`)
        : named(id),
      {
        in: typeof course === 'object' ? named(target, course.name, `courses/${course.id}`) : named(target),
        takes: sitting,
      },
    );
  }
}

/** Records a course that the LMS creates if the section is a deleted one: its name is unknown. */
function noteMaybeNew({ tally, courses, uploadState }: Evaluation, sisId: string): void {
  const known = tally.newCourses.get(sisId);
  if (!known && (courses.of(sisId) !== 'missing' || uploadState.has('course', sisId) !== undefined)) return;
  const { name = '', sections = 0, enrolments = 0 } = known ?? {};
  tally.newCourses.set(sisId, { sis_course_id: sisId, name, sections: sections + 1, enrolments });
}

/** Records that the LMS creates the course of a cross-listing, named like the course of its first section. */
async function noteNewCourse(
  evaluation: Evaluation,
  sisId: string,
  from: CourseRef,
  section: FoundSection | null,
): Promise<void> {
  const { tally, courseEnrolments } = evaluation;
  const known = tally.newCourses.get(sisId);
  const enrolments = section === null ? 0 : (courseEnrolments.moves.get(section.id)?.enrolments.length ?? 0);
  tally.newCourses.set(sisId, {
    sis_course_id: sisId,
    name: known?.name || (await nameOfCourse(evaluation, from)),
    sections: (known?.sections ?? 0) + 1,
    enrolments: (known?.enrolments ?? 0) + enrolments,
  });
}

/** Returns the name of a course after the rows so far. */
async function nameOfCourse(
  { asking, uploadState, courses, tally }: Evaluation,
  course: CourseRef,
): Promise<string> {
  const { id, sisId } = course;
  const known = uploadState.courseNames.get(sisId) ?? tally.newCourses.get(sisId)?.name;
  if (known) return known;
  const held = courses.of(sisId);
  if (typeof held === 'object') return held.name;
  if (id === null) return sisId;
  const found = await answered(asking, () => asking.services.scope.course(asking.admin, id, asking.signal));
  return typeof found === 'object' && found !== null ? found.name : sisId;
}

/** @param found null for a section of the same upload */
async function crossListing(
  evaluation: Evaluation,
  cell: Cells,
  found: Answer<FoundSection> | null,
): Promise<Listing> {
  const [id, target] = [cell('section_id') ?? '', cell('xlist_course_id') ?? ''];
  if (found === 'unread')
    return stays({ does: 'unknown', why: 'The LMS did not answer when asked for this section.' });
  if (found === 'missing' && endsInDeleted(evaluation, cell))
    return stays({
      does: 'unknown',
      why: `The course ${shown(target)} is deleted, and the LMS does not show the sections in it. If this section is one of them, it returns to its own course, with no one in it. Otherwise the LMS rejects the row.`,
    });
  if (found === 'missing')
    return stays(notFound('section_id', noSection(id), `${noSection(id)} ${hidden(evaluation, cell)}`));
  const { present, home } = presentPlace(evaluation, id, found);
  if (/^deleted$/i.test(cell('status') ?? '')) return listedBack(evaluation, cell, present, home);
  const perhapsGone = evaluation.uploadState.mayBeGone(target);
  const there = perhapsGone || courseIsThere(evaluation, target);
  if (there === null)
    return stays({ does: 'unknown', why: 'The LMS did not answer when asked for the course.' });
  const inside = present.sisId === target;
  if (inside && there) return stays({ does: 'nothing', why: 'The section is already in this course.' });
  if (inside)
    return {
      effect: { does: 'changes', why: `${restores(target)} The section is already in it.` },
      to: present,
      home,
      brings: 'back',
    };
  const course = evaluation.courses.of(target);
  const to = refOf(evaluation, target);
  const from = home ?? present;
  const people = takenAlong(evaluation, id);
  const why = there
    ? `The section moves to this course, ${people}${perhapsGone ? PERHAPS_RESTORED : ''}`
    : typeof course === 'object'
      ? `${restores(target)} The section moves to it, ${people}`
      : `The LMS has no course ${shown(target)}: it creates one, and the section moves to it, ${people}`;
  return {
    effect: { does: 'changes', why, fields: [['xlist_course_id', present.sisId || null, target]] },
    to,
    // A section that is cross-listed back to its own course counts as not cross-listed.
    home: from.sisId === target || (to.id !== null && to.id === from.id) ? null : from,
    ...(there ? {} : { brings: typeof course === 'object' ? ('back' as const) : ('new' as const) }),
  };
}

/** Returns whether a row ends the cross-listing to a deleted course, which has no people left. */
function endsInDeleted(evaluation: Evaluation, cell: Cells): boolean {
  const target = cell('xlist_course_id') ?? '';
  const there = evaluation.courses.of(target) !== 'missing' && courseIsThere(evaluation, target) === false;
  return there && /^deleted$/i.test(cell('status') ?? '');
}

/** Returns the place of a section after the rows so far, and the course that it is cross-listed from. */
function presentPlace(
  evaluation: Evaluation,
  id: string,
  found: FoundSection | null,
): { present: CourseRef; home: CourseRef | null } {
  const uploadedSection = evaluation.uploadState.sections.get(id);
  if (found === null)
    return {
      present: refOf(evaluation, uploadedSection?.course ?? ''),
      home: uploadedSection?.home == null ? null : refOf(evaluation, uploadedSection.home),
    };
  const moved = evaluation.courseEnrolments.moves.get(found.id);
  if (moved) return { present: moved.to, home: moved.home };
  return {
    present: { id: found.courseId, sisId: found.course ?? '' },
    home: found.home === null ? null : { id: found.home, sisId: '' },
  };
}

/** Evaluates the end of a section's cross-listing. */
async function listedBack(
  evaluation: Evaluation,
  cell: Cells,
  present: CourseRef,
  home: CourseRef | null,
): Promise<Listing> {
  const { courses, uploadState } = evaluation;
  const [id, target] = [cell('section_id') ?? '', cell('xlist_course_id') ?? ''];
  if (home === null) return stays({ does: 'nothing', why: 'The section is not cross-listed.' });
  const elsewhere = present.sisId !== target;
  if (elsewhere && uploadState.has('course', target) === undefined && courses.of(target) === 'unread')
    return stays({ does: 'unknown', why: 'The LMS did not answer when asked for the course.' });
  if (
    elsewhere &&
    uploadState.perhaps.has(target) &&
    uploadState.has('course', target) === undefined &&
    courses.of(target) === 'missing'
  )
    return stays({ does: 'unknown', why: perhapsHere(target) });
  // If the course never existed, the row is applied to the course that the section is in.
  if (elsewhere && (uploadState.has('course', target) !== undefined || courses.of(target) !== 'missing'))
    return stays({
      does: 'nothing',
      why: `The section is not cross-listed to the course ${shown(target)}.`,
    });
  const own = home.id === null ? null : await courses.byNumber(home.id);
  const to = { id: home.id, sisId: typeof own === 'object' && own !== null ? own.sisId : home.sisId };
  const there =
    (to.sisId === '' ? undefined : uploadState.has('course', to.sisId)) ??
    !(typeof own === 'object' && own?.state === 'deleted');
  const back = `The section returns to its own course, ${takenAlong(evaluation, id)}`;
  return {
    effect: {
      does: 'changes',
      why: there ? back : `${restores(to.sisId)} ${back}`,
      fields: [['xlist_course_id', present.sisId || null, null]],
    },
    to,
    home: null,
    ...(there ? {} : { brings: 'back' as const }),
  };
}

/** Returns the people who move with a section, as the end of a sentence. */
function takenAlong({ uploadState }: Evaluation, section: string): string {
  return uploadState.has('section', section) === false
    ? 'with no one in it: this upload deletes it, and it stays deleted.'
    : 'with everyone in it.';
}

const perhapsHere = (target: string): string =>
  `If the course ${shown(target)} exists after the earlier rows, nothing changes. Otherwise the section returns to its own course, so the row counts as a removal.`;
const noSection = (id: string): string => `The LMS has no section ${shown(id)}.`;

/** Describes a row about a deleted section: it may create or restore the course. */
function hidden(evaluation: Evaluation, cell: Cells): string {
  const target = cell('xlist_course_id') ?? '';
  if (/^deleted$/i.test(cell('status') ?? ''))
    return 'If it never existed, the LMS rejects the row. If a section with this SIS ID, or its course, was deleted, the section returns to its own course, which is restored with it. LMS Admin cannot check this, because the LMS does not show deleted items.';
  const brings = evaluation.courses.of(target) === 'missing' ? 'creates' : 'restores';
  const course = courseIsThere(evaluation, target) === false ? `, which the LMS ${brings} for it` : '';
  return `If it never existed, the LMS rejects the row. If a section with this SIS ID, or its course, was deleted, the section moves to the course${course}. LMS Admin cannot check this, because the LMS does not show deleted items.`;
}

const PERHAPS_RESTORED =
  ' If an earlier row of this upload deletes the course, the LMS restores it, without the enrolments that it had.';
const stays = (effect: SisEffect): Listing => ({ effect, to: null, home: null });
const restores = (sisId: string): string =>
  `The course ${shown(sisId)} is deleted: the LMS restores it, without the enrolments that it had.`;

function refOf({ courses }: Evaluation, sisId: string): CourseRef {
  const course = courses.of(sisId);
  return { id: typeof course === 'object' ? course.id : null, sisId };
}
