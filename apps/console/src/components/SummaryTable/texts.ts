import { counted } from '@lms-admin/domain/numbers';

/** Texts in the summary of a review. */
export const texts = {
  label: 'Summary of the changes',
  /** Shown in place of a section if a row leaves the choice to the LMS. */
  noSection: '–',
  courses: (count: number) => counted(count, 'course', 'courses'),
  sections: (count: number) => counted(count, 'section', 'sections'),
  rows: (count: number) => counted(count, 'row', 'rows'),
  totalOf: (counted: string) => `Total of ${counted}`,
  viewListOf: (label: string, course: string) => `${label}: ${course}`,
} as const;
