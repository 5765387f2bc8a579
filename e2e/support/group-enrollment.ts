/**
 * Helpers for the Group Enrollment specs: a course in the practice LMS, its groups, and actions in its
 * dialog.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import {
  chooseMany,
  chooseProgramme,
  coursesOf,
  courseTable,
  type LmsCourse,
  type LmsPerson,
  lmsList,
  termLike,
} from './course-enrollment.ts';
import type { Campus } from './processes.ts';

export const GROUPS_PATH = '/group-level-admin';
export const TERM = 'MBA 2026-27 P1';
export const CSV_HEADER = 'group_id,user_id,status';
const TOKEN = { authorization: 'Bearer sandbox-admin-token', 'content-type': 'application/json' };

export interface LmsCategory {
  id: number;
  name: string;
  sis_group_category_id: string | null;
}
export interface LmsGroup {
  id: number;
  name: string;
  sis_group_id: string | null;
  members_count: number;
}

export const categoriesOf = (campus: Campus, course: number) =>
  lmsList<LmsCategory>(campus, `courses/${course}/group_categories`);
export const groupsOf = (campus: Campus, category: number) =>
  lmsList<LmsGroup>(campus, `group_categories/${category}/groups`);

/** Reads the SIS IDs of the people in a group. */
export async function membersOf(campus: Campus, group: number): Promise<string[]> {
  const people = await lmsList<LmsPerson>(campus, `groups/${group}/users`);
  return people.flatMap((person) => person.sis_user_id ?? []);
}

/** Finds a course's students whose SIS IDs a file can contain. */
export async function studentsOf(campus: Campus, course: number): Promise<LmsPerson[]> {
  const people = await lmsList<LmsPerson>(campus, `courses/${course}/users?enrollment_type[]=student`);
  return people.filter((person) => person.sis_user_id !== null);
}

/**
 * Finds a course with an SIS ID and students, and without group categories; a different one for each index.
 */
export async function bareCourse(campus: Campus, index: number, least = 6): Promise<LmsCourse> {
  const { id } = await termLike(campus, TERM);
  let found = 0;
  let last: LmsCourse | null = null;
  let used: LmsCourse | null = null;
  for (const course of await coursesOf(campus, 86, id)) {
    if (course.sis_course_id === null) continue;
    if ((await studentsOf(campus, course.id)).length < least) continue;
    used ??= course;
    if ((await categoriesOf(campus, course.id)).length > 0) continue;
    last = course;
    if (found++ === index) break;
  }
  // Each test uses up one of them: once none are left, the first one loses the categories that a test has
  // added.
  if (last === null && used !== null) await deleteCategories(campus, used.id);
  const course = last ?? used;
  if (course === null) throw new Error('no such course');
  return course;
}

async function deleteCategories(campus: Campus, course: number): Promise<void> {
  for (const { id } of await categoriesOf(campus, course)) {
    const answer = await fetch(`${campus.lms}/api/v1/group_categories/${id}`, {
      method: 'DELETE',
      headers: TOKEN,
    });
    if (!answer.ok) throw new Error(`category ${id}: ${answer.status}`);
  }
}

