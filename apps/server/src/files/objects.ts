/**
 * Objects: small files that everybody may read, such as images. One interface; an object lies in our own database, or in the
 * bucket of a store that speaks S3, and what represents the place is its home.
 */
import { eq } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { objects } from '../platform/schema.ts';

export interface StoredObject {
  key: string;
  /** Media type. */
  type: string;
  bytes: Buffer;
}

/** A home of objects. What it throws is an `OutsideError` where the home is a system outside. */
export interface ObjectStore {
  /** Names the place, and stays the same for as long as it is the same place. */
  readonly home: string;
  /** Keeps it, replacing what was there under the key. */
  put(object: StoredObject): Promise<void>;
  /** The content; null when there is none under this key. */
  get(key: string): Promise<Buffer | null>;
  /** Nothing happens when there is none. */
  remove(key: string): Promise<void>;
}

export const DATABASE_HOME = 'database';

/** Objects in our own database, a row each. */
export function databaseObjects(db: Db): ObjectStore {
  return {
    home: DATABASE_HOME,
    async put({ key, type, bytes }) {
      const content = { type, data: bytes };
      await db
        .insert(objects)
        .values({ key, ...content })
        .onConflictDoUpdate({ target: objects.key, set: content });
    },
    async get(key) {
      const [row] = await db.select({ data: objects.data }).from(objects).where(eq(objects.key, key));
      return row ? Buffer.from(row.data) : null;
    },
    async remove(key) {
      await db.delete(objects).where(eq(objects.key, key));
    },
  };
}
