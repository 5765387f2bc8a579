/** Checks whether a person can still work in a course. */
import type { ActFor } from '../access/acting.ts';
import type { Scope } from '../access/scope.ts';
import type { JobWork } from '../jobs/kind.ts';
import { AppError } from '../platform/errors.ts';

/** Creates the error for a course that is out of scope or does not exist: the answer does not show which. */
export function noCourse(): AppError {
  return new AppError('not-found', {
    message: 'The course was not found.',
    next: 'Check the number in the address of the course in the LMS.',
  });
}

/** Returns the current access, because a job may run for a long time. @throws AppError not-allowed or not-found */
export async function requireCourse(
  { actFor, scope }: { actFor: ActFor; scope: Scope },
  work: Pick<JobWork, 'job' | 'signal'>,
  account: number,
): Promise<void> {
  if (!(await scope.account(actFor(work.job), account, work.signal))) throw noCourse();
}
