/**
 * The part of a sandbox's state that survives restarts: everything that differs from its seed. Changed
 * entries are appended to a journal a few times a second. When most of the journal is outdated, it is
 * rewritten.
 */

import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Journal } from './journal.ts';
import type { Kept, Key } from './kept.ts';
import { lockFolder } from './lock.ts';

/** Version of the journal's format; increased when older journals cannot be read. */
const FORMAT = 1;
/** Maximum milliseconds that a change waits to be written. */
const WAIT_MS = 250;
/** Number of waiting changes at which they are written immediately. */
const MANY = 5000;
/**
 * Number of outdated entries above which the journal is rewritten, if there are also more than four times as many as
 * current ones.
 */
const MOST_OUTDATED = 100_000;
/** Time between attempts when writing fails, in milliseconds. */
const RETRY_MS = 10_000;

export type MemoryOptions = {
  /** The folder for the saved state; created if missing. */
  folder: string;
  /** The seed's name; differences from one seed do not apply to another. */
  seed: string;
  /** Prints a line for the operator of the sandbox. */
  say: (line: string) => void;
};

/** Subfolder for the bytes of files. */
export const FILES = 'files';
const JOURNAL = 'campus.jsonl';
/** Tells the operator what it means that the state cannot be saved. */
export const FORGETFUL = 'It keeps running, but whatever is done from now on will be lost at the next start.';

type Head<I> = { format: number; seed: string; identity: I };
type Shelf = { kept: Kept; unwritten: Set<Key>; unseeded: Set<Key> };

/** This version cannot restore the journal's contents. */
class Unreadable extends Error {}

/** @template I the sandbox's identity, as JSON; part of the journal's first line */
export class Memory<I> {
  readonly folder: string;
  readonly #options: MemoryOptions;
  readonly #journal: Journal;
  readonly #shelves = new Map<string, Shelf>();
  #release: () => Promise<void> = async () => {};
  #identity: I | null = null;
  /** Changes that are not in the journal yet. */
  #unwritten = 0;
  /** Entries in the journal, each counted as often as it was written. */
  #written = 0;
  #recalling = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  /** Goes up whenever the journal is rewritten. */
  #generation = 0;
  #failing = false;
  #over = false;

  /** Locks the folder. @throws FolderInUse */
  static async open<I>(options: MemoryOptions): Promise<Memory<I>> {
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const memory = new Memory<I>(options);
    memory.#release = await lockFolder(options.folder, () => memory.#lose());
    return memory;
  }

  private constructor(options: MemoryOptions) {
    this.folder = options.folder;
    this.#options = options;
    this.#journal = new Journal(join(options.folder, JOURNAL));
  }

