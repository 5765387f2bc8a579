/** Evaluates rows of courses, with the enrolments that end with them. */
import { counted } from '@lms-admin/domain/numbers';
import { begins, type Cells, notFound, orRefused, type SisEffect } from '@lms-admin/domain/sis-effect';
import { courseEffect, type HeldCourse, unknownTerm } from '@lms-admin/domain/sis-effect/courses';
import { ONLY_BETWEEN_DATES } from '@lms-admin/domain/sis-effect/date-limits';
import { type Known } from '@lms-admin/domain/sis-effect/known';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import { type Answer } from '../../canvas/resources/reading.ts';
import { listed } from '../../platform/text.ts';
import { ahead } from './ahead.ts';
import { AT_ONCE } from './ask.ts';
import { activeOf, type Ended, endEnrolments, endedWords, mayEndCourse } from './course-enrolments.ts';
import type { FoundCourse } from './courses.ts';
import { count, type Evaluation, follow, named, put, removes, unlessRefused } from './evaluation.ts';
import type { FoundEnrolment } from './holdings.ts';
import type { CellsRow } from './upload-rows.ts';

/** The enrolments of a course that a row ends. */
type Inside = Answer<FoundEnrolment[]>;

export async function evaluateCourses(evaluation: Evaluation, known: Known): Promise<void> {
  const { uploadRows, courses, asking, tally } = evaluation;
  let judged = 0;
  const terms = new Map<string, number>();
  /** Courses whose name, account, term or dates also change in courses created for cross-listings. */
  const followed = new Set<string>();
  /** Rows in which the LMS rejects one cell and applies the rest. */
  let partly = 0;
  const rows = ahead(uploadRows.of('course'), AT_ONCE, async (row) => ({
    ...row,
    inside: await insideOf(evaluation, row),
  }));
  for await (const { cell, inside, ...at } of rows) {
    const id = cell('course_id') ?? '';
    const found = courses.of(id);
    const held: HeldCourse | null = typeof found === 'object' ? found : null;
    const blueprint = evaluation.refusals.blueprint?.(cell) ?? [];
    const read = blueprint.length === 0 ? cell : withoutBlueprint(cell);
    const plain = effectOf(found, () => courseEffect(read, held, known), cell);
    const effect = restOf(unlessRefused(evaluation, 'course', read, plain), blueprint);
    if (blueprint.length > 0 && effect.does !== 'fails') partly++;
    const term = unknownTerm(cell, known);
    if (
      term !== null &&
      ['creates', 'changes', 'nothing', 'restores', 'unknown'].includes(effect.does) &&
      !ends(cell)
    )
      terms.set(term, (terms.get(term) ?? 0) + 1);
    if (held !== null && effect.fields?.some(([field]) => FOLLOWED.has(field))) followed.add(id);
    follow(evaluation, 'course', id, effect);
    // The course exists after the row in either case, concluded or deleted.
    if (found === 'missing' && effect.does === 'unknown') {
      evaluation.uploadState.set('course', id, !removes('course', cell));
      if (removes('course', cell)) evaluation.uploadState.buried.add(id);
    }
    // The LMS may restore the course or reject the row.
    if (held?.state === 'deleted' && effect.does === 'unknown' && !ends(cell))
      evaluation.uploadState.perhaps.add(id);
    if (held !== null && effect.does === 'unknown' && removes('course', cell) && !hasEnded(held, cell))
      evaluation.uploadState.perhapsGone.add(id);
    const name = effect.fields?.find(([field]) => field === 'long_name')?.[2];
    if (name) evaluation.uploadState.courseNames.set(id, name);
    count(evaluation, 'course', effect, id, ends(cell) && !hasEnded(held, cell));
    const takes =
      typeof found === 'object' && inside !== null
        ? endedWith(evaluation, found, effect, inside, cell)
        : null;
    const page = held === null || held.state === 'deleted' ? null : `courses/${held.id}`;
    await put(evaluation, 'course', at, effect, named(id, held?.name ?? cell('long_name') ?? null, page), {
      takes,
    });
    evaluation.onEvaluated(++judged);
  }
  for (const [term, rows] of terms)
    tally.notes.push(
      `${counted(rows, 'course row', 'course rows')} ${rows === 1 ? 'names' : 'name'} the term ${shown(term)}, which the LMS does not have. New courses are placed in the default term, and existing courses keep their term. Correct the term_id if it is mistyped.`,
    );
  if (partly > 0)
    tally.notes.push(
      `The LMS will report a problem with the blueprint_course_id in ${counted(partly, 'course row', 'course rows')}, and apply the rest of ${partly === 1 ? 'the row' : 'each row'}. To avoid that, correct the blueprint_course_id.`,
    );
  if (followed.size > 0) tally.notes.push(followers([...followed]));
  asking.signal.throwIfAborted();
}

