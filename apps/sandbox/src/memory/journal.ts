/**
 * The file that saves a sandbox's state. Its first line identifies it. Each further line holds all changes
 * made together, so that an incomplete line does not damage earlier ones.
 */

import {
  appendFile,
  closeSync,
  copyFileSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

const appendAll = promisify(appendFile);

const CHUNK = 4 * 1024 * 1024;
const NEWLINE = 10;
/** How much text is collected before each write when the whole file is rewritten. */
const WRITTEN_AT_ONCE = 1024 * 1024;

export class Journal {
  readonly #path: string;
  #file: number | null = null;
  #appending: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Reads the file line by line. Cuts off anything after the last complete line, so that the next line can be
   * appended; if more than one incomplete line is cut off, keeps a copy of the file.
   * @param take receives each line's value; undefined if the file does not exist
   * @returns the location of the copy, if one was made
   */
  read(take: (line: unknown) => void): string | null {
    let file: number;
    try {
      file = openSync(this.#path, 'r+');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    try {
      let good = 0;
      let torn = false;
      let damaged = false;
      for (const line of linesOf(file)) {
        const value = torn ? undefined : parsed(line);
        if (torn) damaged = true;
        else if (value === undefined) torn = true;
        else {
          take(value);
          good += line.length;
        }
      }
      const aside = damaged ? `${this.#path}.damaged` : null;
      if (aside !== null) copyFileSync(this.#path, aside);
      if (torn) ftruncateSync(file, good);
      return aside;
    } finally {
      closeSync(file);
    }
  }

  /** Appends a line after all earlier ones. */
  async append(text: string): Promise<void> {
    // Opened immediately: later, the name might refer to another sandbox's file.
    this.#file ??= openSync(this.#path, 'a', 0o600);
    this.#appending = appendAll(this.#file, `${text}\n`);
    await this.#appending;
  }

  /** Rewrites the file; the old file stays until the last byte of the new one is on disk. */
  rewrite(lines: Iterable<string>): void {
    const path = `${this.#path}.new`;
    const file = openSync(path, 'w', 0o600);
    try {
      let text = '';
      for (const line of lines) {
        text += `${line}\n`;
        if (text.length < WRITTEN_AT_ONCE) continue;
        writeAll(file, text);
        text = '';
      }
      writeAll(file, text);
      fsyncSync(file);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
    renameSync(path, this.#path);
    void this.#letGo();
  }

  async close(): Promise<void> {
    if (this.#file !== null) fsyncSync(this.#file);
    await this.#letGo();
  }

  /** Closes the file once all pending writes are done. */
  async #letGo(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await this.#appending.catch(() => {});
    if (file !== null) closeSync(file);
  }
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Reads the lines with their line endings; the last line can be without one. */
function* linesOf(file: number): Generator<Buffer> {
  let parts: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const size = readSync(file, chunk, 0, CHUNK, null);
    if (size === 0) break;
    let from = 0;
    for (;;) {
      const end = chunk.subarray(0, size).indexOf(NEWLINE, from);
      if (end < 0) break;
      parts.push(chunk.subarray(from, end + 1));
      yield parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      parts = [];
      from = end + 1;
    }
    if (from < size) parts.push(chunk.subarray(from, size));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

/** Parses a line, or returns undefined if it is incomplete. */
function parsed(line: Buffer): unknown {
  if (line.at(-1) !== NEWLINE) return undefined;
  try {
    return JSON.parse(line.toString()) as unknown;
  } catch {
    return undefined;
  }
}
