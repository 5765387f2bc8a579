/** Uploads SIS files in tests, as the console does. */
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import type { ErrorBody } from '@lms-admin/contract/errors';
import { type JobDetail, jobDetail } from '@lms-admin/contract/jobs';
import {
  type DraftCorrection,
  type DraftRows,
  draftRows,
  type OpenDraft,
  openDraft,
  type SisDraft,
  sisDraft,
} from '@lms-admin/contract/sis-drafts';
import {
  SIS_EFFECT,
  type SisEffect,
  type SisEffectQuery,
  sisEffect,
  sisEffectCourses,
  sisEffectRows,
} from '@lms-admin/contract/sis-effects';
import { type SisFile, sisFile } from '@lms-admin/contract/sis-files';
import yazl from 'yazl';
import { z } from 'zod';
import type { Browser } from '../support/browser.ts';
import { WAIT_MS } from '../support/wait.ts';

/** The headers of a file of people and of one of enrolments. */
export const USERS = 'user_id,login_id,full_name,status';
export const ENROLL = 'course_id,user_id,role_id,status';
/** Creates a row for a person who is not in the LMS. */
export const person = (at: number, status = 'active') =>
  `97${at},p97${at}@northbridge.example,Zoë O’Neill–Łukasz ${at},${status}`;

export interface Answered {
  status: number;
  file: SisFile | null;
  error: ErrorBody | null;
}

/** Uploads text or bytes. The answer is checked against the contract. */
export async function upload(
  browser: Browser,
  content: string | Uint8Array,
  name = 'file.csv',
): Promise<Answered> {
  const form = new FormData();
  form.set('url', 'accounts/1/sis_imports');
  form.set('header', '{}');
  form.set('file', new File([content as Uint8Array<ArrayBuffer>], name));
  const response = await browser.fetch(ENDPOINTS.sisFiles, { method: 'POST', body: form });
  return answered(response);
}

export async function answered(response: Response): Promise<Answered> {
  const body = await response.json();
  return {
    status: response.status,
    file: response.status === 200 ? sisFile.parse(body.data) : null,
    error: body.error ?? null,
  };
}

/** Uploads a file that must be accepted. */
export async function uploaded(browser: Browser, content: string | Uint8Array, name?: string) {
  const { file, error } = await upload(browser, content, name);
  if (!file) throw new Error(JSON.stringify(error));
  return file;
}

/** Lists row, field and sentence of each problem. */
export function problemsOf({ error }: Answered): [number | null, string | null, string][] {
  return (error?.details ?? []).map(({ row, field, message }) => [row, field, message]);
}

/** Creates a zip of texts. */
export function zipOf(files: Record<string, string | Buffer>, compress = true): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { compress });
  zip.end();
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    zip.outputStream
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => resolve(Buffer.concat(pieces)))
      .on('error', reject);
  });
}

/** Starts comparing a file, as the review does. A second call gives the same job. */
export async function startEffect(browser: Browser, file: string, key = file): Promise<Response> {
  return browser.post(jobStartPath(SIS_EFFECT), { key, input: { file } });
}

/** Waits for a job to end. */
export async function jobEnded(browser: Browser, id: string): Promise<JobDetail> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const body = await (await browser.fetch(ENDPOINTS.job.replace(':job', id))).json();
    const job = jobDetail.parse(body.data);
    if (job.ended_at !== null) return job;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(job)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const under = (path: string, file: string) => path.replace(':file', file);

/** Returns the effect of a file, once it is known. */
export async function effectOf(browser: Browser, file: string, key = file): Promise<SisEffect> {
  const started = await (await startEffect(browser, file, key)).json();
  const job = await jobEnded(browser, started.data.id);
  if (job.state !== 'done') throw new Error(JSON.stringify(job.problem));
  const answer = await (await browser.fetch(under(ENDPOINTS.sisEffect, file))).json();
  return sisEffect.parse(answer.data);
}

/** Reads a page of the file's rows. */
export async function effectRows(browser: Browser, file: string, query: Partial<SisEffectQuery>) {
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const body = await (await browser.fetch(`${under(ENDPOINTS.sisEffectRows, file)}?${asked}`)).json();
  return sisEffectRows.parse(body.data);
}

/** Reads a page of the courses in its enrolments. */
export async function effectCourses(browser: Browser, file: string, query: Record<string, string> = {}) {
  const asked = new URLSearchParams(query);
  const body = await (await browser.fetch(`${under(ENDPOINTS.sisEffectCourses, file)}?${asked}`)).json();
  return sisEffectCourses.parse(body.data);
}

/** Uploads a file, and compares it with the LMS. */
export async function reviewed(browser: Browser, content: string | Uint8Array, name?: string) {
  const { id } = await uploaded(browser, content, name);
  return { id, effect: await effectOf(browser, id) };
}

/** Returns a table's rows by effect, as the summary counts them. */
export function doing(effect: SisEffect, kind: SisEffect['tables'][number]['kind']) {
  return effect.tables.find((one) => one.kind === kind)?.does ?? {};
}

type Endpoint = 'sisDraft' | 'sisDraftRows' | 'sisDraftCorrections' | 'sisDraftFile' | 'sisDraftCsv';

export const draftPath = (endpoint: Endpoint, id: string) => ENDPOINTS[endpoint].replace(':draft', id);

/** Uploads a file that must be rejected and kept for correction. */
export async function drafted(
  browser: Browser,
  content: string | Uint8Array,
  name?: string,
): Promise<SisDraft> {
  const { status, error } = await upload(browser, content, name);
  if (status !== 400 || error?.draft === undefined) throw new Error(JSON.stringify({ status, error }));
  return draftOf(browser, error.draft);
}

export async function draftOf(browser: Browser, id: string): Promise<SisDraft> {
  const response = await browser.fetch(draftPath('sisDraft', id));
  return sisDraft.parse((await response.json()).data);
}

/** Reads the drafts that are still open, as step 1 lists them. */
export async function openDraftsOf(browser: Browser): Promise<OpenDraft[]> {
  const body = await (await browser.fetch(ENDPOINTS.sisDrafts)).json();
  return z.array(openDraft).parse(body.data);
}

/** Discards a draft. */
export const discarded = (browser: Browser, id: string) =>
  browser.fetch(draftPath('sisDraft', id), { method: 'DELETE' });

export async function rowsOfDraft(browser: Browser, id: string, query = ''): Promise<DraftRows> {
  const response = await browser.fetch(`${draftPath('sisDraftRows', id)}${query}`);
  return draftRows.parse((await response.json()).data);
}

/** Corrects a draft with a step that must be accepted. */
export async function corrected(
  browser: Browser,
  { id, version }: SisDraft,
  step: DraftCorrection['step'],
): Promise<SisDraft> {
  const response = await browser.post(draftPath('sisDraftCorrections', id), { version, step });
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return sisDraft.parse(body.data);
}

/** Finishes the corrections of a draft, and returns the answer with the checked file. */
export async function finished(browser: Browser, { id, version }: SisDraft): Promise<Answered> {
  return answered(await browser.post(draftPath('sisDraftFile', id), { version }));
}
