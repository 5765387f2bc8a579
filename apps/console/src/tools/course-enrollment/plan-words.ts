/** What the wizard says of a plan around its steps. Pure. */

import type { Plan } from '@lms-admin/contract/enrollments';
import { messages } from '@lms-admin/contract/messages';
import { counted } from '@lms-admin/domain/numbers';
import { texts } from './texts.ts';

/** Why nothing can be sent, or null when something can. */
export function nothingToDo(plan: Plan): string | null {
  if (plan.totals.rows > 0) return null;
  if (plan.people.found === 0) return texts.nothing.noPeople;
  if (plan.courses.length === 0) return texts.nothing.noCourse;
  return plan.status === 'active' ? texts.nothing.allThere : texts.nothing.noneThere;
}

/** Name of the button that sends a plan. */
export function sendButton({ status, totals }: Plan): string {
  return status === 'deleted' && totals.rows > 0 ? texts.remove(totals.rows) : messages.wizard.next;
}

/** The sum of what has been chosen, for the action bar: `3 courses · 12 people · 36 enrolments`. */
export function sumOf(courses: number, people: number, changes: number | null): string {
  const parts = [];
  if (courses > 0) parts.push(counted(courses, 'course', 'courses'));
  if (people > 0) parts.push(counted(people, 'person', 'people'));
  if (changes !== null) parts.push(counted(changes, 'enrolment', 'enrolments'));
  return parts.join(' · ');
}
