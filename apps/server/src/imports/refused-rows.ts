/** Rows of an import that the LMS did not apply, as far as its messages say so. */
import { and, eq, isNotNull } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { importMessages } from '../platform/schema.ts';

/** What the LMS says about rows that it applied anyway; and what was found out about those of an import that was broken off. */
const APPLIED = /^(Enrolled a user |Bad date format |Applied: |Not known: )/;

/** Their numbers, the header being row 1. */
export async function refusedRows(db: Db, importId: string): Promise<ReadonlySet<number>> {
  const found = await db
    .select({ row: importMessages.row, message: importMessages.message })
    .from(importMessages)
    .where(and(eq(importMessages.importId, importId), isNotNull(importMessages.row)));
  return new Set(found.flatMap(({ row, message }) => (row === null || APPLIED.test(message) ? [] : [row])));
}
