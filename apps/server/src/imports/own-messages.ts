/** LMS Admin's own messages about an import, next to those of the LMS. */
import type { ImportMessage } from '@lms-admin/contract/imports';
import type { RowFate } from '@lms-admin/domain/import-verdict';
import { and, eq, lt } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { importMessages } from '../platform/schema.ts';

/** A message, with the result found for its row if the import was aborted. */
export type KeptMessage = ImportMessage & { fate?: RowFate };

/** Messages per statement. */
const MESSAGES_AT_ONCE = 500;

/** Replaces our own messages. They come before those of the LMS, which are numbered from 1. */
export async function storeOwnMessages(
  db: Db,
  importId: string,
  messages: readonly ImportMessage[],
): Promise<void> {
  await db
    .delete(importMessages)
    .where(and(eq(importMessages.importId, importId), lt(importMessages.seq, 1)));
  await insertMessages(db, importId, messages, -messages.length);
}

/** Inserts messages. @param first number of the first one */
export async function insertMessages(
  db: Db,
  importId: string,
  messages: readonly KeptMessage[],
  first: number,
): Promise<void> {
  for (let at = 0; at < messages.length; at += MESSAGES_AT_ONCE) {
    const rows = messages.slice(at, at + MESSAGES_AT_ONCE);
    await db.insert(importMessages).values(
      rows.map(({ file, message, row, fate = null }, offset) => ({
        importId,
        seq: first + at + offset,
        file,
        message,
        row,
        fate,
      })),
    );
  }
}
