/**
 * Helpers for the Course Enrollment specs: the state of the practice LMS, and a person's actions in the
 * steps.
 */
import { expect, type Page } from '@playwright/test';
import type { Campus } from './processes.ts';

export const PATH = '/course-level-admin';
const TOKEN = { authorization: 'Bearer sandbox-admin-token' };

export interface LmsCourse {
  id: number;
  name: string;
  sis_course_id: string | null;
  enrollment_term_id: number;
}
export interface LmsPerson {
  id: number;
  name: string;
  login_id: string;
  sis_user_id: string | null;
}
export interface LmsEnrollment {
  user_id: number;
  role_id: number;
  course_section_id: number;
  enrollment_state: string;
  sis_section_id: string | null;
  sis_user_id: string | null;
  user: { login_id: string };
}
export interface LmsSection {
  id: number;
  name: string;
  sis_section_id: string | null;
}

/** Reads a whole list from the LMS, with all permissions. */
export async function lmsList<T>(campus: Campus, path: string): Promise<T[]> {
  const all: T[] = [];
  let next: string | null = `${campus.lms}/api/v1/${path}${path.includes('?') ? '&' : '?'}per_page=100`;
  while (next !== null) {
    const response: Response = await fetch(next, { headers: TOKEN });
    if (!response.ok) throw new Error(`${response.status} for ${next}`);
    all.push(...((await response.json()) as T[]));
    next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
  }
  return all;
}

/** Reads one object from the LMS, with all permissions. */
export async function lmsOne<T>(campus: Campus, path: string): Promise<T> {
  const response = await fetch(`${campus.lms}/api/v1/${path}`, { headers: TOKEN });
  if (!response.ok) throw new Error(`${response.status} for ${path}`);
  return (await response.json()) as T;
}

/** Changes one object in the LMS, with all permissions. */
export async function lmsPut(campus: Campus, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${campus.lms}/api/v1/${path}`, {
    method: 'PUT',
    headers: { ...TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} for ${path}`);
}

/** Finds one of the school's terms, whose name begins with the text. */
export async function termLike(campus: Campus, start: string): Promise<{ id: number; name: string }> {
  const response = await fetch(`${campus.lms}/api/v1/accounts/1/terms?per_page=100`, { headers: TOKEN });
  const { enrollment_terms } = (await response.json()) as {
    enrollment_terms: { id: number; name: string }[];
  };
  const term = enrollment_terms.find((one) => one.name.startsWith(start));
  if (!term) throw new Error(`no term ${start}`);
  return term;
}

export const coursesOf = (campus: Campus, account: number, term: number) =>
  lmsList<LmsCourse>(campus, `accounts/${account}/courses?enrollment_term_id=${term}`);

export const enrollmentsIn = (campus: Campus, course: number, role = 3, state = 'active') =>
  lmsList<LmsEnrollment>(campus, `courses/${course}/enrollments?role_id=${role}&state[]=${state}`);

export const sectionsOf = (campus: Campus, course: number) =>
  lmsList<LmsSection>(campus, `courses/${course}/sections`);

/** Finds people whose login contains the text and who have an SIS ID that a CSV can contain. */
export async function peopleLike(campus: Campus, text: string): Promise<LmsPerson[]> {
  const found = await lmsList<LmsPerson>(campus, `accounts/1/users?search_term=${text}`);
  return found.filter((person) => person.sis_user_id !== null && person.login_id.includes(text));
}

/** Sets a fault in the practice LMS; returns a function that removes it. */
export async function fault(campus: Campus, spec: Record<string, unknown>): Promise<() => Promise<void>> {
  const url = `${campus.lms}/sandbox/faults`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(spec),
  });
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as { id: number };
  return async () => {
    await fetch(`${url}/${id}`, { method: 'DELETE' });
  };
}

/** Data that no other spec uses: a term of its programme, the courses in it, and people to enrol. */
export const MIM = { programme: 'MIM', role: 'Observer', action: 'Add' } as const;

export async function mimMaterial(
  campus: Campus,
): Promise<{ term: string; courses: LmsCourse[]; people: LmsPerson[] }> {
  const term = await termLike(campus, 'MIM');
  const all = await coursesOf(campus, 120, term.id);
  return {
    term: term.name,
    courses: all.filter((course) => course.sis_course_id !== null),
    people: await peopleLike(campus, 'abbott'),
  };
}

/** Sends an SIS import directly to the LMS, like the student records office, and waits for it to end. */
export async function officeImport(campus: Campus, csv: string): Promise<void> {
  const url = `${campus.lms}/api/v1/accounts/1/sis_imports`;
  const created = await fetch(`${url}?extension=csv`, {
    method: 'POST',
    headers: { ...TOKEN, 'content-type': 'text/csv' },
    body: csv,
  });
  const { id } = (await created.json()) as { id: number };
  await expect
    .poll(async () => {
      const response = await fetch(`${url}/${id}`, { headers: TOKEN });
      return ((await response.json()) as { workflow_state: string }).workflow_state;
    })
    .toMatch(/^imported/);
}

