/** Rows of cross-listings: where a section goes with its people, and which courses are created or restored for it. */
import type { Cells, SisEffect } from '@lms-admin/domain/sis-effect';
import { shown } from '@lms-admin/domain/sis-rows';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import type { CourseRef } from './course-enrolments.ts';
import { leftBy, namedSections } from './evaluate-sections.ts';
import { courseIsThere, type Evaluation, named, noteConcluded, put } from './evaluation.ts';
import type { FoundSection } from './holdings.ts';
import { noteOver } from './over-courses.ts';

interface Listing {
  effect: SisEffect;
  /** Where the section goes; null where it stays. */
  to: CourseRef | null;
  /** The course that it is cross-listed from afterwards. */
  home: CourseRef | null;
  /** Whether the LMS creates the course, or restores it. */
  brings?: 'new' | 'back';
}

export async function evaluateCrossListings(evaluation: Evaluation): Promise<void> {
  const { gathered, made, courses, tally } = evaluation;
  const rows = [...gathered.of('xlist')];
  const held = await namedSections(evaluation, rows, 'xlist_course_id');
  for (const { cell, ...at } of rows) {
    const [id, target] = [cell('section_id') ?? '', cell('xlist_course_id') ?? ''];
    const known = held.get(id) ?? 'unread';
    // One of the same upload has no one in it yet.
    const found = made.sections.has(id) ? null : known;
    const from = typeof found === 'string' ? null : presentPlace(evaluation, id, found).present;
    const { effect, to, home, brings } = await crossListing(evaluation, cell, found);
    if (found === 'missing' && /^active$/i.test(cell('status') ?? '')) made.perhaps.add(id).add(target);
    const sitting =
      to !== null && typeof found === 'object' && found !== null
        ? await leftBy(evaluation, found, to, home)
        : null;
    if (to !== null) made.journeys.comes(id, to);
    if (to !== null && found === null) made.sections.set(id, { course: to.sisId, home: home?.sisId ?? null });
    if (to !== null && from !== null && (brings === 'new' || tally.newCourses.has(to.sisId)))
      await noteNewCourse(evaluation, to.sisId, from, typeof found === 'object' ? found : null);
    if (to !== null && brings) {
      made.set('course', to.sisId, true);
      // Deleted by the same upload it is back.
      tally.losses.keep('course', to.sisId);
    }
    if (effect.does === 'unknown' && !endsInDeleted(evaluation, cell)) tally.uncompared('section');
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

/** Notes that the LMS creates the course of a cross-listing, named like the course of its first section. */
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
    name: known?.name ?? (await nameOfCourse(evaluation, from)),
    sections: (known?.sections ?? 0) + 1,
    enrolments: (known?.enrolments ?? 0) + enrolments,
  });
}

/** Name of a course as the rows so far leave it. */
async function nameOfCourse(
  { asking, made, courses, tally }: Evaluation,
  course: CourseRef,
): Promise<string> {
  const { id, sisId } = course;
  const known = made.courseNames.get(sisId) ?? tally.newCourses.get(sisId)?.name;
  if (known !== undefined) return known;
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
      why: `The course ${shown(target)} is deleted, and the LMS does not show the sections in it. If this section is one of them, it goes back to its own course, with no one in it; else the LMS refuses the row.`,
    });
  if (found === 'missing')
    return stays({ does: 'fails', why: `The LMS has no section ${shown(id)}. ${hidden(evaluation, cell)}` });
  const { present, home } = presentPlace(evaluation, id, found);
  if (/^deleted$/i.test(cell('status') ?? '')) return listedBack(evaluation, cell, present, home);
  const there = courseIsThere(evaluation, target);
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
    ? `The section goes to this course, ${people}`
    : typeof course === 'object'
      ? `${restores(target)} The section goes to it, ${people}`
      : `The LMS has no course ${shown(target)}: it creates one, and the section goes to it, ${people}`;
  return {
    effect: { does: 'changes', why, fields: [['xlist_course_id', present.sisId || null, target]] },
    to,
    // Listed back into its own course it is not cross-listed any more.
    home: from.sisId === target || (to.id !== null && to.id === from.id) ? null : from,
    ...(there ? {} : { brings: typeof course === 'object' ? ('back' as const) : ('new' as const) }),
  };
}

