/** What the console itself says about an import, among the messages of the LMS. */
import { and, eq, lt } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { importMessages } from '../platform/schema.ts';

/** Replaces our own messages. They stand before those of the LMS, which are numbered from 1. */
export async function storeOwnMessages(db: Db, importId: string, texts: readonly string[]): Promise<void> {
  await db
    .delete(importMessages)
    .where(and(eq(importMessages.importId, importId), lt(importMessages.seq, 1)));
  if (texts.length === 0) return;
  await db.insert(importMessages).values(
    texts.map((message, index) => ({
      importId,
      seq: index - texts.length,
      file: null,
      message,
      row: null,
    })),
  );
}
