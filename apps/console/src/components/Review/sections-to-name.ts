import type { SectionPlanEntry } from '@lms-admin/contract/enrollments';

/**
 * Lists the sections that get an SIS ID when the review is submitted, each once: sections without rows are not changed.
 * Pure.
 */
export function sectionsToName(
  entries: readonly Pick<SectionPlanEntry, 'course' | 'section' | 'rows'>[],
): { course: string; section: string; sisId: string }[] {
  const named = new Map(
    entries
      .filter(({ section, rows }) => section.assign && rows > 0)
      .map((entry) => [entry.section.id, entry]),
  );
  return [...named.values()].map(({ course, section }) => ({
    course: course.name,
    section: section.name,
    sisId: section.sis_section_id,
  }));
}
