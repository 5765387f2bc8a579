/** Sections that move to a course which is over: their people lose access, though no enrolment changes its state. */
import { datesByTerm, type TermDates } from '@lms-admin/domain/sis-effect/terms';
import type { FoundCourse } from './courses.ts';
import type { Evaluation } from './evaluation.ts';
import type { FoundSection } from './holdings.ts';

const OPEN: TermDates = { start: null, end: null };

/**
 * Notes a section that a row moves to a course.
 * @param own whether the section's own dates decide on access
 */
export async function noteOver(
  { around, courses, uploadRows, uploadState, tally }: Evaluation,
  section: FoundSection,
  target: string,
  own: boolean,
): Promise<void> {
  const to = courses.of(target);
  if (own || typeof to !== 'object' || to.state === 'completed') return;
  const terms = await around.terms();
  const datesOf = ({ limited, start, end, termId }: FoundCourse): TermDates =>
    limited
      ? { start, end }
      : (uploadState.termDates.get(terms?.sisIds.get(termId) ?? '') ?? terms?.byNumber.get(termId) ?? OPEN);
  const after = datesOf(to);
  if (!tally.endedByDates.isOver(datesByTerm(OPEN, after).ends)) return;
  // The course's own row reports this effect.
  for (const { cell } of uploadRows.of('course')) if (cell('course_id') === target) return;
  const from = await courses.byNumber(section.courseId);
  const { ends } = datesByTerm(typeof from === 'object' ? datesOf(from) : OPEN, after);
  tally.endedByDates.intoOver(ends, target);
}
