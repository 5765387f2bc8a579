/**
 * Files that jobs create and people download. The store behind the interface decides where the bytes are kept: by
 * default in our own database, so that several servers need no shared disk.
 */
import { randomUUID } from 'node:crypto';
import type { JobFile } from '@lms-admin/contract/jobs';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { files } from '../platform/schema.ts';
import { deletePieces, readPieces, storePieces } from './pieces.ts';

/** A store for bytes. */
export interface FileStore {
  /** Stores the content under the id, replacing existing content. @returns the number of bytes */
  put(id: string, content: AsyncIterable<string | Uint8Array>): Promise<number>;
  /** Returns the content, from the start for each iteration. */
  get(id: string): AsyncIterable<Uint8Array>;
  remove(id: string): Promise<void>;
}

/** Stores bytes in our own database. */
export function databaseStore(db: Db): FileStore {
  return {
    put: (id, content) => storePieces(db, id, content),
    get: (id) => readPieces(db, id),
    remove: (id) => deletePieces(db, id),
  };
}

export interface NewFile {
  /** The job that created the file; both are deleted together. */
  jobId: string;
  login: string;
  /** File name for the download. */
  name: string;
  /** Media type. */
  type: string;
}

export interface Files {
  /** Stores a file of a job, replacing a file of the same name from an earlier attempt. */
  write(what: NewFile, content: AsyncIterable<string | Uint8Array>): Promise<JobFile>;
  ofJob(jobId: string): Promise<JobFile[]>;
  /** Returns a file of a job with its content, or null. */
  open(jobId: string, id: string): Promise<{ file: JobFile; content: AsyncIterable<Uint8Array> } | null>;
  /** Deletes all files of these jobs. */
  forget(jobIds: readonly string[]): Promise<void>;
}

const TRAVELS = { id: files.id, name: files.name, type: files.type, bytes: files.bytes };

export function createFiles(db: Db, store: FileStore): Files {
  async function remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const id of ids) await store.remove(id);
    // The record is deleted last, so that an interrupted deletion can be completed.
    await db.delete(files).where(inArray(files.id, [...ids]));
  }

  return {
    async write(what, content) {
      const id = randomUUID();
      const bytes = await store.put(id, content).catch(async (error: unknown) => {
        // Content that a lost database connection or a killed process leaves behind is found later: it has no record.
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
