/** What a plan says, in figures and sentences. Pure. */
import type { Plan, PlannedCourseSummary } from '@lms-admin/contract/enrollments';
import type { Figure } from '../../components/Figures/Figures.tsx';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { texts } from './texts.ts';

/** The sections of all courses that are given a SIS id on submitting. */
export function sectionsToName(plan: Plan): { course: string; section: string; sisId: string }[] {
  return plan.courses.flatMap((course) =>
    course.sections
      .filter((section) => section.assign && section.id !== null)
      .map((section) => ({ course: course.name, section: section.name, sisId: section.sis_section_id })),
  );
}

/** Addresses that nobody in the LMS has: only they may be created. */
export function notInLms({ not_found, there }: Plan['people']): string[] {
  const known = new Set(there.map(({ email }) => email));
  return not_found.filter((email) => !known.has(email));
}

/** Courses that get a section on submitting, since they show no default one, with the name of the section. */
export function sectionsToMake(plan: Plan): { course: string; section: string }[] {
  return plan.courses.flatMap(({ name, sections }) =>
    sections.filter(({ id }) => id === null).map((section) => ({ course: name, section: section.name })),
  );
}

/** Courses whose enrolments could not be read: their rows are the documented ones. */
export function unreadCourses(plan: Plan): PlannedCourseSummary[] {
  return plan.courses.filter((course) => course.unread !== null);
}

/** Why nothing can be sent, or null when something can. */
export function nothingToDo(plan: Plan): string | null {
  if (plan.totals.rows > 0) return null;
  if (plan.people.found === 0) return texts.nothing.nobody;
  if (plan.courses.length === 0) return texts.nothing.noCourse;
  return plan.status === 'active' ? texts.nothing.allThere : texts.nothing.noneThere;
}

/** What the last press will do, in words with figures. */
export function whatWillHappen(plan: Plan): string {
  const affected = plan.courses.filter((course) => course.rows > 0).length;
  const changes = counted(plan.totals.rows, 'enrolment', 'enrolments');
  const courses = counted(affected, 'course', 'courses');
  const people = counted(plan.people.found, 'person', 'people');
  return plan.status === 'active'
    ? texts.review.willAdd({ changes, courses, people, role: plan.role.label })
    : texts.review.willRemove({ changes, courses, people, role: plan.role.label });
}

/** What is worth knowing beside it: who becomes active again, and what it leaves alone; null for nothing. */
export function whatStays(plan: Plan): string | null {
  const { already, not_enrolled } = plan.totals;
  if (plan.status === 'active') {
    const again = plan.courses.reduce((sum, { reactivated }) => sum + reactivated, 0);
    const parts = [
      ...(again > 0 ? [texts.review.reactivates(counted(again, 'of them is', 'of them are'))] : []),
      ...(already > 0 ? [texts.review.stays(already)] : []),
    ];
    return parts.length > 0 ? parts.join(' ') : null;
  }
  return not_enrolled > 0 ? texts.review.notThere(counted(not_enrolled, 'time', 'times')) : null;
}

/** The totals of the review: what will change stands out. */
export function figuresOf(plan: Plan): Figure[] {
  const { columns, found, notFound, there } = texts.review;
  const { totals, people } = plan;
  const known = !comparedNone(plan);
  const changes: Figure[] =
    plan.status === 'active'
      ? [
          { label: columns.add, value: totals.add, strong: true },
          { label: columns.already, value: known ? totals.already : null },
        ]
      : [
          { label: columns.remove, value: totals.remove, strong: true, takes: true },
          { label: columns.notEnrolled, value: known ? totals.not_enrolled : null },
        ];
  return [
    ...changes,
    { label: found, value: people.found },
    { label: notFound, value: notInLms(people).length },
    ...(people.there.length > 0 ? [{ label: there, value: people.there.length }] : []),
  ];
}

/** The sums over all courses, by column of the summary; what was read of no course is left out. */
export function summaryTotals(plan: Plan): Record<string, number> {
  const { totals } = plan;
  return {
    count: totals.rows,
    add: totals.add,
    remove: totals.remove,
    ...(comparedNone(plan) ? {} : { already: totals.already, notEnrolled: totals.not_enrolled }),
  };
}

/** Whether there are courses, and none of them could be compared: then nobody knows who is there already. */
export function comparedNone({ courses }: Plan): boolean {
  return courses.length > 0 && courses.every((course) => course.unread !== null);
}

/** The sum of what has been chosen, for the action bar: `3 courses · 12 people · 36 enrolments`. */
export function sumOf(courses: number, people: number, changes: number | null): string {
  const parts = [];
  if (courses > 0) parts.push(counted(courses, 'course', 'courses'));
  if (people > 0) parts.push(counted(people, 'person', 'people'));
  if (changes !== null) parts.push(counted(changes, 'enrolment', 'enrolments'));
  return parts.join(' · ');
}
