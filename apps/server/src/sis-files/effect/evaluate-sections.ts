/** Evaluates rows of sections, with the people who lose a course through them. */
import { counted } from '@lms-admin/domain/numbers';
import { type Cells, notFound, type SisEffect } from '@lms-admin/domain/sis-effect';
import { sectionLimited } from '@lms-admin/domain/sis-effect/date-limits';
import { type Known } from '@lms-admin/domain/sis-effect/known';
import { sectionEffect, sectionRestored } from '@lms-admin/domain/sis-effect/sections';
import { shown } from '@lms-admin/domain/sis-rows';
import { type Answer } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE } from './ask.ts';
import { activeOf, endEnrolments, endedWords, moveSection } from './course-enrolments.ts';
import type { Members } from './course-members.ts';
import type { CourseRef } from './course-ref.ts';
import { type DeletedSection, deletedSections } from './deleted-sections.ts';
import { count, type Evaluation, named, noteConcluded, put, removes, unlessRefused } from './evaluation.ts';
import { type FoundSection, sectionBySisId } from './holdings.ts';
import { noteOver } from './over-courses.ts';
import { type CellsRow, grouped } from './upload-rows.ts';

/** Finds the sections in rows: in the courses of the rows, otherwise wherever they are now. */
export async function namedSections(
  evaluation: Evaluation,
  rows: readonly CellsRow[],
  course: string,
): Promise<Map<string, Answer<FoundSection>>> {
  const { asking, courses, courseEnrolments } = evaluation;
  const found = new Map<string, Answer<FoundSection>>();
  const byCourse = grouped(rows, ({ cell }) => cell(course) ?? '');
  await mapLimited([...byCourse], AT_ONCE, async ([id, sections]) => {
    const at = courses.of(id);
    const ids = sections.map(({ cell }) => cell('section_id') ?? '');
    // A single section is requested alone; several are read with their course.
    if (typeof at === 'object' && at.state !== 'deleted' && ids.length > 1) {
      const all = await courseEnrolments.sections(at);
      if (typeof all !== 'string')
        for (const each of all) if (each.sisId !== null) found.set(each.sisId, each);
    }
    for (const each of ids) if (!found.has(each)) found.set(each, await sectionBySisId(asking, each));
  });
  return found;
}

export async function evaluateSections(evaluation: Evaluation, known: Known): Promise<void> {
  const { uploadRows, uploadState, courses } = evaluation;
  const rows = [...uploadRows.of('section')];
  const held = await namedSections(evaluation, rows, 'course_id');
  const deletedOf = await deletedSections(evaluation, rows, held);
  for (const [at, { cell, ...where }] of rows.entries()) {
    const [id, course] = [cell('section_id') ?? '', cell('course_id') ?? ''];
    const found = held.get(id) ?? 'unread';
    const section = typeof found === 'object' ? found : null;
    const home = courses.of(course);
    const effect = unlessRefused(
      evaluation,
      'section',
      cell,
      sectionRow(evaluation, known, cell, found, deletedOf(cell)),
    );
    count(evaluation, 'section', effect, id, removes('section', cell));
    const isNew = effect.does === 'creates' || effect.does === 'restores';
    if (isNew) uploadState.sections.set(id, { course, home: null });
    const buries = found === 'missing' && removes('section', cell) && effect.does !== 'fails';
    if (buries && !uploadState.sections.has(id))
      uploadState.buriedSections.set(id, { course, home: null, name: cell('name') ?? '' });
    const to = { id: typeof home === 'object' ? home.id : null, sisId: course };
    if (isNew) uploadState.journeys.create(id, to);
    if (isNew || effect.does === 'deletes') uploadState.set('section', id, isNew);
    const moves = effect.fields?.some(([field]) => field === 'course_id') === true;
    const deletes = effect.does === 'deletes';
    if (moves && !deletes && section !== null) {
      noteConcluded(evaluation, course, home);
      await noteOver(evaluation, section, course, sectionLimited(cell));
    }
    if (moves && section !== null) uploadState.journeys.comes(id, to);
    if (deletes) uploadState.journeys.ends(id);
    const left = moves && section !== null ? await leftBy(evaluation, section, to) : null;
    const takes = deletes && section !== null ? await deletedWith(evaluation, section) : left;
    const page = section && `courses/${section.courseId}/sections/${section.id}`;
    await put(evaluation, 'section', where, effect, named(id, section?.name ?? cell('name') ?? null, page), {
      in: typeof home === 'object' ? named(course, home.name, `courses/${home.id}`) : named(course),
      takes,
    });
    evaluation.onEvaluated(at + 1);
  }
}

