/** Shared parts of the award tests: their calls, workbooks, the practice survey and its list. */
import { randomUUID } from 'node:crypto';
import { utils, type WorkBook, write } from '@e965/xlsx';
import {
  type AwardReportAnswer,
  type AwardStats,
  awardReportAnswer,
  awardStats,
  fromAwardRow,
  type ListCheck,
  listCheck,
  type SheetRecord,
} from '@lms-admin/contract/awards';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { errorEnvelope } from '@lms-admin/contract/errors';
import { type JobDetail, jobDetail, job as jobSchema } from '@lms-admin/contract/jobs';
import { LIST_HEADER } from '@lms-admin/domain/award-entries';
import { expect } from 'vitest';
import type { Browser } from '../support/browser.ts';

export const SURVEY = 'SV_bta2026practice';
export const REFRESH = ENDPOINTS.awardRefresh.replace(':survey', SURVEY);
/** The day on which the practice vote opened. */
export const OPENING = '2026-09-07';

type Answered = {
  status: number;
  data: unknown;
  error: { code: string; message: string; next: string } | null;
};

/** Reads the data of an answer, or its error. */
export async function answered(asked: Promise<Response>): Promise<Answered> {
  const response = await asked;
  const body: unknown = await response.json();
  if (response.ok) return { status: response.status, data: (body as { data: unknown }).data, error: null };
  return { status: response.status, data: null, error: errorEnvelope.parse(body).error };
}

export async function stats(browser: Browser): Promise<AwardStats> {
  return awardStats.parse((await answered(browser.fetch(ENDPOINTS.awardStats))).data);
}

/** Starts a refresh and waits for it to end. */
export async function refreshed(browser: Browser): Promise<AwardStats> {
  const begun = await answered(browser.post(REFRESH, {}));
  expect(begun.error).toBeNull();
  await ended(browser);
  return stats(browser);
}

/** Waits until no refresh is in progress. */
export async function ended(browser: Browser): Promise<void> {
  await expect.poll(async () => (await stats(browser)).refresh, { interval: 100 }).toBeNull();
}

export async function report(browser: Browser, path: string, query = ''): Promise<AwardReportAnswer> {
  const { data, error } = await answered(browser.fetch(path + query));
  expect(error).toBeNull();
  return awardReportAnswer.parse(data);
}

/**
 * Writes `34 Fixed Income – François Nakamura (ABD)` for each row with votes, most votes first, then by name.
 */
export function lines({ rows }: AwardReportAnswer): string[] {
  return rows
    .map(fromAwardRow)
    .filter(({ votes }) => votes > 0)
    .map(({ votes, course, professor, campus }) => `${votes} ${course} – ${professor} (${campus})`);
}

/** Creates a workbook with one sheet that has these rows below the header. */
export function workbookOf(
  rows: readonly (readonly unknown[])[],
  type: 'xlsx' | 'biff8' = 'xlsx',
  header: readonly unknown[] = LIST_HEADER,
): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([[...header], ...rows.map((row) => [...row])]), 'List');
  return bytesOf(book, type);
}

export const bytesOf = (book: WorkBook, type: 'xlsx' | 'biff8' = 'xlsx') =>
  write(book, { type: 'buffer', bookType: type, compression: true }) as Buffer;

export const cellsOf = (row: SheetRecord) => LIST_HEADER.map((column) => row[column]);

/** Creates some valid rows. */
export function someRows(count: number): SheetRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    Campus: ['SGP', 'FBL', 'ABD'][at % 3] ?? 'SGP',
    Course: `Course ${at}`,
    'Course ID': `C${String(at).padStart(5, '0')}`,
    Enrolled: 20 + (at % 50),
    'Prof ID': `P${at % 40}`,
    Professor: `Professor ${at % 40}`,
    Type: at % 2 === 0 ? 'Core' : 'Elective',
  }));
}

export function upload(browser: Browser, bytes: Uint8Array, name = 'list.xlsx'): Promise<Response> {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(bytes)], name));
  return browser.fetch(ENDPOINTS.awardCheck, { method: 'POST', body: form });
}

export async function checked(
  browser: Browser,
  bytes: Uint8Array,
  name?: string,
): Promise<Extract<ListCheck, { template: true }>> {
  const { data, error } = await answered(upload(browser, bytes, name));
  expect(error).toBeNull();
  const check = listCheck.parse(data);
  if (!check.template) throw new Error(check.message);
  return check;
}

export const replace = (browser: Browser, rows: unknown, query = '') =>
  answered(browser.post(ENDPOINTS.awardList + query, rows));

/** Reads the list for the practice award. */
export async function practiceList(sandbox: { url: string }): Promise<SheetRecord[]> {
  return (await (await fetch(`${sandbox.url}/sandbox/qualtrics/award-list`)).json()) as SheetRecord[];
}

/** Starts a job and waits for it to end. */
export async function done(browser: Browser, kind: string, input: object): Promise<JobDetail> {
  const { data } = await answered(browser.post(jobStartPath(kind), { key: randomUUID(), input }));
  const { id } = jobSchema.parse(data);
  const read = async () =>
    jobDetail.parse((await answered(browser.fetch(ENDPOINTS.job.replace(':job', id)))).data);
  await expect.poll(async () => (await read()).ended_at).not.toBeNull();
  return read();
}

export async function fileOf(browser: Browser, job: JobDetail): Promise<Buffer> {
  const path = ENDPOINTS.jobFile.replace(':job', job.id).replace(':file', job.files[0]?.id ?? '');
  return Buffer.from(await (await browser.fetch(path)).arrayBuffer());
}
