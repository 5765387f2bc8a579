/** Evaluates rows of accounts, terms and abstract courses; courses and sections have separate files. */
import type { SisEffect } from '@lms-admin/domain/sis-effect';
import { accountEffect } from '@lms-admin/domain/sis-effect/accounts';
import { abstractCourseEffect } from '@lms-admin/domain/sis-effect/courses';
import { type Known } from '@lms-admin/domain/sis-effect/known';
import { datesAfter, termEffect } from '@lms-admin/domain/sis-effect/terms';
import { evaluateCourses } from './evaluate-courses.ts';
import { evaluateCrossListings } from './evaluate-cross-listings.ts';
import { evaluateSections } from './evaluate-sections.ts';
import {
  count,
  courseIsThere,
  type Evaluation,
  follow,
  named,
  put,
  removes,
  unlessRefused,
} from './evaluation.ts';

/** Collects the accounts, terms and courses known from the rows so far and the LMS. */
async function knownIn(evaluation: Evaluation): Promise<Known> {
  const { around, uploadState, uploadRows } = evaluation;
  const wants = ['account', 'term', 'course'].some((kind) => uploadRows.count(kind as 'account') > 0);
  const [accounts, terms] = wants ? await Promise.all([around.accounts(), around.terms()]) : [null, null];
  return {
    account: (id) => uploadState.has('account', id) ?? (accounts === null ? null : accounts.bySisId.has(id)),
    term: (id) =>
      uploadState.has('term', id) ?? (terms === null ? null : terms.bySisId.get(id)?.state === 'active'),
    course: (id) => courseIsThere(evaluation, id),
    termDates: (id, when) =>
      (when === 'after' ? uploadState.termDates.get(id) : undefined) ?? terms?.bySisId.get(id) ?? null,
  };
}

export async function evaluatePlaces(evaluation: Evaluation): Promise<void> {
  const known = await knownIn(evaluation);
  await evaluateAccounts(evaluation, known);
  await evaluateTerms(evaluation);
  for (const { cell, ...at } of evaluation.uploadRows.of('abstract_course')) {
    const effect = abstractCourseEffect(cell);
    count(
      evaluation,
      'abstract_course',
      effect,
      cell('abstract_course_id') ?? '',
      removes('abstract_course', cell),
    );
    await put(
      evaluation,
      'abstract_course',
      at,
      effect,
      named(cell('abstract_course_id'), cell('long_name') ?? null),
    );
  }
  await evaluateCourses(evaluation, known);
  await evaluateSections(evaluation, known);
  await evaluateCrossListings(evaluation);
}

async function evaluateAccounts(evaluation: Evaluation, known: Known): Promise<void> {
  const { uploadRows, around, uploadState } = evaluation;
  if (uploadRows.count('account') === 0) return;
  const accounts = await around.accounts();
  for (const { cell, ...at } of uploadRows.of('account')) {
    const id = cell('account_id') ?? '';
    const held = accounts?.bySisId.get(id) ?? null;
    const plain: SisEffect =
      accounts === null
        ? { does: 'unknown', why: 'The LMS did not return its accounts.' }
        : accountEffect(cell, held, known);
    const effect = unlessRefused(evaluation, 'account', cell, plain);
    follow(evaluation, 'account', id, effect);
    uploadState.set('account', id, effect.does !== 'deletes' && (held !== null || effect.does === 'creates'));
    if (effect.does !== 'fails') uploadState.parents.set(id, cell('parent_account_id') ?? null);
    count(evaluation, 'account', effect, id, removes('account', cell));
    const page = held === null ? null : `accounts/${held.id}`;
    await put(evaluation, 'account', at, effect, named(id, held?.name ?? cell('name') ?? null, page));
  }
}

async function evaluateTerms(evaluation: Evaluation): Promise<void> {
  const { uploadRows, around, uploadState } = evaluation;
  if (uploadRows.count('term') === 0) return;
  const terms = await around.terms();
  for (const { cell, ...at } of uploadRows.of('term')) {
    const id = cell('term_id') ?? '';
    const held = terms?.bySisId.get(id) ?? null;
    const dates = Boolean(cell('date_override_enrollment_type'));
    const plain: SisEffect =
      terms === null
        ? { does: 'unknown', why: 'The LMS did not return its terms.' }
        : termEffect(cell, held, uploadState.has('term', id) === true);
    const effect = unlessRefused(evaluation, 'term', cell, plain);
    follow(evaluation, 'term', id, effect);
    if (effect.does !== 'fails' && effect.does !== 'unknown')
      uploadState.termDates.set(id, datesAfter(cell, uploadState.termDates.get(id) ?? held));
    count(evaluation, 'term', effect, id, !dates && removes('term', cell));
    await put(evaluation, 'term', at, effect, named(id, held?.name ?? cell('name') ?? null));
  }
}
