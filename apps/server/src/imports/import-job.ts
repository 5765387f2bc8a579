/**
 * The import as a kind of job: recorded, sent once, followed to its end. The record contains everything that is needed
 * to resume.
 */

import { IMPORT } from '@lms-admin/contract/jobs';
import { countLabels } from '@lms-admin/contract/messages';
import { COUNT_NAMES } from '@lms-admin/domain/import-states';
import { FATE_COUNTS, wasBrokenOff } from '@lms-admin/domain/import-verdict';
import { eq, inArray, sql } from 'drizzle-orm';
import { Cancelled, type JobEnd, type JobKind, type JobWork } from '../jobs/kind.ts';
import type { Db } from '../platform/database.ts';
import { filePieces, importMessages, imports, jobs } from '../platform/schema.ts';
import { find } from './find.ts';
import { follow } from './follow.ts';
import { createLinks } from './links.ts';
import { createLmsImports } from './lms-imports.ts';
import { appliedOf, type ImportRow, importRecords, noteOf, toSisImport, verdictOf } from './record.ts';
import { send } from './send.ts';
import type { ImportSources } from './sources.ts';
import { offeringUndo } from './undoing.ts';
import { CANCELLED, type ImportServices, jobPatch, type Work } from './work.ts';

/** @param sources the tools' sources of rows to import */
export function importJob(services: ImportServices, sources: ImportSources): JobKind {
  const { db } = services.db;
  const lms = createLmsImports(services.canvas);
  const links = createLinks(db, lms);

  return {
    id: IMPORT,
    // Imports spend most of their time waiting for the LMS.
    atOnce: 500,
    keeps: 'work',
    listed: true,
    changes: true,
    begins: 'Preparing the rows',
    untouched: CANCELLED,
    async run(job) {
      const work = await open(job, { services, lms, sources });
      // A record found in step 'submitting' was left by a process that stopped: its result is unknown.
      while (work.row.step !== 'final') {
        if (work.row.step === 'recorded') await send(work);
        else if (work.row.step === 'submitting') await find(work);
        else await follow(work);
      }
      return endOf(work.row);
    },
    async mayCancel({ id }) {
      const [row] = await db.select({ step: imports.step }).from(imports).where(eq(imports.id, id));
      return row?.step === 'recorded';
    },
    forget,
    async detail(admin, { id }) {
      const [row] = await importRecords(db).where(eq(imports.id, id));
      if (!row) return {};
      const now = services.identity.known();
      const shown = toSisImport(await links.fresh(admin, row, now), services.attachments, now, admin);
      const [one = shown] = await offeringUndo(db, [shown]);
      // The job itself shows that the import belongs to another LMS.
      return { import: { ...one, note: noteOf(row) } };
    },
  };
}

/** Opens the context of an import step, with its current record. */
async function open(
  job: JobWork,
  { services, lms, sources }: Pick<Work, 'services' | 'lms' | 'sources'>,
): Promise<Work> {
  const [first] = await importRecords(services.db.db).where(eq(imports.id, job.job.id));
  if (!first) throw new Error(`job ${job.job.id} has no import`);
  let row: ImportRow = first;
  return {
    services,
    lms,
    sources,
    job,
    signal: job.signal,
    get row() {
      return row;
    },
    token: () => job.token(),
    async save(patch, { sending, more, ...options } = {}) {
      const next = { ...row, ...patch };
      await job.save(
        { ...jobPatch(next), ...(sending === undefined ? {} : { checkpoint: { ...sending } }) },
        async (tx) => {
          await tx.update(imports).set(patch).where(eq(imports.id, row.id));
          await more?.(tx);
        },
        options,
      );
      row = next;
    },
  };
}

async function forget(tx: Db, ids: readonly string[]): Promise<void> {
  const importIds = [...ids];
  await tx.delete(filePieces).where(inArray(filePieces.fileId, importIds));
  await tx.delete(importMessages).where(inArray(importMessages.importId, importIds));
  await tx
    .update(imports)
    .set({ warnings: [], errors: [], errorsUrl: null, csvUrls: [], sectionsNote: null })
    .where(inArray(imports.id, importIds));
  // Messages of the LMS may name people.
  await tx
    .update(jobs)
    .set({
      note: null,
      problem: sql`case when ${jobs.problem} is not null then ${JSON.stringify(FORGOTTEN)}::jsonb end`,
    })
    .where(inArray(jobs.id, importIds));
}

const FORGOTTEN = {
  message: 'The messages of this import are no longer kept.',
  next: 'Check its SIS import in the LMS.',
};

/** Returns the end of the job for a final import, from the import's own result. */
function endOf(row: ImportRow): JobEnd {
  const figures = figuresOf(row);
  const [first] = row.errors;
  const verdict = verdictOf(row);
  switch (verdict) {
    case 'cancelled':
      throw new Cancelled(first?.[1] ?? '');
    case 'done':
    case 'partly':
      return { outcome: verdict, figures, note: noteOf(row) };
    case 'failed':
      return {
        outcome: 'failed',
        figures,
        note: row.sectionsNote,
        problem: {
          message: first?.[1] ?? (appliedOf(row) === 0 ? 'None of the rows was applied.' : LMS_ENDED),
          next: 'Correct the rows named in its messages, and submit them again.',
        },
      };
    case null:
      return {
        outcome: 'failed',
        figures,
        note: row.sectionsNote,
        problem: {
          message: row.note ?? 'LMS Admin could not confirm how this import ended.',
          next: 'Check the SIS imports in the LMS before you submit again.',
        },
      };
  }
}

const LMS_ENDED = 'The LMS stopped the import. Rows before that point may have been applied.';

/** Returns the LMS's counts of each kind; for an aborted import, the results found for its rows. */
function figuresOf({ rows, counts, workflowState }: ImportRow): [string, number][] {
  const names: [string, string][] = wasBrokenOff(workflowState)
    ? [
        [FATE_COUNTS.applied, 'rows applied'],
        [FATE_COUNTS.not, 'rows not applied'],
        [FATE_COUNTS.unknown, 'rows with unknown result'],
      ]
    : COUNT_NAMES.map((name) => [name, (countLabels[name] ?? name).toLowerCase()]);
  const some = names.flatMap(([name, word]): [string, number][] => {
    const count = counts[name] ?? 0;
    return count > 0 ? [[word, count]] : [];
  });
  return [['rows', rows], ...some];
}
