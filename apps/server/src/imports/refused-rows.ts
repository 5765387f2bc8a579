/** Rows of an import that the LMS did not apply, according to its messages. */
import { and, eq, isNotNull, isNull, or } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { importMessages } from '../platform/schema.ts';

/** The LMS's messages about rows that it applied anyway; they have no code. */
const APPLIED_ANYWAY = /^(Enrolled a user |Bad date format )/;

/** Returns the numbers of the rows that were not applied; the header is row 1. */
export async function refusedRows(db: Db, importId: string): Promise<ReadonlySet<number>> {
  const found = await db
    .select({ row: importMessages.row, message: importMessages.message })
    .from(importMessages)
    .where(
      and(
        eq(importMessages.importId, importId),
        isNotNull(importMessages.row),
        or(isNull(importMessages.fate), eq(importMessages.fate, 'not')),
      ),
    );
  return new Set(
    found.flatMap(({ row, message }) => (row === null || APPLIED_ANYWAY.test(message) ? [] : [row])),
  );
}
