/** Texts of the field that names one course. */
const n = (count: number) => count.toLocaleString('en-GB');

export const texts = {
  hint: 'Course number (the 1234 in …/courses/1234), address of a page of the course, SIS ID, or a part of its name.',
  looking: 'Looking for the course …',
  none: 'No course was found that you have access to.',
  noneNext: 'Check the number, the SIS ID or the name.',
  failed: 'The course could not be looked up.',
  choose: (count: number) => `Choose one of the ${n(count)} courses.`,
  found: (count: number, more: boolean) =>
    more
      ? `The first ${n(count)} courses that were found. Choose one:`
      : `${n(count)} courses were found. Choose one:`,
  course: ({ code, name }: { code: string; name: string }) =>
    code !== '' && code !== name ? `${code} · ${name}` : name,
  details: ({ id, sis_course_id, term }: { id: number; sis_course_id: string | null; term: string | null }) =>
    [
      `Course number ${id}`,
      ...(sis_course_id === null ? [] : [`SIS ID ${sis_course_id}`]),
      ...((term ?? '') ? [term] : []),
    ].join(' · '),
} as const;