function sectionRow(
  { uploadState, courses }: Evaluation,
  known: Known,
  cell: Cells,
  found: Answer<FoundSection>,
  deleted: DeletedSection | null,
): SisEffect {
  const section = typeof found === 'object' ? found : null;
  if (found === 'unread')
    return { does: 'unknown', why: 'The LMS did not answer when asked for this section.' };
  const home = courses.of(cell('course_id') ?? '');
  // A section cross-listed from the row's course stays in place, unless deleted; one of a third course moves.
  const listed = section?.home != null && typeof home === 'object' && home.id === section.home;
  const left = uploadState.has('course', section?.course ?? '') === false;
  // A deleted section stays in any case.
  const stays = listed && (!left || removes('section', cell));
  // The LMS also accepts sections of a deleted course.
  const there: Known = {
    ...known,
    course: (id) => typeof home === 'object' || uploadState.buried.has(id) || known.course(id),
  };
  const plain = sectionEffect(cell, section && { ...section, crossListed: stays }, there);
  const buried =
    uploadState.buried.has(cell('course_id') ?? '') ||
    (typeof home === 'object' && known.course(home.sisId) === false);
  if (found === 'missing' && removes('section', cell) && plain.does !== 'fails')
    return buried
      ? { does: 'nothing', why: GONE }
      : notFound('section_id', `The LMS has no section ${shown(cell('section_id') ?? '')}.`, MISSING);
  if (deleted !== null && plain.does === 'creates') return sectionRestored(cell, deleted);
  if (listed && left && plain.does === 'changes') return { ...plain, why: BACK };
  const inside = buried && !stays && ['creates', 'changes'].includes(plain.does);
  return inside ? { ...plain, why: `${IN_DELETED} ${plain.why ?? ''}`.trim() } : plain;
}

const GONE = 'The course of the section is deleted, together with the section.';
const BACK =
  'The course to which the section is cross-listed is deleted. The section returns to its own course, with no one in it.';
const IN_DELETED = 'The course is deleted: no one sees the section until the course is restored.';
const MISSING =
  'The LMS has no section with this SIS ID. If that answer was wrong, this row deletes the section with everyone in it, so it counts as a removal.';

/** Ends the enrolments of a deleted section, in the course that it is in at that point. @returns a description of them */
async function deletedWith(evaluation: Evaluation, section: FoundSection): Promise<string | null> {
  const { tally, courseEnrolments, courses, uploadState } = evaluation;
  const { losses } = tally;
  const move = courseEnrolments.moves.get(section.id);
  const to = move?.to ?? { id: section.courseId, sisId: section.course ?? '' };
  const held = courses.of(to.sisId);
  // The LMS hides the contents of a deleted course.
  const hidden = move !== undefined && typeof held === 'object' && held.state === 'deleted';
  const [read, all] = await Promise.all([
    courseEnrolments.read(section.courseId),
    courseEnrolments.now(to, hidden),
  ]);
  if (typeof read === 'string' || typeof all === 'string') {
    tally.untold = true;
    return 'with enrolments that could not be counted';
  }
  const members = await membersIn(
    evaluation,
    hidden || uploadState.buried.has(to.sisId) ? null : (move?.to.id ?? null),
  );
  const there = all.map((one) => (one.moves ? { ...one, groups: groupsIn(members, one.userId) } : one));
  const leaving = there.filter(({ sectionId }) => sectionId === section.id);
  const ended = endEnrolments(losses, there, leaving, 'deleted', to.id);
  if (ended.enrolments > 0) tally.whole = true;
  losses.describe(section.courseId, { sisId: section.course, active: activeOf(read) });
  if (members !== 'unread') return endedWords(ended);
  tally.untold = true;
  return [endedWords(ended) ?? [], 'with group memberships that could not be counted'].flat().join(', ');
}

/**
 * Finds the group members of the course that a section moves to: the section's people may be in some groups if it was
 * there before.
 */
async function membersIn({ courseMembers }: Evaluation, course: number | null): Promise<Answer<Members>> {
  return course === null ? 'missing' : courseMembers.of(course);
}

const groupsIn = (members: Answer<Members>, person: number): number[] =>
  typeof members === 'object' ? (members.get(person) ?? []).map(({ id }) => id) : [];

/** Moves a section. @returns a description of how many people lose the former course */
export async function leftBy(
  evaluation: Evaluation,
  section: FoundSection,
  to: CourseRef,
  home: CourseRef | null = null,
): Promise<string | null> {
  const left = await moveSection(evaluation, section, to, home);
  if (left === null) return 'with enrolments that could not be counted';
  return left === 0
    ? null
    : `${counted(left, 'enrolment')} ${left === 1 ? 'leaves' : 'leave'} the current course`;
}
