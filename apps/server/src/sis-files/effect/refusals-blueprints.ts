/** Blueprint courses that the LMS accepts for a course. If a row names another, only the rest of it is applied. */
import { begins, type Cells } from '@lms-admin/domain/sis-effect';
import { courseAccount, DISSOCIATE } from '@lms-admin/domain/sis-effect/courses';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import type { FoundCourse } from './courses.ts';
import type { Evaluation } from './evaluation.ts';

const ROOT = 1;

type Asking = Pick<Evaluation, 'uploadRows' | 'uploadState' | 'asking' | 'around' | 'courses'>;

export async function blueprintRefusal(evaluation: Asking): Promise<(cell: Cells) => SisProblem[]> {
  const { uploadRows, uploadState, asking, around, courses } = evaluation;
  // Courses outside an admin's own accounts are not looked up.
  const whole = asking.admin.record.perm === 'ALL';
  const names = ({ cell }: { cell: Cells }) => cell('blueprint_course_id');
  if (!whole || ![...uploadRows.of('course')].some(names)) return () => [];
  const accounts = await around.accounts();
  const accountOf = (cell: Cells, held: FoundCourse | null): number | null => {
    const is = (sisId: string) => uploadState.has('account', sisId) ?? accounts?.bySisId.has(sisId) ?? null;
    const named = courseAccount(cell, { account: is });
    if (named !== null) return accounts?.bySisId.get(named)?.id ?? null;
    // The LMS does not show the account of an abstract course.
    return cell('abstract_course_id') ? null : (held?.accountId ?? ROOT);
  };
  const liesBelow = (account: number, above: number) => {
    for (let at: number | null = account; at !== null; at = accounts?.parents.get(at) ?? null)
      if (at === above) return true;
    return false;
  };
  return (cell) => {
    const given = cell('blueprint_course_id');
    if (!given || given === DISSOCIATE || begins(cell('status'), 'deleted')) return [];
    const refused = (message: string) => [{ column: 'blueprint_course_id', message }];
    const [own, blueprint] = [courses.of(cell('course_id') ?? ''), courses.of(given)];
    if (blueprint === 'unread') return [];
    if (blueprint === 'missing' || !blueprint.blueprint)
      return refused(`The LMS has no blueprint course ${shown(given)}.`);
    const held = typeof own === 'object' ? own : null;
    if (held?.blueprint)
      return refused('The course is a blueprint course itself, so it cannot follow another one.');
    const account = accountOf(cell, held);
    if (account === null || liesBelow(account, blueprint.accountId)) return [];
    return refused(
      `The course is not in the account of the blueprint course ${shown(given)}, nor in one below it.`,
    );
  };
}