/** Fields that a course created for a cross-listing inherits. The LMS does not show which courses these are. */
const FOLLOWED = new Set([
  'long_name',
  'short_name',
  'account_id',
  'term_id',
  'start_date',
  'end_date',
  ONLY_BETWEEN_DATES,
]);
const followers = (courses: readonly string[]): string =>
  `LMS Admin cannot see whether a course was created for a cross-listing from ${listed(courses.map(shown))}. If so, that course changes together with the course that its section came from. Both get the same name, code, account, term and dates, and the dates limit access in the same way.`;

const withoutBlueprint =
  (cell: Cells): Cells =>
  (column) =>
    column === 'blueprint_course_id' ? null : cell(column);

/** Returns the effect of a row whose blueprint cell the LMS rejects: the rest of the row is applied. */
function restOf(effect: SisEffect, problems: readonly SisProblem[]): SisEffect {
  if (problems.length === 0) return effect;
  if (effect.does === 'fails' || effect.does === 'nothing') return orRefused(effect, problems);
  const refused = problems.map(({ message }) => message);
  return { ...effect, why: [...refused, REST, effect.why ?? []].flat().join(' ') };
}

const REST = 'The LMS reports this, and applies the rest of the row.';

/** Returns whether a row deletes or concludes its course. */
function ends(cell: CellsRow['cell']): boolean {
  return removes('course', cell) || begins(cell('status'), 'completed');
}

/** Returns whether the course has ended already: then the row ends nothing, whether the LMS applies it or not. */
function hasEnded(held: HeldCourse | null, cell: CellsRow['cell']): boolean {
  return (
    held !== null && (held.state === 'deleted' || (held.state === 'completed' && !removes('course', cell)))
  );
}

function effectOf(found: Answer<FoundCourse>, compared: () => SisEffect, cell: CellsRow['cell']): SisEffect {
  if (found === 'unread')
    return { does: 'unknown', why: 'The LMS did not answer when asked for this course.' };
  const effect = compared();
  if (found !== 'missing' || !ends(cell) || effect.does === 'fails') return effect;
  if (!removes('course', cell)) return { does: 'unknown', why: NEW_AND_CONCLUDED };
  return notFound('course_id', `The LMS has no course ${shown(cell('course_id') ?? '')}.`, MISSING);
}

const MISSING =
  'The LMS has no course with this SIS ID. If that answer was wrong, this row ends the course with everything in it, so it counts as a removal.';
const NEW_AND_CONCLUDED =
  'The LMS has no course with this SIS ID, so it creates one that is concluded. If that answer was wrong, this row ends the course with everything in it, so it counts as a removal.';

/** Returns the contents of a course that a row ends; null for other rows. */
async function insideOf(
  { courses, courseEnrolments }: Evaluation,
  { cell }: CellsRow,
): Promise<Inside | null> {
  const found = courses.of(cell('course_id') ?? '');
  if (!ends(cell) || typeof found !== 'object' || found.state === 'deleted') return null;
  return courseEnrolments.read(found.id);
}

/** Ends the enrolments of a course. @returns a description of them */
function endedWith(
  { tally, uploadState }: Evaluation,
  course: FoundCourse,
  { does }: SisEffect,
  enrolments: Inside,
  cell: CellsRow['cell'],
): string | null {
  const open = does === 'unknown';
  if (does !== 'deletes' && does !== 'concludes' && !open) return null;
  if (typeof enrolments === 'string') {
    tally.untold = true;
    return 'with enrolments that could not be counted';
  }
  const { losses } = tally;
  losses.describe(course.id, { sisId: course.sisId, name: course.name, active: activeOf(enrolments) });
  if (open) {
    const deletes = removes('course', cell);
    const perhaps = mayEndCourse(losses, enrolments, deletes ? 'deleted' : 'completed');
    return deletes ? endedWords(perhaps) : concludedWords(perhaps);
  }
  if (does === 'concludes') uploadState.concluded.add(course.sisId);
  const ended = endEnrolments(losses, enrolments, enrolments, does === 'deletes' ? 'deleted' : 'completed');
  if (ended.enrolments > 0) tally.whole = true;
  return does === 'concludes' ? concludedWords(ended) : endedWords(ended);
}

const concludedWords = ({ enrolments }: Ended): string | null =>
  enrolments > 0 ? `ends ${counted(enrolments, 'active enrolment')}` : null;
