/**
 * Helpers for the Section Enrollment specs: a course in the practice LMS, its sections, and actions in the
 * dialog.
 */
import { expect, type Page } from '@playwright/test';
import {
  chooseCourses,
  chooseMany,
  chooseProgramme,
  coursesOf,
  type LmsCourse,
  type LmsEnrollment,
  type LmsPerson,
  type LmsSection,
  lmsList,
  sectionsOf,
  termLike,
} from './course-enrollment.ts';
import type { Campus } from './processes.ts';

export const SECTIONS_PATH = '/section-level-admin';
export const MBA_TERM = 'MBA 2026-27 P1';
export const SUBMIT = 'Submit Data to LMS';

export interface CourseWithSections {
  course: LmsCourse;
  sections: LmsSection[];
}

/**
 * Finds MBA courses that can be selected, with a minimum number of sections, and each requested kind of
 * section.
 */
export async function coursesWithSections(
  campus: Campus,
  { least = 2, unnamed = false }: { least?: number; unnamed?: boolean } = {},
): Promise<CourseWithSections[]> {
  const { id } = await termLike(campus, MBA_TERM);
  const found: CourseWithSections[] = [];
  for (const course of await coursesOf(campus, 86, id)) {
    if (course.sis_course_id === null) continue;
    const sections = await sectionsOf(campus, course.id);
    if (sections.length < least) continue;
    if (unnamed && !sections.some((section) => section.sis_section_id === null)) continue;
    found.push({ course, sections });
  }
  return found;
}

/** Reads a section's enrolments with a role. */
export async function inSection(
  campus: Campus,
  course: number,
  section: number,
  role = 3,
): Promise<LmsEnrollment[]> {
  const all = await lmsList<LmsEnrollment>(
    campus,
    `courses/${course}/enrollments?role_id=${role}&state[]=active`,
  );
  return all.filter((one) => one.course_section_id === section);
}

/** Finds people who are in none of a course's sections. */
export async function outsiders(campus: Campus, course: number, text = 'abbott'): Promise<LmsPerson[]> {
  const there = new Set(
    (await lmsList<LmsEnrollment>(campus, `courses/${course}/enrollments`)).map((one) => one.user_id),
  );
  const people = await lmsList<LmsPerson>(campus, `accounts/1/users?search_term=${text}`);
  return people.filter((person) => person.sis_user_id !== null && !there.has(person.id));
}

export const sisIdsOf = (people: readonly { sis_user_id: string | null }[]) =>
  people.flatMap((person) => person.sis_user_id ?? []);

export const submitButton = (page: Page) => page.getByRole('button', { name: SUBMIT, exact: true });
export const assignDialog = (page: Page) => page.getByRole('dialog', { name: /^Assign people:/ });
export const idsField = (page: Page, section: string) =>
  assignDialog(page).getByRole('textbox', { name: `SIS IDs for ${section}`, exact: true });
export const namesOf = (page: Page, section: string) =>
  assignDialog(page).getByRole('list', { name: `People for ${section}`, exact: true });
/** Finds the ids entered for a section, each with its person. */
export const idsOf = (page: Page, section: string) => namesOf(page, section).getByRole('listitem');
export const card = (page: Page, section: string) =>
  assignDialog(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: section, exact: true }) });

/** Selects courses on the first step. */
export async function pickCourses(
  page: Page,
  courses: readonly LmsCourse[],
  { programme = 'MBA', term = MBA_TERM } = {},
): Promise<void> {
  await chooseProgramme(page, programme);
  await chooseMany(page, 'Terms', [term]);
  await chooseCourses(page, courses);
}

/** Finds a course's button in the list of selected courses. */
export const assignButton = (page: Page, course: LmsCourse) =>
  page
    .getByRole('table', { name: 'Selected courses' })
    .getByRole('row')
    .filter({ hasText: course.sis_course_id ?? '' })
    .getByRole('button');

/** Opens a course's dialog from the list of selected courses. */
export async function openDialog(page: Page, course: LmsCourse): Promise<void> {
  await assignButton(page, course).click();
  await expect(assignDialog(page).getByRole('textbox').first()).toBeVisible();
}

export async function chooseIn(
  page: Page,
  section: string,
  role: string,
  action: 'Add' | 'Remove',
): Promise<void> {
  const dialog = assignDialog(page);
  await dialog
    .getByRole('combobox', { name: `Role in ${section}`, exact: true })
    .selectOption({ label: role });
  await dialog
    .getByRole('radiogroup', { name: `Action in ${section}`, exact: true })
    .getByRole('radio', { name: action })
    .check();
}

/** Types ids into a section's field and confirms them. */
export async function typeIds(page: Page, section: string, ids: readonly string[]): Promise<void> {
  await idsField(page, section).fill(ids.join(', '));
  await idsField(page, section).press('Enter');
}

/** Replaces a section's ids with others. */
export async function replaceIds(page: Page, section: string, ids: readonly string[]): Promise<void> {
  await card(page, section).getByRole('button', { name: 'Remove all' }).click();
  await typeIds(page, section, ids);
}

/** Enters people, role and action for a section in the open dialog. */
export async function assign(
  page: Page,
  section: string,
  {
    ids,
    role = 'Student',
    action = 'Add',
  }: { ids: readonly string[]; role?: string; action?: 'Add' | 'Remove' },
): Promise<void> {
  await typeIds(page, section, ids);
  await chooseIn(page, section, role, action);
}

export async function save(page: Page): Promise<void> {
  await assignDialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(assignDialog(page)).toBeHidden();
}

/** Pastes into a section from the clipboard, as a person would. */
export async function pasteIds(page: Page, section: string, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((content) => navigator.clipboard.writeText(content), text);
  await idsField(page, section).focus();
  await page.keyboard.press('ControlOrMeta+V');
}

/** Finds a course with at least two sections, two of these sections, and people who are in neither. */
export async function twoSections(campus: Campus, index = 0) {
  const one = (await coursesWithSections(campus))[index];
  const [first, second] = one?.sections ?? [];
  if (!one || !first || !second) throw new Error('no course with two sections');
  return { course: one.course, first, second, people: await outsiders(campus, one.course.id) };
}

/** Finds a course, one of its sections with an SIS ID, and SIS IDs of people who are not in the course. */
export async function recordsSection(campus: Campus, index: number, search = 'abbott') {
  const one = (await coursesWithSections(campus))[index];
  const section = one?.sections.find(({ sis_section_id }) => sis_section_id !== null);
  if (!one || !section) throw new Error('no course with a section of the records');
  return { course: one.course, section, ids: sisIdsOf(await outsiders(campus, one.course.id, search)) };
}