/** Creates a category directly in the LMS, as a teacher would: without an SIS ID unless one is given. */
export async function makeCategory(
  campus: Campus,
  course: number,
  name: string,
  sisId?: string,
): Promise<LmsCategory> {
  const body = { name, ...(sisId === undefined ? {} : { sis_group_category_id: sisId }) };
  const answer = await fetch(`${campus.lms}/api/v1/courses/${course}/group_categories`, {
    method: 'POST',
    headers: TOKEN,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${answer.status} for the category ${name}`);
  return (await answer.json()) as LmsCategory;
}

/** Creates a category with an SIS ID and groups in it, directly in the LMS. */
export async function categoryWithGroups(
  campus: Campus,
  course: LmsCourse,
  name: string,
  groups: readonly string[],
): Promise<LmsCategory> {
  const category = await makeCategory(campus, course.id, name, `${course.sis_course_id}_${name}`);
  for (const group of groups) {
    const answer = await fetch(`${campus.lms}/api/v1/group_categories/${category.id}/groups`, {
      method: 'POST',
      headers: TOKEN,
      body: JSON.stringify({ name: group, sis_group_id: `${course.sis_course_id}_${group}` }),
    });
    if (!answer.ok) throw new Error(`${answer.status} for the group ${group}`);
  }
  return category;
}

/** Creates a group directly in the LMS, as a teacher would: without an SIS ID. */
export async function groupByHand(campus: Campus, category: number, name: string): Promise<{ id: number }> {
  const answer = await fetch(`${campus.lms}/api/v1/group_categories/${category}/groups`, {
    method: 'POST',
    headers: TOKEN,
    body: JSON.stringify({ name }),
  });
  if (!answer.ok) throw new Error(`${answer.status} for the group ${name}`);
  return (await answer.json()) as { id: number };
}

/** Deletes a category directly in the LMS, with its groups. */
export async function removeCategory(campus: Campus, category: number): Promise<void> {
  const url = `${campus.lms}/api/v1/group_categories/${category}`;
  const answer = await fetch(url, { method: 'DELETE', headers: TOKEN });
  if (!answer.ok) throw new Error(`${answer.status} for the category ${category}`);
}

/** Deletes a group directly in the LMS, as a teacher would. */
export async function removeGroup(campus: Campus, group: number): Promise<void> {
  const answer = await fetch(`${campus.lms}/api/v1/groups/${group}`, { method: 'DELETE', headers: TOKEN });
  if (!answer.ok) throw new Error(`${answer.status} for the group ${group}`);
}

/** Makes a group member one of its leaders, as a teacher would. */
export async function makeLeader(campus: Campus, group: number, user: number): Promise<void> {
  const answer = await fetch(`${campus.lms}/api/v1/groups/${group}/users/${user}`, {
    method: 'PUT',
    headers: TOKEN,
    body: JSON.stringify({ moderator: true }),
  });
  if (!answer.ok) throw new Error(`${answer.status} for somebody of group ${group}`);
}

/** Adds a person to a group directly in the LMS, as a teacher would. */
export async function putInto(campus: Campus, group: number, person: number): Promise<void> {
  const answer = await fetch(`${campus.lms}/api/v1/groups/${group}/memberships`, {
    method: 'POST',
    headers: TOKEN,
    body: JSON.stringify({ user_id: person }),
  });
  if (!answer.ok) throw new Error(`${answer.status} for somebody in group ${group}`);
}

/** Makes a person's enrolments inactive, directly in the LMS; the returned function makes them active again. */
export async function inactivate(
  campus: Campus,
  course: number,
  person: number,
): Promise<() => Promise<void>> {
  const found = await lmsList<{ id: number }>(campus, `courses/${course}/enrollments?user_id=${person}`);
  const call = async (method: string, path: (id: number) => string) => {
    for (const { id } of found) {
      const answer = await fetch(`${campus.lms}/api/v1/courses/${course}/enrollments/${path(id)}`, {
        method,
        headers: TOKEN,
      });
      if (!answer.ok) throw new Error(`${answer.status} for the enrolment ${id}`);
    }
  };
  await call('DELETE', (id) => `${id}?task=inactivate`);
  return () => call('PUT', (id) => `${id}/reactivate`);
}

/** Finds a course's dialog. */
export const dialogOf = (page: Page, course: LmsCourse) =>
  page.getByRole('dialog', { name: course.name, exact: true });
export const confirmation = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
/** Finds a course's checkbox in the table of courses. */
export const courseBox = (page: Page, course: LmsCourse) =>
  courseTable(page).getByRole('checkbox', { name: new RegExp(course.sis_course_id ?? '') });

/** Goes to the table of courses, with one of them found by the search. */
export async function findCourse(
  page: Page,
  course: LmsCourse,
  term = TERM,
  programme = 'MBA',
): Promise<void> {
  await chooseProgramme(page, programme);
  await chooseMany(page, 'Terms', [term]);
  await page.getByRole('searchbox', { name: 'Search courses' }).fill(course.sis_course_id ?? '');
  // The list is filtered a moment later, and its rows move.
  await expect(page.getByText(/^\d+ of \d+ match/)).toBeVisible();
  await expect(courseBox(page, course)).toBeVisible();
}

/** Opens a course's dialog by selecting the course. */
export async function openCourse(page: Page, course: LmsCourse): Promise<Locator> {
  await findCourse(page, course);
  await courseBox(page, course).click();
  const dialog = dialogOf(page, course);
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Opens one of the accordions, unless it is open. */
export async function openPanel(
  dialog: Locator,
  title: 'Create Groups (G01,G02 etc)' | 'Enroll Users' | 'Create Group Category',
): Promise<void> {
  const button = dialog.locator('[aria-controls$="-content"]').filter({ hasText: title });
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  await expect(button).toHaveAttribute('aria-expanded', 'true');
}

/** Reads the cells of a table row, by the text of their column heads. */
export async function rowOf(table: Locator, text: string | RegExp): Promise<Record<string, string>> {
  const heads = await table.getByRole('columnheader').allInnerTexts();
  const cells = await table
    .getByRole('row')
    .filter({ hasText: text })
    .first()
    .getByRole('cell')
    .allInnerTexts();
  return Object.fromEntries(heads.map((head, index) => [head.trim(), cells[index]?.trim() ?? '']));
}

/** Types group rows: prefix, start, end. */
export async function typeRanges(
  dialog: Locator,
  ranges: readonly (readonly [prefix: string, start: string, end: string])[],
): Promise<void> {
  for (const [index, [prefix, start, end]] of ranges.entries()) {
    const row = dialog.getByRole('group', { name: `Groups, row ${index + 1}` });
    // The panel starts with the first row; the others are added on request, or exist already.
    if (index === 0) await expect(row).toBeVisible();
    else if (!(await row.isVisible())) await dialog.getByRole('button', { name: 'Add row' }).click();
    await row.getByRole('textbox', { name: 'Group Prefix' }).fill(prefix);
    await row.getByRole('combobox', { name: 'Group Start' }).selectOption(start);
    await row.getByRole('combobox', { name: 'Group end' }).selectOption(end);
  }
}

/** Selects a file in the file picker. */
export async function chooseFile(dialog: Locator, name: string, text: string | Buffer): Promise<void> {
  await dialog
    .getByLabel('Select Csv File', { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

/** Uses the keyboard, because a pointer would miss if content appears above. */
export async function tick(dialog: Locator, name: string): Promise<void> {
  const box = dialog.getByRole('checkbox', { name });
  // All methods share one checkbox, which may have been set for another method.
  if (!(await box.isChecked())) await box.press('Space');
  await expect(box).toBeChecked();
}
