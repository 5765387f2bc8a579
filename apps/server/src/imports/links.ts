/** Links to attachments die after an hour: they are read again when someone looks at an import (reference, traps). */
import { eq } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import { sameLms } from '../canvas/identity.ts';
import { CanvasError } from '../canvas/types.ts';
import type { Db } from '../platform/database.ts';
import { imports } from '../platform/schema.ts';
import { isAnother, type LmsImports } from './lms-imports.ts';
import { type ImportRow, isAttachmentPending, linksFromLms } from './record.ts';

/** Milliseconds that a link is given out after it was read; the LMS lets it live ten minutes longer. */
const GOOD_MS = 3_000_000;
/** How often the error attachment, which comes a little after the end, is looked for (milliseconds). */
const LOOK_AGAIN_MS = 4_000;

/** Fresh links for imports that are final. Many who look at one import make one call. */
export function createLinks(db: Db, lms: LmsImports) {
  const reading = new Map<string, Promise<ImportRow>>();

  async function read(admin: Admin, row: ImportRow, canvasId: number): Promise<ImportRow> {
    let links: ReturnType<typeof linksFromLms>;
    try {
      const got = await lms.get(admin.token, canvasId);
      // Another import has this number by now: its files are not ours to show.
      if (isAnother(got, row.id)) return { ...row, errorsUrl: null, csvUrls: [] };
      links = linksFromLms(got);
    } catch (error) {
      if (!(error instanceof CanvasError)) throw error;
      // A link that is certainly dead is not shown; the next look tries again.
      return isOlder(row.linksAt, GOOD_MS) ? { ...row, errorsUrl: null, csvUrls: [] } : row;
    }
    await db.update(imports).set(links).where(eq(imports.id, row.id));
    return { ...row, ...links };
  }

  return {
    /** The record with links that live for some minutes at least. */
    async fresh(admin: Admin, row: ImportRow, lmsOfNow: string): Promise<ImportRow> {
      if (row.step !== 'final' || row.canvasId === null || !isDue(row)) return row;
      // A number of another LMS means nothing here.
      if (!sameLms(row.lms, lmsOfNow)) return row;
      let one = reading.get(row.id);
      if (!one) {
        one = read(admin, row, row.canvasId).finally(() => reading.delete(row.id));
        reading.set(row.id, one);
      }
      return one;
    },
  };
}

function isDue(row: ImportRow): boolean {
  if (row.errorsUrl !== null || row.csvUrls.length > 0) {
    if (isOlder(row.linksAt, GOOD_MS)) return true;
  }
  return isAttachmentPending(row) && isOlder(row.linksAt, LOOK_AGAIN_MS);
}

function isOlder(moment: Date | null, ms: number): boolean {
  return moment === null || Date.now() - moment.getTime() > ms;
}
