/** Figures and sentences about a plan. Pure. */

import type { Plan, PlannedCourseSummary } from '@lms-admin/contract/enrollments';
import { counted } from '@lms-admin/domain/numbers';
import type { Figure } from '../../components/Figures/Figures.tsx';
import { reviewTexts } from './review-texts.ts';

/** Lists the sections of all courses that get an SIS ID when the review is submitted. */
export function sectionsToName(plan: Plan): { course: string; section: string; sisId: string }[] {
  return plan.courses.flatMap((course) =>
    course.sections
      .filter((section) => section.assign && section.id !== null)
      .map((section) => ({ course: course.name, section: section.name, sisId: section.sis_section_id })),
  );
}

/** Lists the addresses that no one in the LMS has: only these people can be created. */
export function notInLms({ not_found, there }: Plan['people']): string[] {
  const known = new Set(there.map(({ email }) => email));
  return not_found.filter((email) => !known.has(email));
}

/**
 * Lists the courses without a default section, with the name of the section that they get when the review is submitted.
 */
export function sectionsToMake(plan: Plan): { course: string; section: string }[] {
  return plan.courses.flatMap(({ name, sections }) =>
    sections.filter(({ id }) => id === null).map((section) => ({ course: name, section: section.name })),
  );
}

/** Lists the people whom undo would not be able to restore after the change, with their course. */
export function notRestorable(plan: Plan) {
  return plan.courses.flatMap(({ name, unrestorable }) =>
    unrestorable.map(({ person, section, state }) => ({
      person,
      state,
      where: section === '' || section === name ? name : reviewTexts.of(name, section),
    })),
  );
}

/** Lists the observers linked to a student, who stay in their course after a removal. */
export function linkedObservers(plan: Plan): { person: string; where: string }[] {
  return plan.courses.flatMap(({ name, linked }) => linked.map((person) => ({ person, where: name })));
}

/** Lists the courses whose enrolments could not be read: they get the documented rows. */
export function unreadCourses(plan: Plan): PlannedCourseSummary[] {
  return plan.courses.filter((course) => course.unread !== null);
}

/** Describes the effect of submitting, in a sentence with figures. */
export function whatWillHappen(plan: Plan): string {
  const touched = plan.courses.filter((course) => course.rows > 0).length;
  const changes = counted(plan.totals.rows, 'enrolment', 'enrolments');
  const courses = counted(touched, 'course', 'courses');
  const { found, affected = found } = plan.people;
  const role = plan.role.label;
  return plan.status === 'active'
    ? reviewTexts.willAdd({ changes, courses, people: counted(found, 'person', 'people'), role })
    : reviewTexts.willRemove({ changes, courses, people: counted(affected, 'person', 'people'), role });
}

/** Describes additional facts: people who become active again, and rows left unchanged; null for none. */
export function whatStays(plan: Plan): string | null {
  const { already, not_enrolled } = plan.totals;
  if (plan.status === 'active') {
    const reactivations = plan.courses.reduce((sum, { reactivated }) => sum + reactivated, 0);
    const beside = plan.courses.reduce((sum, one) => sum + one.beside, 0);
    const parts = [
      ...(reactivations > 0 ? [reviewTexts.reactivates(reactivations)] : []),
      ...(beside > 0 ? [reviewTexts.beside(beside)] : []),
      ...(already > 0 ? [reviewTexts.stays(already)] : []),
    ];
    return parts.length > 0 ? parts.join(' ') : null;
  }
  return not_enrolled > 0 ? reviewTexts.notThere(not_enrolled) : null;
}

/** Lists the totals of the review, with changes emphasised. */
export function figuresOf(plan: Plan): Figure[] {
  const { columns, found, notFound, there } = reviewTexts;
  const { totals, people } = plan;
  const known = !comparedNone(plan);
  const changes: Figure[] =
    plan.status === 'active'
      ? [
          { label: columns.add, value: totals.add, strong: true },
          { label: columns.already, value: known ? totals.already : null },
        ]
      : [
          { label: columns.remove, value: totals.rows, strong: true, takes: true },
          { label: columns.notEnrolled, value: known ? totals.not_enrolled : null },
        ];
  return [
    ...changes,
    { label: found, value: people.found },
    { label: notFound, value: notInLms(people).length },
    ...(people.there.length > 0 ? [{ label: there, value: people.there.length }] : []),
  ];
}

/** Returns the totals over all courses, by column of the summary; figures of unread courses are omitted. */
export function summaryTotals(plan: Plan): Record<string, number> {
  const { totals } = plan;
  return {
    count: totals.rows,
    add: totals.add,
    remove: plan.status === 'deleted' ? totals.rows : 0,
    ...(comparedNone(plan) ? {} : { already: totals.already, notEnrolled: totals.not_enrolled }),
  };
}

/** Tells whether there are courses but none could be compared: existing enrolments are then unknown. */
export function comparedNone({ courses }: Plan): boolean {
  return courses.length > 0 && courses.every((course) => course.unread !== null);
}
