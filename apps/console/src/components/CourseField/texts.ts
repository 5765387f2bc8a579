/** Texts of the field that names one course. */
import { grouped } from '@lms-admin/domain/numbers';

export const texts = {
  hint: 'Enter a course number (the 1234 in …/courses/1234), the address of a page in the course, its SIS ID, or part of its name.',
  looking: 'Looking for the course …',
  none: 'LMS Admin did not find a course that you have access to.',
  noneNext: 'Check the number, the SIS ID or the name.',
  failed: 'The course could not be looked up.',
  short: (least: number) => `Type at least ${grouped(least)} characters of the name.`,
  choose: (count: number, more: boolean) =>
    more
      ? `More than ${grouped(count)} courses were found. Choose one from the list, or type more of the name.`
      : `${grouped(count)} courses were found. Choose one of them.`,
  found: (count: number, more: boolean) =>
    more
      ? `Only the first ${grouped(count)} courses found are shown. Choose one:`
      : `${grouped(count)} courses were found. Choose one:`,
  course: ({ code, name }: { code: string; name: string }) =>
    code !== '' && code !== name ? `${code} · ${name}` : name,
  details: ({ id, sis_course_id, term }: { id: number; sis_course_id: string | null; term: string | null }) =>
    [
      `Course number ${id}`,
      ...(sis_course_id === null ? [] : [`SIS ID ${sis_course_id}`]),
      ...((term ?? '') ? [term] : []),
    ].join(' · '),
} as const;
