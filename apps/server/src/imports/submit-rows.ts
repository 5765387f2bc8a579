/** Submitting rows made by hand: checked row by row, written anew, then an import like any other. */
import { randomUUID } from 'node:crypto';
import type { SisImport } from '@lms-admin/contract/imports';
import { type Admin, mayUse } from '../access/admin.ts';
import type { Submission } from '../services.ts';
import { deleteCsv, storeCsv } from './csv-store.ts';
import { checkCsv } from './hand-made.ts';
import type { Recorder, SubmitServices } from './submit.ts';

/**
 * Turns rows into an import; a repeat with the same key finds the first one.
 * @throws AppError bad-request with row and column; too-many-rows
 */
export async function submitRows(
  services: SubmitServices,
  recorder: Recorder,
  admin: Admin,
  csv: string | readonly (readonly string[])[],
  key: string | null,
  asking: Submission,
): Promise<SisImport> {
  const { db } = services.db;
  const first = key === null ? null : await recorder.earlier(admin, { key });
  if (first) return first;
  const checked = await checkCsv(services, admin, csv, asking.signal);
  const id = randomUUID();
  await storeCsv(db, id, asAsync(checked.texts));
  const label = `${checked.rows} enrolment ${checked.rows === 1 ? 'row' : 'rows'} for ${checked.courses} ${
    checked.courses === 1 ? 'course' : 'courses'
  }`;
  const answer = await recorder.record(
    admin,
    {
      tool: mayUse(admin, 'course-enrollment') ? 'course-enrollment' : 'section-enrollment',
      id,
      label,
      key,
      rows: checked.rows,
      csvReady: true,
    },
    asking,
  );
  // A repeat that came at the same time was faster: its CSV is the one that counts.
  if (answer.id !== id) await deleteCsv(db, id);
  return answer;
}

async function* asAsync(texts: readonly string[]): AsyncGenerator<string, void, void> {
  yield* texts;
}
