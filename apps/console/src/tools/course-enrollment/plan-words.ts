/** The wizard's texts about a plan outside its steps. Pure. */

import type { Plan } from '@lms-admin/contract/enrollments';
import { messages } from '@lms-admin/contract/messages';
import { counted } from '@lms-admin/domain/numbers';
import { texts } from './texts.ts';

/** Explains why nothing can be sent; null if something can be. */
export function nothingToDo(plan: Plan): string | null {
  if (plan.totals.rows > 0) return null;
  if (plan.people.found === 0) return texts.nothing.noPeople;
  if (plan.courses.length === 0) return texts.nothing.noCourse;
  return plan.status === 'active' ? texts.nothing.allThere : texts.nothing.noneThere;
}

/** Labels the button that sends a plan. */
export function sendButton({ status, totals }: Plan): string {
  return status === 'deleted' && totals.rows > 0 ? texts.remove(totals.rows) : messages.wizard.next;
}

/**
 * Summarises the choices for the action bar: `3 courses · 12 people · 36 enrolments`.
 * @param plan in the review: of the addresses, only people who were found count
 */
export function sumOf(
  courses: number,
  addresses: number,
  plan: { people: Pick<Plan['people'], 'found'>; totals: Pick<Plan['totals'], 'rows'> } | null,
): string {
  const people = plan?.people.found ?? addresses;
  const parts = [];
  if (courses > 0) parts.push(counted(courses, 'course', 'courses'));
  if (people > 0) parts.push(counted(people, 'person', 'people'));
  if (plan !== null) parts.push(counted(plan.totals.rows, 'enrolment', 'enrolments'));
  return parts.join(' · ');
}
