/**
 * Objects: small public files such as images. They are stored in our own database or in an S3 bucket; `home` identifies
 * the store.
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

/** A store for objects. Its errors are `OutsideError` if it is an external system. */
export interface ObjectStore {
  /** Stable identifier of the store. */
  readonly home: string;
  /** Stores an object, replacing any existing one with the same key. */
  put(object: StoredObject): Promise<void>;
  /** Returns the content, or null if the key does not exist. */
  get(key: string): Promise<Buffer | null>;
  /** Does nothing if the object does not exist. */
  remove(key: string): Promise<void>;
}

export const DATABASE_HOME = 'database';

/** Stores objects in our own database, one row each. */
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
