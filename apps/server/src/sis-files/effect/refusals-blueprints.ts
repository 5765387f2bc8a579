/** Of which blueprint courses the LMS lets a course follow one; it applies the rest of a row that names another. */
import { begins, type Cells } from '@lms-admin/domain/sis-effect';
import { courseAccount, DISSOCIATE } from '@lms-admin/domain/sis-effect/courses';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import type { FoundCourse } from './courses.ts';
import type { Evaluation } from './evaluation.ts';

const ROOT = 1;

type Asking = Pick<Evaluation, 'gathered' | 'made' | 'asking' | 'around' | 'courses'>;

export async function blueprintRefusal(evaluation: Asking): Promise<(cell: Cells) => SisProblem[]> {
  const { gathered, made, asking, around, courses } = evaluation;
  // Courses outside an admin's own accounts are not looked up.
  const whole = asking.admin.record.perm === 'ALL';
  const names = ({ cell }: { cell: Cells }) => cell('blueprint_course_id');
  if (!whole || ![...gathered.of('course')].some(names)) return () => [];
  const accounts = await around.accounts();
  const accountOf = (cell: Cells, held: FoundCourse | null): number | null => {
    const is = (sisId: string) => made.has('account', sisId) ?? accounts?.bySisId.has(sisId) ?? null;
    const named = courseAccount(cell, { account: is });
    if (named !== null) return accounts?.bySisId.get(named)?.id ?? null;
    // Of an abstract course the account is not shown.
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
