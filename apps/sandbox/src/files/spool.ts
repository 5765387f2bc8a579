import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { type FileHandle, open, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes that were kept: small ones in memory, large ones in a file. */
export interface Kept {
  /** Finds them again. */
  key: string;
  size: number;
  open: () => AsyncIterable<Buffer>;
  /** Random access, for zip archives. */
  source: Buffer | FileHandle;
}

/** More than this goes to disk, so that a dozen uploads of 100 MB do not fill the memory. */
const IN_MEMORY = 1024 * 1024;
/** An upload larger than this is refused; Canvas names no limit of its own. */
export const LARGEST_UPLOAD = 2 * 1024 ** 3;

export class TooLarge extends Error {}

/** Where the bytes of uploads and of files made from them are kept until the campus is reset. */
export class Spool {
  readonly #folder: string | null;
  readonly #kept = new Map<string, Kept>();
  readonly #files = new Set<FileHandle>();

  /** @param folder where bytes outlast the process; null: nowhere */
  constructor(folder: string | null) {
    this.#folder = folder;
    if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Keeps a stream of bytes. @throws TooLarge */
  async keep(bytes: AsyncIterable<Buffer>): Promise<Kept> {
    const key = randomUUID();
    const parts: Buffer[] = [];
    let size = 0;
    let file: FileHandle | undefined;
    try {
      for await (const chunk of bytes) {
        size += chunk.length;
        if (size > LARGEST_UPLOAD) throw new TooLarge();
        parts.push(chunk);
        if (!file && size <= IN_MEMORY) continue;
        file ??= await this.#newFile(key);
        await file.writeFile(Buffer.concat(parts));
        parts.length = 0;
      }
    } catch (error) {
      if (file) await this.#close(file);
      await this.#remove(key);
      throw error;
    }
    if (file) return this.#remember(inFile(key, size, file));
    const buffer = Buffer.concat(parts);
    // A disk that is full takes nothing away while the process lives; the memory of the campus says so.
    if (this.#folder !== null) await writeFile(this.#path(key), buffer, { mode: 0o600 }).catch(() => {});
    return this.#remember(inMemory(key, buffer));
  }

  /** Keeps bytes of our own making. */
  keepBuffer(bytes: Buffer): Promise<Kept> {
    return this.keep(chunksOf(bytes));
  }

  /** What was kept under the key, also by a process before this one. Null: it is gone. */
  async find(key: string): Promise<Kept | null> {
    const known = this.#kept.get(key);
    if (known || this.#folder === null) return known ?? null;
    try {
      const { size } = await stat(this.#path(key));
      if (size <= IN_MEMORY) return this.#remember(inMemory(key, await readFile(this.#path(key))));
      const file = await open(this.#path(key), 'r');
      this.#files.add(file);
      return this.#remember(inFile(key, size, file));
    } catch {
      return null;
    }
  }

  /** Gives up what is under the key. */
  async drop(key: string): Promise<void> {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    if (kept && !Buffer.isBuffer(kept.source)) await this.#close(kept.source);
    await this.#remove(key);
  }

  /** Gives up everything but these. */
  async clear(except: ReadonlySet<string> = new Set()): Promise<void> {
    const named = this.#folder === null ? [] : readdirSync(this.#folder);
    const keys = new Set([...this.#kept.keys(), ...named].filter((key) => !except.has(key)));
    await Promise.all([...keys].map((key) => this.drop(key)));
  }

  /** Lets go of the files, which stay where they are. */
  async close(): Promise<void> {
    await Promise.all([...this.#files].map((file) => this.#close(file)));
  }

  #remember(kept: Kept): Kept {
    this.#kept.set(kept.key, kept);
    return kept;
  }

  #path(key: string): string {
    return join(this.#folder ?? tmpdir(), key);
  }

  /** Without a folder it has no name: it is gone when the process ends, however it ends. */
  async #newFile(key: string): Promise<FileHandle> {
    const path = this.#path(key);
    const file = await open(path, 'wx+', 0o600);
    this.#files.add(file);
    if (this.#folder === null) await unlink(path);
    return file;
  }

  async #close(file: FileHandle): Promise<void> {
    this.#files.delete(file);
    await file.close();
  }

  async #remove(key: string): Promise<void> {
    if (this.#folder !== null) await unlink(this.#path(key)).catch(() => {});
  }
}

function inMemory(key: string, bytes: Buffer): Kept {
  return { key, size: bytes.length, open: () => chunksOf(bytes), source: bytes };
}

function inFile(key: string, size: number, file: FileHandle): Kept {
  return { key, size, open: () => readAll(file, size), source: file };
}

const CHUNK = 64 * 1024;

/** A buffer in pieces small enough to be worked on without holding up other requests. */
export async function* chunksOf(buffer: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < buffer.length; at += CHUNK) yield buffer.subarray(at, at + CHUNK);
}

async function* readAll(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += CHUNK) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
