/** Whether imports may have changed people since the moment when they were read. */
import { eq, inArray } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import type { Database } from '../platform/database.ts';
import { imports, jobs } from '../platform/schema.ts';
import { createLmsImports, type LmsImport } from './lms-imports.ts';

/** An import that ended after that moment may have started this long before it. */
const LONGEST_IMPORT_MS = 86_400_000;
/** Milliseconds after which the LMS counts as not answering. */
const PATIENCE_MS = 5_000;
/** States of an import that was applied as a whole and not undone. */
const COMPLETE: readonly string[] = ['imported', 'imported_with_messages'];
/** The counts of an import that changes people or their logins. */
const OF_PEOPLE = ['users', 'logins', 'change_sis_ids'] as const;

/**
 * Returns whether anyone's import with rows about people has ended since the given time, or is still running.
 * @throws CanvasError if the token cannot read imports; DOMException if the LMS takes too long
 */
export async function mayHaveChangedPeople(
  { canvas, db: { db } }: { canvas: CanvasClient; db: Database },
  token: CanvasToken,
  { lms, since }: { lms: string; since: Date },
): Promise<boolean> {
  const begun = new Date(since.getTime() - LONGEST_IMPORT_MS);
  const all = await createLmsImports(canvas).since(token, begun, AbortSignal.timeout(PATIENCE_MS));
  const doubtful = all.filter((one) => mayTouch(one, since)).map(({ id }) => id);
  if (doubtful.length === 0) return false;
  const own = await db
    .select({ number: imports.canvasId, lms: imports.lms, tool: jobs.tool })
    .from(imports)
    .innerJoin(jobs, eq(jobs.id, imports.id))
    .where(inArray(imports.canvasId, doubtful));
  // Create Users only adds people. Only files of SIS Import change existing people.
  const harmless = new Set(
    own.filter((one) => one.tool !== 'sis-import' && sameLms(one.lms, lms)).map(({ number }) => number),
  );
  return doubtful.some((id) => !harmless.has(id));
}

function mayTouch({ state, endedAt, counts }: LmsImport, since: Date): boolean {
  // An import that the LMS stopped has no counts, and one that it undid ended long ago.
  if (endedAt === null || !COMPLETE.includes(state)) return true;
  return endedAt >= since && OF_PEOPLE.some((kind) => (counts[kind] ?? 0) > 0);
}
