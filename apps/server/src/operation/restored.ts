/** Report at the first start after a restore: work that was open in the backup, and imports made after it. */
import { counted } from '@lms-admin/domain/numbers';
import { and, count, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import { importIdIn } from '../imports/attachment.ts';
import { createLmsImports, type LmsImport } from '../imports/lms-imports.ts';
import type { Db } from '../platform/database.ts';
import { imports, installation, jobs } from '../platform/schema.ts';

/** Allows for a different clock in the LMS, and for the duration of the backup (milliseconds). */
const MARGIN_MS = 600_000;
const MOST_NUMBERS = 20;

/** Describes the work that had not ended when the backup was made. */
export async function openWorkInWords(db: Db): Promise<string[]> {
  const open = await db
    .select({ kind: jobs.kind, step: imports.step, number: count() })
    .from(jobs)
    .leftJoin(imports, eq(imports.id, jobs.id))
    .where(isNull(jobs.endedAt))
    .groupBy(jobs.kind, imports.step);
  if (open.length === 0) return ['The backup contains no unfinished work.'];
  const parts = open.map(({ kind, step, number }) =>
    step === null
      ? counted(number, `job of the kind ${kind}`, `jobs of the kind ${kind}`)
      : importsInWords(number, step),
  );
  const sent = open.some(({ step }) => step !== null);
  return [
    `Unfinished work in the backup: ${parts.join(', ')}.`,
    ...(sent
      ? [
          'LMS Admin looks for each of these imports in the LMS first, and does not send it again if the LMS already has it.',
        ]
      : []),
  ];
}

function importsInWords(number: number, step: string): string {
  const how =
    { recorded: 'not sent yet', submitting: 'perhaps sent', following: 'sent' }[step] ?? 'ended in the LMS';
  return `${counted(number, 'import')} ${how}`;
}

export interface RestoredParts {
  db: Db;
  canvas: CanvasClient;
  log: Logger;
  /** Token of the installation; null if calls to the LMS need an administrator's token. */
  token: CanvasToken | null;
  stop: AbortSignal;
}

/** Reports at each start until one report was complete. */
export async function sayRestored({ db, canvas, log, token, stop }: RestoredParts): Promise<void> {
  const [row] = await db
    .select({ backupOf: installation.backupOf })
    .from(installation)
    .where(and(isNotNull(installation.backupOf), isNull(installation.restoreReportedAt)));
  if (!row?.backupOf) return;
  const backup = row.backupOf.toISOString();
  for (const words of await openWorkInWords(db)) log.warn({ backup }, words);
  if (token === null) {
    log.warn(
      { backup },
      `${LMS_UNKNOWN} LMS_SERVICE_TOKEN is not set. In the LMS, check the SIS imports made after the backup.`,
    );
  } else {
    try {
      const since = new Date(row.backupOf.getTime() - MARGIN_MS);
      const listed = await createLmsImports(canvas).since(token, since, stop);
      log.warn({ backup }, await foundInWords(db, listed, row.backupOf));
    } catch (error) {
      if (!stop.aborted)
        log.warn({ backup, err: error }, `${LMS_UNKNOWN} LMS Admin will try again at the next start.`);
      return;
    }
  }
  await db.update(installation).set({ restoreReportedAt: new Date() });
}

const LMS_UNKNOWN = 'LMS Admin could not check which imports the LMS received after the backup.';

/** Lists imports in the LMS that the database does not contain: they began after the backup. */
async function foundInWords(db: Db, listed: readonly LmsImport[], backupOf: Date): Promise<string> {
  const ours = listed.flatMap(({ id, csv }) => {
    const found = csv
      .flatMap(({ names }) => names)
      .map(importIdIn)
      .find((one) => one !== null);
    return found ? [{ id, importId: found }] : [];
  });
  const ids = ours.map((one) => one.importId);
  const rows =
    ids.length === 0 ? [] : await db.select({ id: imports.id }).from(imports).where(inArray(imports.id, ids));
  const known = new Set(rows.map((one) => one.id));
  const unknown = ours.filter(({ importId }) => !known.has(importId)).map(({ id }) => id);
  if (unknown.length === 0)
    return 'This database has a record of every import that LMS Admin sent to the LMS.';
  const numbers = unknown.slice(0, MOST_NUMBERS).join(', ') + (unknown.length > MOST_NUMBERS ? ', …' : '');
  return (
    `The LMS has ${counted(unknown.length, 'import')} that LMS Admin sent after the backup of ${backupOf.toISOString()}: ${numbers}. Activity ` +
    `does not list them, and you cannot undo them. Check them in the SIS imports of the LMS before you submit the same changes again.`
  );
}
