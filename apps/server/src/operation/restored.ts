/** What the first start after a restore says: what the backup left open, and what the LMS has from after it. */
import { counted } from '@lms-admin/domain/numbers';
import { and, count, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import { importIdIn } from '../imports/attachment.ts';
import { createLmsImports, type LmsImport } from '../imports/lms-imports.ts';
import type { Db } from '../platform/database.ts';
import { imports, installation, jobs } from '../platform/schema.ts';

/** The clock of the LMS may be another one, and a backup takes a while (milliseconds). */
const MARGIN_MS = 600_000;
const MOST_NUMBERS = 20;

/** Work that had not ended when the backup was made, in words. */
export async function openWorkInWords(db: Db): Promise<string[]> {
  const open = await db
    .select({ kind: jobs.kind, step: imports.step, number: count() })
    .from(jobs)
    .leftJoin(imports, eq(imports.id, jobs.id))
    .where(isNull(jobs.endedAt))
    .groupBy(jobs.kind, imports.step);
  if (open.length === 0) return ['All work in the backup had ended.'];
  const parts = open.map(({ kind, step, number }) =>
    step === null
      ? counted(number, `job of the kind ${kind}`, `jobs of the kind ${kind}`)
      : importsInWords(number, step),
  );
  const sent = open.some(({ step }) => step !== null);
  return [
    `Work in the backup that had not ended: ${parts.join(', ')}.`,
    ...(sent
      ? [
          'Each of these imports is looked for in the LMS first. One that the LMS has already is not sent again.',
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
  /** Of the installation; null: the LMS cannot be asked without an administrator. */
  token: CanvasToken | null;
  stop: AbortSignal;
}

/** Says it until it has been said once in full. */
export async function sayRestored({ db, canvas, log, token, stop }: RestoredParts): Promise<void> {
  const [row] = await db
    .select({ backupOf: installation.backupOf })
    .from(installation)
    .where(and(isNotNull(installation.backupOf), isNull(installation.restoreSaidAt)));
  if (!row?.backupOf) return;
  const backup = row.backupOf.toISOString();
  for (const words of await openWorkInWords(db)) log.warn({ backup }, words);
  if (token === null) {
    log.warn(
      { backup },
      `${NOT_ASKED} LMS_SERVICE_TOKEN is not set. Look into the SIS imports of the LMS for those after the backup.`,
    );
  } else {
    try {
      const since = new Date(row.backupOf.getTime() - MARGIN_MS);
      const listed = await createLmsImports(canvas).since(token, since, stop);
      log.warn({ backup }, await foundInWords(db, listed, row.backupOf));
    } catch (error) {
      if (!stop.aborted)
        log.warn({ backup, err: error }, `${NOT_ASKED} It is asked again at the next start.`);
      return;
    }
  }
  await db.update(installation).set({ restoreSaidAt: new Date() });
}

const NOT_ASKED = 'The LMS could not be asked what it has from after the backup.';

/** Imports of ours in the LMS that the database knows nothing about: their work was begun after the backup. */
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
  if (unknown.length === 0) return 'The LMS has no import of LMS Admin that this database does not know.';
  const numbers = unknown.slice(0, MOST_NUMBERS).join(', ') + (unknown.length > MOST_NUMBERS ? ', …' : '');
  return (
    `The LMS has ${counted(unknown.length, 'import')} of LMS Admin from after the backup of ${backupOf.toISOString()}, which Activity ` +
    `does not list and undo cannot reach: ${numbers}. Check them in the SIS imports of the LMS before you submit the same again.`
  );
}
