/** What the console itself says about an import, among the messages of the LMS. */
import type { ImportMessage } from '@lms-admin/contract/imports';
import { and, eq, lt } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { importMessages } from '../platform/schema.ts';

/** Messages written in one statement. */
const MESSAGES_AT_ONCE = 500;

/** Replaces our own messages. They stand before those of the LMS, which are numbered from 1. */
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

/** Writes messages. @param first number of the first one */
export async function insertMessages(
  db: Db,
  importId: string,
  messages: readonly ImportMessage[],
  first: number,
): Promise<void> {
  for (let at = 0; at < messages.length; at += MESSAGES_AT_ONCE) {
    const rows = messages.slice(at, at + MESSAGES_AT_ONCE);
    await db.insert(importMessages).values(
      rows.map(({ file, message, row }, offset) => ({
        importId,
        seq: first + at + offset,
        file,
        message,
        row,
      })),
    );
  }
}
