/**
 * Files that work makes and people download. One interface; where the bytes lie is the store's business, by default our own
 * database, so that several servers need no shared disk.
 */
import { randomUUID } from 'node:crypto';
import type { JobFile } from '@lms-admin/contract/jobs';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { files } from '../platform/schema.ts';
import { deletePieces, readPieces, storePieces } from './pieces.ts';

/** A home of bytes. */
export interface FileStore {
  /** Keeps the content under the id, replacing what was there. @returns its bytes */
  put(id: string, content: AsyncIterable<string | Uint8Array>): Promise<number>;
  /** The content, from its start each time it is iterated. */
  get(id: string): AsyncIterable<Uint8Array>;
  remove(id: string): Promise<void>;
}

/** Bytes in our own database. */
export function databaseStore(db: Db): FileStore {
  return {
    put: (id, content) => storePieces(db, id, content),
    get: (id) => readPieces(db, id),
    remove: (id) => deletePieces(db, id),
  };
}

export interface NewFile {
  /** The job that made it; it is forgotten with the job. */
  jobId: string;
  login: string;
  /** File name for saving. */
  name: string;
  /** Media type. */
  type: string;
}

export interface Files {
  /** Keeps a file of a job; a file of the same name that an earlier try made is replaced. */
  write(what: NewFile, content: AsyncIterable<string | Uint8Array>): Promise<JobFile>;
  ofJob(jobId: string): Promise<JobFile[]>;
  /** A file of a job with its content; null when there is none. */
  open(jobId: string, id: string): Promise<{ file: JobFile; content: AsyncIterable<Uint8Array> } | null>;
  /** Removes every file of these jobs. */
  forget(jobIds: readonly string[]): Promise<void>;
}

const TRAVELS = { id: files.id, name: files.name, type: files.type, bytes: files.bytes };

export function createFiles(db: Db, store: FileStore): Files {
  async function remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const id of ids) await store.remove(id);
    // The record goes last: what is left of an interrupted removal is found again.
    await db.delete(files).where(inArray(files.id, [...ids]));
  }

  return {
    async write(what, content) {
      const id = randomUUID();
      const bytes = await store.put(id, content).catch(async (error: unknown) => {
        // What is left behind for want of a database, or by a process that died, is found by its missing record.
        await store.remove(id).catch(() => undefined);
        throw error;
      });
      const earlier = await db
        .select({ id: files.id })
        .from(files)
        .where(and(eq(files.jobId, what.jobId), eq(files.name, what.name)));
      await db.insert(files).values({ id, ...what, bytes });
      await remove(earlier.map((one) => one.id));
      return { id, name: what.name, type: what.type, bytes };
    },
    ofJob: (jobId) =>
      db.select(TRAVELS).from(files).where(eq(files.jobId, jobId)).orderBy(asc(files.createdAt)),
    async open(jobId, id) {
      const [file] = await db
        .select(TRAVELS)
        .from(files)
        .where(and(eq(files.id, id), eq(files.jobId, jobId)));
      return file ? { file, content: store.get(id) } : null;
    },
    async forget(jobIds) {
      if (jobIds.length === 0) return;
      const rows = await db
        .select({ id: files.id })
        .from(files)
        .where(inArray(files.jobId, [...jobIds]));
      await remove(rows.map((one) => one.id));
    },
  };
}