/** Whether a row ends the cross-listing to a course that is deleted: no one is in it any more. */
function endsInDeleted(evaluation: Evaluation, cell: Cells): boolean {
  const target = cell('xlist_course_id') ?? '';
  const there = evaluation.courses.of(target) !== 'missing' && courseIsThere(evaluation, target) === false;
  return there && /^deleted$/i.test(cell('status') ?? '');
}

/** Where a section is after the rows so far, and the course that it is cross-listed from. */
function presentPlace(
  evaluation: Evaluation,
  id: string,
  found: FoundSection | null,
): { present: CourseRef; home: CourseRef | null } {
  const made = evaluation.made.sections.get(id);
  if (found === null)
    return {
      present: refOf(evaluation, made?.course ?? ''),
      home: made?.home == null ? null : refOf(evaluation, made.home),
    };
  const moved = evaluation.courseEnrolments.moves.get(found.id);
  if (moved) return { present: moved.to, home: moved.home };
  return {
    present: { id: found.courseId, sisId: found.course ?? '' },
    home: found.home === null ? null : { id: found.home, sisId: '' },
  };
}

/** What becomes of a section whose cross-listing ends. */
async function listedBack(
  evaluation: Evaluation,
  cell: Cells,
  present: CourseRef,
  home: CourseRef | null,
): Promise<Listing> {
  const { courses, made } = evaluation;
  const [id, target] = [cell('section_id') ?? '', cell('xlist_course_id') ?? ''];
  if (home === null) return stays({ does: 'nothing', why: 'The section is not cross-listed.' });
  const elsewhere = present.sisId !== target;
  if (elsewhere && made.has('course', target) === undefined && courses.of(target) === 'unread')
    return stays({ does: 'unknown', why: 'The LMS did not answer when asked for the course.' });
  // A course that was never there counts as the one that the section is in.
  if (elsewhere && (made.has('course', target) !== undefined || courses.of(target) !== 'missing'))
    return stays({
      does: 'nothing',
      why: `The section is not cross-listed to the course ${shown(target)}.`,
    });
  const own = home.id === null ? null : await courses.byNumber(home.id);
  const to = { id: home.id, sisId: typeof own === 'object' && own !== null ? own.sisId : home.sisId };
  const there =
    (to.sisId === '' ? undefined : made.has('course', to.sisId)) ??
    !(typeof own === 'object' && own?.state === 'deleted');
  const back = `The section goes back to its own course, ${takenAlong(evaluation, id)}`;
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

/** Who goes with a section, as the end of a sentence. */
function takenAlong({ made }: Evaluation, section: string): string {
  return made.has('section', section) === false
    ? 'with no one in it: this upload deletes it, and it stays deleted.'
    : 'with everyone in it.';
}

/** What a row does where its section was deleted: it may create the course, or restore it. */
function hidden(evaluation: Evaluation, cell: Cells): string {
  const target = cell('xlist_course_id') ?? '';
  if (/^deleted$/i.test(cell('status') ?? ''))
    return 'If one with this SIS ID, or its course, was deleted, it goes back to its own course, which is restored with it: the LMS does not show what was deleted.';
  const brings = evaluation.courses.of(target) === 'missing' ? 'creates' : 'restores';
  const course = courseIsThere(evaluation, target) === false ? `, which the LMS ${brings} for it` : '';
  return `If one with this SIS ID, or its course, was deleted, it goes to the course${course}: the LMS does not show what was deleted.`;
}

const stays = (effect: SisEffect): Listing => ({ effect, to: null, home: null });
const restores = (sisId: string): string =>
  `The course ${shown(sisId)} is deleted: the LMS restores it, without the enrolments that it had.`;

function refOf({ courses }: Evaluation, sisId: string): CourseRef {
  const course = courses.of(sisId);
  return { id: typeof course === 'object' ? course.id : null, sisId };
}