  /**
   * Restores the saved state into objects that contain only the seed, and tracks their changes from then on.
   * @param kept the objects by permanent names; those that others depend on come first
   * @param reseed restores the seed if the state turns out to be unreadable halfway through
   * @returns the sandbox's identity; null if nothing is saved
   */
  recall(kept: Record<string, Kept>, reseed: () => void): I | null {
    for (const [name, each] of Object.entries(kept)) {
      const shelf = { kept: each, unwritten: new Set<Key>(), unseeded: new Set<Key>() };
      this.#shelves.set(name, shelf);
      each.follow((key) => this.#note(shelf, key));
    }
    this.#recalling = true;
    try {
      const copy = this.#journal.read((line) => this.#take(line));
      if (copy !== null) this.#say(`Part of the saved data of the practice LMS was damaged: see ${copy}`);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#setAside();
      reseed();
    } finally {
      this.#recalling = false;
    }
    return this.#identity;
  }

  /** Deletes all saved state: the objects now contain a new sandbox's seed. */
  begin(identity: I): void {
    for (const { unseeded } of this.#shelves.values()) unseeded.clear();
    this.#identity = identity;
    this.#rewrite();
  }

  /** Resolves when everything done so far has been written. */
  settle(): Promise<void> {
    if (this.#unwritten === 0) return this.#writing;
    this.#next ??= this.#writing.then(() => {
      this.#next = null;
      this.#writing = this.#write();
      return this.#writing;
    });
    return this.#next;
  }

  /** Writes the rest and releases the folder. */
  async close(): Promise<void> {
    await this.settle();
    if (this.#failing) this.#rewrite();
    clearTimeout(this.#timer);
    this.#over = true;
    await this.#journal.close().catch(() => {});
    await this.#release().catch(() => {});
  }

  #say(line: string): void {
    this.#options.say(line);
  }

  #take(line: unknown): void {
    try {
      if (this.#identity === null) this.#identity = this.#identityIn(line as Head<I>);
      else
        for (const [name, piece] of line as [string, unknown][])
          (this.#shelves.get(name) as Shelf).kept.unpack(piece);
    } catch (error) {
      throw new Unreadable('not of this version', { cause: error });
    }
  }

  #identityIn(head: Head<I>): I {
    if (head.format !== FORMAT || head.seed !== this.#options.seed) throw new Unreadable('another version');
    return head.identity;
  }

  /** Moves unreadable state to another folder instead of deleting it, because someone may have worked with it. */
  #setAside(): void {
    const aside = join(this.folder, `before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
    mkdirSync(aside, { mode: 0o700 });
    for (const name of [JOURNAL, FILES])
      if (existsSync(join(this.folder, name))) renameSync(join(this.folder, name), join(aside, name));
    this.#identity = null;
    this.#say(
      `Another version saved this practice LMS, so it starts afresh; the earlier data is in ${aside}`,
    );
  }

  #note(shelf: Shelf, key: Key): void {
    if (this.#recalling) {
      this.#written++;
      shelf.unseeded.add(key);
      return;
    }
    if (shelf.unwritten.has(key)) return;
    shelf.unwritten.add(key);
    shelf.unseeded.add(key);
    this.#unwritten++;
    if (this.#unwritten === MANY) setImmediate(() => void this.settle());
    else if (this.#unwritten === 1 && !this.#failing) this.#settleIn(WAIT_MS);
  }

  #settleIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.settle(), ms);
  }

  /** Writes the changes, and never rejects: a sandbox that cannot write continues in memory. */
  async #write(): Promise<void> {
    if (this.#unwritten === 0 || this.#over || this.#failing) return;
    const live = this.#live();
    const outdated = this.#written - live;
    if (outdated > MOST_OUTDATED && outdated > 4 * live) {
      this.#rewrite();
      return;
    }
    const pieces: string[] = [];
    for (const [name, { kept, unwritten }] of this.#shelves) {
      if (unwritten.size === 0) continue;
      for (const piece of kept.pack(unwritten, false)) pieces.push(JSON.stringify([name, piece]));
      this.#written += unwritten.size;
      unwritten.clear();
    }
    this.#unwritten = 0;
    const generation = this.#generation;
    try {
      await this.#journal.append(`[${pieces.join(',')}]`);
    } catch (error) {
      // A reset deletes the sandbox's file.
      if (generation === this.#generation) this.#fail(error);
    }
  }

  /** Writes the whole state in one go, so that it is a snapshot of a single point in time. */
  #rewrite(): void {
    if (this.#over) return;
    try {
      this.#journal.rewrite(this.#lines());
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#generation++;
    for (const { unwritten } of this.#shelves.values()) unwritten.clear();
    this.#unwritten = 0;
    this.#written = this.#live();
    if (this.#failing) this.#say('The practice LMS can write again: changes are saved from now on.');
    this.#failing = false;
  }

  *#lines(): Iterable<string> {
    const head: Head<I | null> = { format: FORMAT, seed: this.#options.seed, identity: this.#identity };
    yield JSON.stringify(head);
    for (const [name, { kept, unseeded }] of this.#shelves)
      for (const piece of kept.pack(unseeded, true)) yield JSON.stringify([[name, piece]]);
  }

  /** Counts the entries that differ from the seed. */
  #live(): number {
    return [...this.#shelves.values()].reduce((sum, { unseeded }) => sum + unseeded.size, 0);
  }

  #fail(error: unknown): void {
    if (!this.#failing) {
      const why = error instanceof Error ? error.message : String(error);
      this.#say(`The practice LMS cannot write to ${this.folder}: ${why}. ${FORGETFUL}`);
    }
    this.#failing = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#rewrite(), RETRY_MS).unref();
  }

  #lose(): void {
    this.#over = true;
    this.#say(`Another practice LMS has taken the folder ${this.folder}. ${FORGETFUL}`);
  }
}
