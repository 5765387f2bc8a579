/** Links to attachments expire after an hour, so they are read again when a user opens an import (reference, traps). */
import { eq } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import { sameLms } from '../canvas/identity.ts';
import { CanvasError } from '../canvas/types.ts';
import type { Db } from '../platform/database.ts';
import { imports } from '../platform/schema.ts';
import { isAnother, type LmsImports } from './lms-imports.ts';
import { type ImportRow, isAttachmentPending, linksFromLms } from './record.ts';

/** Milliseconds for which a link is used after it was read; the link stays valid for ten more minutes. */
const GOOD_MS = 3_000_000;
/** Interval in milliseconds for checking for the error attachment, which appears a little after the end. */
const RECHECK_MS = 4_000;

/** Returns fresh links of final imports. Concurrent requests for one import share a call. */
export function createLinks(db: Db, lms: LmsImports) {
  const reading = new Map<string, Promise<ImportRow>>();

  async function read(admin: Admin, row: ImportRow, canvasId: number): Promise<ImportRow> {
    let links: ReturnType<typeof linksFromLms>;
    try {
      const got = await lms.get(admin.token, canvasId);
      // The number now belongs to another import, whose files must not be shown.
      if (isAnother(got, row.id)) return { ...row, errorsUrl: null, csvUrls: [] };
      links = linksFromLms(got);
    } catch (error) {
      if (!(error instanceof CanvasError)) throw error;
      // An expired link is not shown; the next request tries again.
      return isOlder(row.linksAt, GOOD_MS) ? { ...row, errorsUrl: null, csvUrls: [] } : row;
    }
    await db.update(imports).set(links).where(eq(imports.id, row.id));
    return { ...row, ...links };
  }

  return {
    /** Returns the record with links that stay valid for at least a few minutes. */
    async fresh(admin: Admin, row: ImportRow, lmsOfNow: string): Promise<ImportRow> {
      if (row.step !== 'final' || row.canvasId === null || !isDue(row)) return row;
      // An import's number in another LMS has no meaning here.
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
  return isAttachmentPending(row) && isOlder(row.linksAt, RECHECK_MS);
}

function isOlder(moment: Date | null, ms: number): boolean {
  return moment === null || Date.now() - moment.getTime() > ms;
}
