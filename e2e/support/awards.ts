/** Helpers for the Best Teaching Award specs: its list as workbooks, and the practice Qualtrics. */
import { utils, write } from '@e965/xlsx';
import { expect, type Page } from '@playwright/test';
import type { Campus } from './processes.ts';
import type { Upload } from './sis-import.ts';

export const REPORTS = '/best-teaching-award-reports';
export const IMPORT = '/best-teaching-award-import';
const API = '/best-teaching-reports/api';
/** The opening date of the vote, in the zone in which that day begins first. */
export const OPENING = '2026-09-07';

export interface Row {
  Campus: string;
  Course: string;
  'Course ID': string;
  Enrolled: number;
  'Prof ID': string;
  Professor: string;
  Type: string;
}

/** Returns the list from which the award's voters choose, as the office keeps it. */
export async function practiceList(campus: Campus): Promise<Row[]> {
  return (await (await fetch(`${campus.lms}/sandbox/qualtrics/award-list`)).json()) as Row[];
}

/** Creates a workbook for the file picker. */
export function workbook(name: string, rows: readonly object[]): Upload {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.json_to_sheet([...rows]), 'List');
  const xls = name.endsWith('.xls');
  return {
    name,
    mimeType: xls
      ? 'application/vnd.ms-excel'
      : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: write(book, { type: 'buffer', bookType: xls ? 'biff8' : 'xlsx' }) as Buffer,
  };
}

/** Sets the behaviour of the practice Qualtrics, for example `exportMs`. */
export async function qualtrics(campus: Campus, settings: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${campus.lms}/sandbox/qualtrics`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function send(page: Page, campus: Campus, path: string, data: unknown): Promise<void> {
  const answer = await page.request.post(`${campus.url}${API}/${path}`, {
    data,
    headers: { origin: campus.url },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Makes a list the current one, as the signed-in person. */
export const putList = (page: Page, campus: Campus, rows: readonly Row[]) =>
  send(page, campus, 'import/excel', rows);

/** Sets the opening date of the vote. */
export const putOpening = (page: Page, campus: Campus, date: string) =>
  send(page, campus, 'opening-date', { opening_date: date });

/** Finds tables and other parts of the result. */
export const report = (page: Page, title: string) => page.getByRole('table', { name: title, exact: true });
export const chart = (page: Page) => page.getByRole('img', { name: /^Bar chart/ });
export const chip = (page: Page, text: 'Refresh' | 'Up to date') =>
  page.getByRole('button', { name: text, exact: true });

/** Reads the survey, and waits until its votes are loaded. */
export async function readSurvey(page: Page): Promise<void> {
  await chip(page, 'Refresh').click();
  await expect(chip(page, 'Up to date')).toBeVisible({ timeout: 60_000 });
}
