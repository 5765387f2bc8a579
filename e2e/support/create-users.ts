/** Helpers for the Create Users specs: fields by name, pasting, people who do not exist. */
import { expect, type Page } from '@playwright/test';
import type { Campus } from './processes.ts';

export const PATH = '/create_user';
export const SCHOOL = 'northbridge.example';

export interface Newcomer {
  psID: string;
  email: string;
  firstName: string;
  lastName: string;
}

/** Describes people who do not exist; `from` keeps the specs of a worker apart. */
export function newcomers(from: number, count: number): Newcomer[] {
  const first = ['nora', 'jean-pierre', 'zoë', 'maria luisa', 'tom'];
  const last = ['vance', 'de la Cruz', 'Weiß', 'Okafor', 'Lindqvist'];
  return Array.from({ length: count }, (_, index) => ({
    psID: String(from + index),
    email: `new.person.${from + index}@${SCHOOL}`,
    firstName: first[index % first.length] ?? '',
    lastName: last[index % last.length] ?? '',
  }));
}

export const asCells = (people: readonly Newcomer[]) =>
  people.map((one) => [one.psID, one.email, one.firstName, one.lastName].join('\t')).join('\r\n');

export const input = (page: Page, name: string, row = 1) =>
  page.getByRole('textbox', { name: `${name}, row ${row.toLocaleString('en-GB')}`, exact: true });

export async function fillRow(page: Page, row: number, person: Newcomer): Promise<void> {
  await input(page, 'PeopleSoft ID', row).fill(person.psID);
  await input(page, 'Email', row).fill(person.email);
  await input(page, 'First Name', row).fill(person.firstName);
  await input(page, 'Last Name', row).fill(person.lastName);
}

/** Pastes from the clipboard, as a person would. */
export async function pasteInto(page: Page, name: string, row: number, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((content) => navigator.clipboard.writeText(content), text);
  await input(page, name, row).focus();
  await page.keyboard.press('ControlOrMeta+V');
}

/** Reads the note below a field. */
export async function noteOf(page: Page, name: string, row = 1): Promise<string> {
  const field = input(page, name, row);
  const id = await field.getAttribute('aria-describedby');
  return id === null ? '' : ((await page.locator(`#${id}`).textContent()) ?? '');
}

export const submitButton = (page: Page) =>
  page.getByRole('button', { name: 'Submit Data to Canvas', exact: true });

/** Finds a person in the LMS by SIS ID, or returns null if no one has that ID. */
export async function inLms(campus: Campus, psID: string): Promise<Record<string, unknown> | null> {
  const response = await fetch(`${campus.lms}/api/v1/users/sis_user_id:${psID}`, {
    headers: { authorization: 'Bearer sandbox-admin-token' },
  });
  return response.ok ? ((await response.json()) as Record<string, unknown>) : null;
}

export const sum = (page: Page) => page.getByRole('region', { name: 'Selected so far' }).getByRole('status');

export async function expectNoNotes(page: Page): Promise<void> {
  await expect(page.getByRole('main').locator('[aria-invalid="true"]')).toHaveCount(0);
  await expect(page.getByRole('progressbar', { name: 'Looking up in the LMS' })).toHaveCount(0);
}
