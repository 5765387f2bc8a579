import type { ContextType } from '../../store/model.ts';
import type { Work } from './work.ts';

export interface GroupContext {
  context_type: ContextType;
  context_id: number;
}

interface ContextTexts {
  twoContexts(id: string | null): string;
  unknownAccount(account: string | null, id: string | null): string;
  unknownCourse(course: string | null, id: string | null): string;
}

/**
 * Finds the account or course that a row in groups or group categories names, or returns null if it names
 * none (§9.6).
 */
export function findContext(
  row: { account_id: string | null; course_id: string | null },
  id: string | null,
  say: ContextTexts,
  { world }: Work,
): GroupContext | null | string {
  if (row.account_id && row.course_id) return say.twoContexts(id);
  if (row.account_id) {
    const account = world.accounts.by.sis.get(row.account_id);
    if (account?.workflow_state !== 'active') return say.unknownAccount(row.account_id, id);
    return { context_type: 'Account', context_id: account.id };
  }
  if (row.course_id) {
    const course = world.courses.by.sis.get(row.course_id);
    if (!course || course.workflow_state === 'deleted') return say.unknownCourse(row.course_id, id);
    return { context_type: 'Course', context_id: course.id };
  }
  return null;
}