/** Counts the imports that the LMS has received. */
export async function importsOf(campus: Campus): Promise<number> {
  const response = await fetch(`${campus.lms}/api/v1/accounts/1/sis_imports?per_page=100`, {
    headers: TOKEN,
  });
  return ((await response.json()) as { sis_imports: unknown[] }).sis_imports.length;
}

export const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true });
export const back = (page: Page) => page.getByRole('button', { name: 'Back', exact: true });
/** Finds the heading of the step, even behind a dialog. */
export const step = (page: Page) =>
  page.locator('main').getByRole('heading', { level: 2, includeHidden: true }).first();
/** Finds a text on the screen, not its announcement to screen readers. */
export const said = (page: Page, text: string) => page.getByRole('main').getByText(text);
export const field = (page: Page) => page.getByRole('textbox', { name: 'Email addresses' });
export const chip = (page: Page, email: string) => page.getByRole('button', { name: `Remove ${email}` });
export const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Warning!!' });
export const courseTable = (page: Page) => page.getByRole('table', { name: 'Courses' });

export async function chooseProgramme(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Programme', exact: true }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

/** Selects options in a multi-select and closes its list. */
export async function chooseMany(page: Page, label: string, names: readonly string[]): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  for (const name of names) await page.getByRole('option', { name, exact: true }).click();
  await page.keyboard.press('Escape');
}

export async function chooseCourses(page: Page, courses: readonly LmsCourse[]): Promise<void> {
  const search = page.getByRole('searchbox', { name: 'Search courses' });
  for (const course of courses) {
    await search.fill(course.sis_course_id ?? '');
    await courseTable(page)
      .getByRole('checkbox', { name: new RegExp(course.sis_course_id ?? '') })
      .check();
  }
  await search.fill('');
}

/** Pastes from the clipboard, as a person would. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((content) => navigator.clipboard.writeText(content), text);
  await field(page).focus();
  await page.keyboard.press('ControlOrMeta+V');
}

export async function chooseRole(page: Page, role: string, action: 'Add' | 'Remove'): Promise<void> {
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: role, exact: true }).click();
  await page.getByRole('radio', { name: action }).check();
}

export interface Job {
  programme: string;
  terms: readonly string[];
  courses: readonly LmsCourse[];
  role: string;
  action: 'Add' | 'Remove';
  people: readonly string[];
}

/** Goes from the first step to the review, which then starts. */
export async function toReview(page: Page, job: Job): Promise<void> {
  await chooseProgramme(page, job.programme);
  await chooseMany(page, 'Terms', job.terms);
  await chooseCourses(page, job.courses);
  await next(page).click();
  await expect(step(page)).toHaveText('Roles and Users');
  await chooseRole(page, job.role, job.action);
  await paste(page, job.people.join('\n'));
  await next(page).click();
  await expect(step(page)).toHaveText('Review and Process');
}

/** Reads the cells of a course's row in the summary, by the text of their column heads. */
export async function summaryOf(page: Page, course: string): Promise<Record<string, string>> {
  const table = page.getByRole('table', { name: 'Summary of the changes' });
  const heads = await table.getByRole('columnheader').allInnerTexts();
  const cells = await table.getByRole('row').filter({ hasText: course }).getByRole('cell').allInnerTexts();
  return Object.fromEntries(heads.map((head, index) => [head.trim(), cells[index]?.trim() ?? '']));
}

/** Goes to the second step, with one course selected. */
export async function toPeople(page: Page): Promise<void> {
  await chooseProgramme(page, 'MBA');
  await chooseMany(page, 'Terms', ['MBA 2026-27 P1']);
  await courseTable(page).getByRole('checkbox').nth(1).check();
  await next(page).click();
  await expect(step(page)).toHaveText('Roles and Users');
  await expect(step(page)).toBeFocused();
}

/** Creates two courses with similar names, such as 'Octonions A' and 'Octonions B'. @returns their numbers */
export async function twoCourses(campus: Campus, name: string): Promise<number[]> {
  const made: number[] = [];
  for (const end of ['A', 'B']) {
    const course = { name: `${name} ${end}`, course_code: `${name.slice(0, 3).toUpperCase()}-${end}` };
    const answer = await fetch(`${campus.lms}/api/v1/accounts/86/courses`, {
      method: 'POST',
      headers: { ...TOKEN, 'content-type': 'application/json' },
      body: JSON.stringify({ course, offer: true }),
    });
    if (!answer.ok) throw new Error(`${answer.status} for the course ${course.name}`);
    made.push(((await answer.json()) as { id: number }).id);
  }
  return made;
}
