/** The bytes of an upload, laid down beside their check: of a file that is refused they become a draft. */
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

  /** Begins one in the data folder, where what a killed process leaves is cleared away at the start. */
  static async begin(dataFolder: string, bytes: AsyncIterable<Uint8Array>): Promise<UploadCopy> {
    const folder = join(dataFolder, 'uploads');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${randomUUID()}.csv`);
    return new UploadCopy(bytes[Symbol.asyncIterator](), path, await open(path, 'wx', 0o600));
  }

  /** The bytes as they come, each kept before it is given on. Anyone who stops early leaves the rest to `whole`. */
  async *bytes(): AsyncGenerator<Uint8Array, void, void> {
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) {
      // One piece is written while the next one is checked.
      await this.#written;
      this.#written = this.#file.writeFile(next.value);
      // It shows with the next piece.
      this.#written.catch(() => {});
      yield next.value;
    }
    await this.#written;
  }

  /** Takes what has not come yet. @returns all bytes, from their start each time */
  async whole(): Promise<AsyncIterable<Uint8Array>> {
    for await (const _ of this.bytes());
    return { [Symbol.asyncIterator]: () => createReadStream(this.#path)[Symbol.asyncIterator]() };
  }

  /** Removes it. */
  async end(): Promise<void> {
    await this.#written.catch(() => {});
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}
