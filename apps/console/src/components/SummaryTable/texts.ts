/** Texts of ours in the summary of a review. */
export const texts = {
  label: 'Summary of the changes',
  /** In place of a section where a row leaves it to the LMS. */
  noSection: '–',
  totalOf: (courses: number) =>
    courses === 1 ? 'Total of 1 course' : `Total of ${courses.toLocaleString('en-GB')} courses`,
  viewListOf: (label: string, course: string) => `${label}: ${course}`,
} as const;
