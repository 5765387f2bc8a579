/** A copy of an upload's bytes, stored during the check: the copy of a refused file becomes a draft. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

export class UploadCopy {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #path: string;
  readonly #file: FileHandle;
  #written: Promise<void> = Promise.resolve();

  private constructor(source: AsyncIterator<Uint8Array>, path: string, file: FileHandle) {
    this.#source = source;
    this.#path = path;
    this.#file = file;
  }

  /** Begins a copy in the data folder, which is cleared of leftovers of killed processes at the start. */
  static async begin(dataFolder: string, bytes: AsyncIterable<Uint8Array>): Promise<UploadCopy> {
    const folder = join(dataFolder, 'uploads');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${randomUUID()}.csv`);
    return new UploadCopy(bytes[Symbol.asyncIterator](), path, await open(path, 'wx', 0o600));
  }

  /** Yields the bytes as they arrive, each stored first. A caller who stops early leaves the rest to `whole`. */
  async *bytes(): AsyncGenerator<Uint8Array, void, void> {
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) {
      // Writing one piece overlaps with checking the next.
      await this.#written;
      this.#written = this.#file.writeFile(next.value);
      // The failure surfaces with the next piece.
      this.#written.catch(() => {});
      yield next.value;
    }
    await this.#written;
  }

  /** Reads the bytes that have not arrived yet. @returns all bytes, from their start each time */
  async whole(): Promise<AsyncIterable<Uint8Array>> {
    for await (const _ of this.bytes());
    return { [Symbol.asyncIterator]: () => createReadStream(this.#path)[Symbol.asyncIterator]() };
  }

  /** Removes the copy. */
  async end(): Promise<void> {
    await this.#written.catch(() => {});
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}
