/** Helpers for the SIS Import specs: files created in memory, and a person's actions in the steps. */
import { expect, type Page } from '@playwright/test';
import { coursesOf, type LmsCourse, next, step, termLike } from './course-enrollment.ts';
import type { Campus } from './processes.ts';

export const PATH = '/sis-import';
/** The header of an enrolments file. */
export const HEADER = 'course_id,user_id,role_id,section_id,status';
const SUBMIT = 'Submit Data to LMS';

export interface Upload {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Creates a file for the file picker. */
export function csv(name: string, content: string | Buffer): Upload {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
}

/** Creates a users file with the given number of new people; the ids begin with the prefix. */
export function newPeople(prefix: string, count: number): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const id = `${prefix}${String(index + 1).padStart(3, '0')}`;
    return `${id},${id.toLowerCase()}@northbridge.example,Sample,Person ${index + 1},active`;
  });
  return ['user_id,login_id,first_name,last_name,status', ...rows].join('\n');
}

export const submit = (page: Page) => page.getByRole('button', { name: SUBMIT, exact: true });
export const picker = (page: Page) => page.getByLabel('Select Csv File', { exact: true });
/** Finds the card of the selected file. */
export const card = (page: Page, name: string) => page.getByRole('group', { name, exact: true });

/** Goes to the step 'Upload Csv'. */
export async function toUpload(page: Page): Promise<void> {
  await next(page).click();
  await expect(step(page)).toHaveText('Upload Csv');
}

export async function choose(page: Page, file: Upload): Promise<void> {
  await picker(page).setInputFiles(file);
  await expect(card(page, file.name)).toBeVisible();
}

/** Goes from the first step to the last one, which then starts the upload. */
export async function upload(page: Page, file: Upload): Promise<void> {
  await toUpload(page);
  await choose(page, file);
  await next(page).click();
  await expect(step(page)).toHaveText('Status and Review');
}

/** Goes through upload and check to a review that can be submitted. */
export async function toReview(page: Page, file: Upload): Promise<void> {
  await upload(page, file);
  await expect(page.getByRole('heading', { name: /^First rows/ })).toBeVisible({ timeout: 20_000 });
}

/** Finds courses in one term of the MBA that a file can name. */
export async function mbaCourses(campus: Campus): Promise<LmsCourse[]> {
  const { id } = await termLike(campus, 'MBA 2026-27 P1');
  return (await coursesOf(campus, 86, id)).filter((one) => one.sis_course_id !== null);
}
