/** Helpers for the Activity specs: its list, its link in the top bar, and quick imports. */
import { expect, type Page } from '@playwright/test';
import { csv, newPeople, submit, toReview } from './sis-import.ts';

export const PATH = '/activity';

/** Finds the link in the top bar. */
export const entry = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Activity/ });
export const list = (page: Page) => page.getByRole('table', { name: 'Activity' });
/** Finds the rows of the list, without its head. */
export const rows = (page: Page) =>
  list(page)
    .getByRole('row')
    .filter({ hasNot: page.getByRole('columnheader') });
export const row = (page: Page, label: string | RegExp) => rows(page).filter({ hasText: label });
export const title = (page: Page) => page.getByRole('heading', { level: 1 });
/** Finds a fact about a job, by its name. */
export const fact = (page: Page, name: string) =>
  page
    .locator('dl', { has: page.getByText('Started by') })
    .locator('div', { has: page.getByText(name, { exact: true }) });

/** Sends a file of new people through the wizard. @param name the file's name, which identifies its entry */
export async function sendFile(page: Page, name: string, prefix: string, people: number): Promise<void> {
  // Clicking the tab starts the wizard again.
  await leaveTo(page, 'SIS Import');
  await toReview(page, csv(name, newPeople(prefix, people)));
  await submit(page).click();
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Progress');
}

/** Leaves a wizard through another tool's tab, as a person would: its state is forgotten. */
export async function leaveTo(page: Page, tab: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Tools' }).getByRole('link', { name: tab }).click();
  await expect(title(page)).toHaveText(tab);
}
