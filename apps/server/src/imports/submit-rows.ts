/** Submitting rows made by hand: checked row by row, written anew, then an import like any other. */
import { randomUUID } from 'node:crypto';
import type { SisImport } from '@lms-admin/contract/imports';
import { SUBMIT_TOOLS } from '@lms-admin/contract/tools';
import { sisKind } from '@lms-admin/domain/sis-kinds';
import { type Admin, mayUse } from '../access/admin.ts';
import { requireTool } from '../access/require.ts';
import type { Submission } from '../services.ts';
import { checkNewUsers } from '../users/new-users.ts';
import { type HandMadeCsv, headerNames } from './csv-rows.ts';
import { deleteCsv, storeCsv } from './csv-store.ts';
import { checkCsv } from './hand-made.ts';
import type { NewImport, Recorder, SubmitServices } from './submit.ts';

/** Rows that passed their check, in pieces of CSV, and what the import is called. */
interface CheckedRows extends Pick<NewImport, 'tool' | 'label' | 'rows'> {
  texts: readonly string[];
}

/**
 * Turns rows into an import; a repeat with the same key finds the first one. The header decides what the rows are.
 * @throws AppError not-allowed; bad-request with row and column; too-many-rows; for people also conflict and lms-down
 */
export async function submitRows(
  services: SubmitServices,
  recorder: Recorder,
  admin: Admin,
  csv: HandMadeCsv,
  key: string | null,
  asking: Submission,
): Promise<SisImport> {
  const { db } = services.db;
  const first = key === null ? null : await recorder.earlier(admin, { key });
  if (first) return first;
  const check = sisKind(headerNames(csv)) === 'user' ? userRows : enrolmentRows;
  const { texts, ...what } = await check(services, admin, csv, asking);
  const id = randomUUID();
  await storeCsv(db, id, asAsync(texts));
  const answer = await recorder.record(admin, { ...what, id, key, csvReady: true }, asking);
  // A repeat that came at the same time was faster: its CSV is the one that counts.
  if (answer.id !== id) await deleteCsv(db, id);
  return answer;
}

async function enrolmentRows(
  services: SubmitServices,
  admin: Admin,
  csv: HandMadeCsv,
  { signal }: Submission,
): Promise<CheckedRows> {
  const { texts, rows, courses } = await checkCsv(services, admin, csv, signal);
  return {
    tool: mayUse(admin, 'course-enrollment') ? 'course-enrollment' : 'section-enrollment',
    label: `${rows} enrolment ${rows === 1 ? 'row' : 'rows'} for ${courses} ${courses === 1 ? 'course' : 'courses'}`,
    rows,
    texts,
  };
}

async function userRows(
  services: SubmitServices,
  admin: Admin,
  csv: HandMadeCsv,
  { signal = new AbortController().signal }: Submission,
): Promise<CheckedRows> {
  requireTool(admin, ...SUBMIT_TOOLS['user-rows']);
  const { rows, text } = await checkNewUsers(services, admin, csv, signal);
  return {
    tool: 'create-users',
    label: `Create ${rows} ${rows === 1 ? 'user' : 'users'}`,
    rows,
    texts: [text],
  };
}

async function* asAsync(texts: readonly string[]): AsyncGenerator<string, void, void> {
  yield* texts;
}
