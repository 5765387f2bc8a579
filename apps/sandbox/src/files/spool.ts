import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { type FileHandle, open, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Stored bytes: small ones in memory, large ones in a file. */
export interface Kept {
  /** Identifies the bytes. */
  key: string;
  size: number;
  open: () => AsyncIterable<Buffer>;
  /** A source with random access, for zip archives. */
  source: Buffer | FileHandle;
}

/** Larger contents go to disk, so that a dozen uploads of 100 MB do not fill the memory. */
const IN_MEMORY = 1024 * 1024;
/** Larger uploads are rejected; Canvas does not publish a limit. */
export const LARGEST_UPLOAD = 2 * 1024 ** 3;

export class TooLarge extends Error {}

/** Storage for the bytes of uploads and generated files, until the sandbox is reset. */
export class Spool {
  readonly #folder: string | null;
  readonly #kept = new Map<string, Kept>();
  readonly #files = new Set<FileHandle>();

  /** @param folder for bytes that outlast the process; null for none */
  constructor(folder: string | null) {
    this.#folder = folder;
    if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Stores a stream of bytes. @throws TooLarge */
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
    // If the disk is full, nothing is lost while the process runs; the saved state reports it.
    if (this.#folder !== null) await writeFile(this.#path(key), buffer, { mode: 0o600 }).catch(() => {});
    return this.#remember(inMemory(key, buffer));
  }

  /** Stores bytes that the sandbox has generated. */
  keepBuffer(bytes: Buffer): Promise<Kept> {
    return this.keep(chunksOf(bytes));
  }

  /** Finds the bytes under the key, even from an earlier process. Returns null if they were deleted. */
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

  /** Deletes the bytes under the key. */
  async drop(key: string): Promise<void> {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    if (kept && !Buffer.isBuffer(kept.source)) await this.#close(kept.source);
    await this.#remove(key);
  }

  /** Deletes everything except these keys. */
  async clear(except: ReadonlySet<string> = new Set()): Promise<void> {
    const named = this.#folder === null ? [] : readdirSync(this.#folder);
    const keys = new Set([...this.#kept.keys(), ...named].filter((key) => !except.has(key)));
    await Promise.all([...keys].map((key) => this.drop(key)));
  }

  /** Closes the files, which stay on disk. */
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

  /**
   * Creates a file. Without a folder the file has no name, so it disappears when the process ends in any way.
   */
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

/** Splits a buffer into chunks that are small enough not to hold up other requests. */
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
