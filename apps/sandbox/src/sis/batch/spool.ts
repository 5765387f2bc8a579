import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileObject } from '../../store/model.ts';
import type { World } from '../../store/world.ts';
import { chunksOf } from '../csv/reader.ts';

/** Bytes that were kept: small ones in memory, large ones in a nameless file. */
export interface Kept {
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

/** Where the bytes of uploads and of files made from them are kept until the world is reset. */
export class Spool {
  readonly #files = new Set<FileHandle>();

  /** Keeps a stream of bytes. @throws TooLarge */
  async keep(bytes: AsyncIterable<Buffer>): Promise<Kept> {
    const parts: Buffer[] = [];
    let size = 0;
    let file: FileHandle | undefined;
    try {
      for await (const chunk of bytes) {
        size += chunk.length;
        if (size > LARGEST_UPLOAD) throw new TooLarge();
        parts.push(chunk);
        if (!file && size <= IN_MEMORY) continue;
        file ??= await this.#newFile();
        await file.writeFile(Buffer.concat(parts));
        parts.length = 0;
      }
    } catch (error) {
      if (file) await this.#drop(file);
      throw error;
    }
    if (file) return { size, open: () => readAll(file, size), source: file };
    const buffer = Buffer.concat(parts);
    return { size, open: () => chunksOf(buffer), source: buffer };
  }

  /** Keeps bytes of our own making. */
  keepBuffer(bytes: Buffer): Promise<Kept> {
    return this.keep(chunksOf(bytes));
  }

  /** Gives everything up. */
  async clear(): Promise<void> {
    await Promise.all([...this.#files].map((file) => this.#drop(file)));
  }

  async #newFile(): Promise<FileHandle> {
    const file = await namelessFile();
    this.#files.add(file);
    return file;
  }

  async #drop(file: FileHandle): Promise<void> {
    this.#files.delete(file);
    await file.close();
  }
}

/** A file without a name: it is gone when the process ends, however it ends. */
async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `sandbox-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

const CHUNK = 64 * 1024;

async function* readAll(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += CHUNK) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

const CONTENT_TYPES: Record<string, string> = { csv: 'text/csv', zip: 'application/zip', xml: 'text/xml' };

/** The part of a file name behind its last dot, lower-cased. */
export function extensionOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Puts a file where `csv_attachments`, `errors_attachment` and the download find it (§7.2). */
export function storeFile(
  world: World,
  name: string,
  bytes: { size: number; open: FileObject['open'] },
  userId: number | null,
): FileObject {
  const base = name.split(/[\\/]/).at(-1) ?? name;
  return world.files.add({
    uuid: randomUUID().replaceAll('-', ''),
    folder_id: null,
    display_name: base,
    filename: base,
    content_type: CONTENT_TYPES[extensionOf(base)] ?? 'application/octet-stream',
    size: bytes.size,
    open: bytes.open,
    user_id: userId,
  });
}
