/** Figures and sentences about a section plan. Pure. */

import type { SectionPlan, SectionPlanEntry } from '@lms-admin/contract/enrollments';
import { messages } from '@lms-admin/contract/messages';
import type { EnrollmentStatus } from '@lms-admin/domain/enrollment-plan';
import { counted } from '@lms-admin/domain/numbers';
import type { Figure } from '../../components/Figures/Figures.tsx';
import type { SummaryRow } from '../../components/SummaryTable/summary-rows.ts';
import { joined } from '../../components/Wizard/wizard-state.ts';
import { texts } from './texts.ts';

const { columns } = texts.review;

/**
 * The figures of the summary, which depend on the kind of plan: a column that is always zero would be useless. There
 * is space for three; people who were not found are also shown above, section by section.
 */
const SUMMARY = {
  active: [
    { id: 'add', header: columns.add },
    { id: 'unchanged', header: columns.already },
    { id: 'notFound', header: columns.notFound },
  ],
  deleted: [
    { id: 'remove', header: columns.remove },
    { id: 'unchanged', header: columns.notEnrolled },
    { id: 'notFound', header: columns.notFound },
  ],
  both: [
    { id: 'add', header: columns.add },
    { id: 'remove', header: columns.remove },
    { id: 'unchanged', header: columns.unchanged },
  ],
} as const;

function kindOf({ entries }: SectionPlan): EnrollmentStatus | 'both' {
  const adds = entries.some(({ status }) => status === 'active');
  return adds && entries.some(({ status }) => status === 'deleted') ? 'both' : adds ? 'active' : 'deleted';
}

/** Lists the columns of the summary beyond the documented ones. */
export const summaryFigures = (plan: SectionPlan) => SUMMARY[kindOf(plan)];

/** Creates one row for each section. */
export function summaryRows(plan: SectionPlan): SummaryRow[] {
  return plan.entries.map((entry) => {
    const { course, section, role, status } = entry;
    return {
      key: `${section.id} ${role.id}`,
      name: texts.review.of(course.name, section.name),
      course: course.name,
      id: section.sis_section_id,
      detail: joined(
        course.sis_course_id,
        course.term,
        entry.unread === null ? null : texts.review.unreadMark,
      ),
      sections: [section.name],
      role: role.label,
      action: messages.enrollment.actions[status],
      count: entry.rows,
      figures: {
        add: status === 'active' ? entry.add : null,
        remove: status === 'deleted' ? entry.remove : null,
        // A figure that could not be read is unknown, which is different from zero.
        unchanged: entry.unread === null ? entry.already + entry.not_enrolled : null,
        notFound: entry.not_found.length,
      },
    };
  });
}

/** Returns the totals over all sections, by column of the summary. */
export function summaryTotals(plan: SectionPlan): Record<string, number> {
  const { totals, entries } = plan;
  return {
    count: totals.rows,
    add: totals.add,
    remove: totals.remove,
    ...(comparedNone(plan) ? {} : { unchanged: totals.already + totals.not_enrolled }),
    notFound: entries.reduce((sum, { not_found }) => sum + not_found.length, 0),
  };
}

/** Lists the totals of the review, with changes emphasised. */
export function figuresOf(plan: SectionPlan): Figure[] {
  const { totals, people } = plan;
  const kind = kindOf(plan);
  const known = !comparedNone(plan);
  const add: Figure = { label: columns.add, value: totals.add, strong: true };
  const remove: Figure = {
    label: columns.remove,
    value: totals.remove,
    strong: true,
    takes: true,
  };
  const changes: Record<typeof kind, Figure[]> = {
    active: [add, { label: columns.already, value: known ? totals.already : null }],
    deleted: [remove, { label: columns.notEnrolled, value: known ? totals.not_enrolled : null }],
    both: [add, remove],
  };
  return [
    ...changes[kind],
    { label: texts.review.found, value: people.found },
    { label: texts.review.notFound, value: people.not_found },
  ];
}

/** Describes the effect of submitting, in a sentence with figures. */
export function whatWillHappen(plan: SectionPlan): string {
  const { review } = texts;
  const part = (status: EnrollmentStatus) => {
    const touched = plan.entries.filter((entry) => entry.status === status && entry.rows > 0);
    if (touched.length === 0) return [];
    const rows = touched.reduce((sum, entry) => sum + entry.rows, 0);
    const changes = counted(rows, 'enrolment', 'enrolments');
    const sections = counted(touched.length, 'section', 'sections');
    return [(status === 'active' ? review.adds : review.removes)(changes, sections)];
  };
  const [adds, removes] = [part('active'), part('deleted')];
  const sentence = review.willDo([...adds, ...removes].join(review.and));
  return removes.length > 0 ? `${sentence} ${review.handedIn}` : sentence;
}

/** Describes the rows left unchanged, or null if none. */
export function whatStays({ totals, entries }: SectionPlan): string | null {
  const { review } = texts;
  const reactivations = entries.reduce((sum, { reactivated }) => sum + reactivated, 0);
  const parts = [
    ...(reactivations > 0 ? [review.reactivates(reactivations)] : []),
    ...(totals.already > 0 ? [review.already(totals.already)] : []),
    ...(totals.not_enrolled > 0 ? [review.notThere(totals.not_enrolled)] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : null;
}

/** Explains why nothing can be sent; null if something can be. */
export function nothingToDo(plan: SectionPlan): string | null {
  if (plan.totals.rows > 0) return null;
  if (plan.entries.length === 0) return texts.nothing.noSection;
  return plan.people.found === 0 ? texts.nothing.noPeople : texts.nothing.unchanged;
}

/** Lists the SIS IDs whose lookup failed, in any section. */
export function failedIds({ entries }: SectionPlan): string[] {
  return [...new Set(entries.flatMap(({ failed }) => failed))];
}

/** Lists the sections whose enrolments could not be read. */
export function unreadSections({ entries }: SectionPlan): SectionPlanEntry[] {
  return entries.filter(({ unread }) => unread !== null);
}

function comparedNone({ entries }: SectionPlan): boolean {
  return entries.length > 0 && entries.every(({ unread }) => unread !== null);
}

/**
 * Summarises the choices for the action bar: `3 courses · 2 sections · 14 people · 9 enrolments`.
 * @param plan in the review: of the SIS IDs, only people who were found count
 */
export function sumOf(
  courses: number,
  { sections, people: ids }: { sections: number; people: number },
  plan: { people: Pick<SectionPlan['people'], 'found'>; totals: Pick<SectionPlan['totals'], 'rows'> } | null,
): string {
  const people = plan?.people.found ?? ids;
  const parts = [];
  if (courses > 0) parts.push(counted(courses, 'course', 'courses'));
  if (sections > 0) parts.push(counted(sections, 'section', 'sections'), counted(people, 'person', 'people'));
  if (plan !== null) parts.push(counted(plan.totals.rows, 'enrolment', 'enrolments'));
  return parts.join(' · ');
}
