/**
 * The people whose IDs and logins an administrator has entered. They are looked up in batches as they are entered,
 * and kept while the tool is open; a lookup that is not needed is cancelled (OP-45, OP-50, OP-55, OP-57).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { WhyThere } from '@lms-admin/contract/enrollments';
import {
  type LookedUpPerson,
  type PeopleLine,
  type PeopleRequest,
  peopleLine,
} from '@lms-admin/contract/people';
import { postLines } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';

/** The result of a lookup; a person without one is still being looked up. */
export type LookupResult =
  | {
      result: 'found';
      person: LookedUpPerson;
      /** Set while the person is known only from the copy: the time of that copy. The LMS has not answered yet. */
      asOf?: number;
    }
  /** The person was not found, or was found but cannot be enrolled by this address (OP-45). */
  | {
      result: 'not-found';
      why?: WhyThere;
      person?: LookedUpPerson | null;
      /** The deleted person who had the SIS ID, when a person is to be created. */
      deleted?: LookedUpPerson;
    }
  /** The lookup failed, which says nothing about the person. */
  | { result: 'failed' };

/** The kind of text by which a person is looked up. */
export type LookupBy = 'sis_id' | 'login' | 'email';
/** All people to look up. */
export type Wanted = Readonly<Partial<Record<LookupBy, readonly string[]>>>;

/** Asks the server; yields a line for each person as the lookup ends. */
export type Ask = (request: PeopleRequest, signal: AbortSignal) => AsyncIterable<PeopleLine>;

const ask: Ask = (request, signal) => postLines(ENDPOINTS.peopleLookup, request, peopleLine, { signal });
/** Asks the server, and first yields people from the directory's copy. */
const askCopyFirst: Ask = (request, signal) => ask({ ...request, copied: true }, signal);
/** Asks about people to be created. The answer also says whether a deleted person had the SIS ID. */
export const askNewPeople: Ask = (request, signal) => askCopyFirst({ ...request, creating: true }, signal);

/** Milliseconds after the last change until new entries are looked up: half-typed IDs match no one. */
const PAUSE_MS = 400;
/** Milliseconds for which answers are collected before they are shown: 400 answers must not cause 400 renders. */
const GATHER_MS = 100;
const BATCH = 500;
/** Concurrent batches: an entry typed just now does not wait for the end of a long list. */
const MOST_BATCHES = 2;

interface Batch {
  keys: ReadonlySet<string>;
  controller: AbortController;
}

const keyOf = (by: LookupBy, text: string) => `${by} ${text}`;

/** Looks people up as they are typed. One store for each tool that needs it. */
export class LookupStore {
  readonly #ask: Ask;
  readonly #known = new Map<string, LookupResult>();
  readonly #watchers = new Set<() => void>();
  readonly #running = new Set<Batch>();
  #wanted: ReadonlySet<string> = new Set();
  /** Entries added with the last change: the administrator is waiting for these. */
  #fresh: readonly string[] = [];
  #pause: ReturnType<typeof setTimeout> | undefined;
  #gather: ReturnType<typeof setTimeout> | undefined;
  #version = 0;
  #failure: ApiError | null = null;

  constructor(asking: Ask = askCopyFirst) {
    this.#ask = asking;
  }

  /** Sets the people to look up; lookups of anyone else are cancelled. */
  want({ sis_id = [], login = [], email = [] }: Wanted): void {
    const wanted = new Set([
      ...sis_id.map((id) => keyOf('sis_id', id)),
      ...login.map((one) => keyOf('login', one)),
      ...email.map((one) => keyOf('email', one)),
    ]);
    const fresh = [...wanted].filter((key) => !this.#wanted.has(key));
    // Nothing was added or removed, so the pause for the latest entries continues.
    if (fresh.length === 0 && wanted.size === this.#wanted.size) return;
    if (fresh.length > 0) this.#fresh = fresh;
    this.#wanted = wanted;
    for (const batch of this.#running) {
      if (![...batch.keys].some((key) => this.#isOpen(key))) this.#stop(batch);
    }
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#next(), PAUSE_MS);
  }

  /** Ends all work; people not found are looked up again next time: their account may have been created. */
  rest(): void {
    this.#wanted = new Set();
    clearTimeout(this.#pause);
    for (const batch of this.#running) this.#stop(batch);
    for (const key of this.#known.keys())
      if (this.#known.get(key)?.result !== 'found' || !this.#isAnswered(key)) this.#known.delete(key);
  }

  /** Repeats every failed lookup. */
  retry(): void {
    for (const [key, { result }] of this.#known) if (result === 'failed') this.#known.delete(key);
    this.#changed();
    clearTimeout(this.#pause);
    this.#next();
  }

  /** Returns the reason why the last lookup ended early, as a message to show; null if it did not. */
  get failure(): ApiError | null {
    return this.#failure;
  }

  /** Returns the result for a person; undefined while the lookup is running. */
  get(by: LookupBy, text: string): LookupResult | undefined {
    return this.#known.get(keyOf(by, text));
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  };

  /** Changes with every new result. */
  readonly version = (): number => this.#version;

  #isOpen(key: string): boolean {
    return this.#wanted.has(key) && !this.#isAnswered(key);
  }

  /** Tells whether the LMS has answered about this person, or could not. */
  #isAnswered(key: string): boolean {
    const known = this.#known.get(key);
    return known !== undefined && !(known.result === 'found' && known.asOf !== undefined);
  }

  #stop(batch: Batch): void {
    batch.controller.abort();
    this.#running.delete(batch);
  }

  #next(): void {
    if (this.#running.size === MOST_BATCHES) return;
    const requested = [...this.#running].map((batch) => batch.keys);
    const keys = new Set<string>();
    // Long lists are looked up one batch after the other.
    for (const some of this.#running.size === 0 ? [this.#fresh, this.#wanted] : [this.#fresh]) {
      for (const key of some) {
        if (keys.size === BATCH) break;
        if (this.#isOpen(key) && !requested.some((batch) => batch.has(key))) keys.add(key);
      }
    }
    if (keys.size > 0) void this.#run(keys);
  }

  async #run(keys: ReadonlySet<string>): Promise<void> {
    const batch: Batch = { keys, controller: new AbortController() };
    this.#running.add(batch);
    const { signal } = batch.controller;
    try {
      const request = { sis_ids: of('sis_id', keys), logins: of('login', keys), emails: of('email', keys) };
      for await (const line of this.#ask(request, signal)) {
        if (signal.aborted) return;
        if ('asked' in line) this.#learn(keyOf(line.by, line.asked), resultOf(line));
      }
      if (!signal.aborted) this.#failure = null;
    } catch (error) {
      // People without an answer count as failed below, and can be looked up again.
      if (!signal.aborted) this.#failure = error instanceof ApiError ? error : null;
    }
    if (signal.aborted) return;
    for (const key of keys) if (!this.#isAnswered(key)) this.#learn(key, { result: 'failed' });
    this.#running.delete(batch);
    this.#next();
  }

  #learn(key: string, looked: LookupResult): void {
    this.#known.set(key, looked);
    this.#gather ??= setTimeout(() => this.#changed(), GATHER_MS);
  }

  #changed(): void {
    clearTimeout(this.#gather);
    this.#gather = undefined;
    this.#version++;
    for (const watcher of this.#watchers) watcher();
  }
}

function of(by: LookupBy, keys: Iterable<string>): string[] {
  const start = keyOf(by, '');
  return [...keys].flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
}

function resultOf(line: Extract<PeopleLine, { asked: string }>): LookupResult {
  const { result, person, why, deleted, as_of: asOf } = line;
  if (result === 'found' && person !== null)
    return asOf === undefined ? { result, person } : { result, person, asOf };
  if (result === 'found') return { result: 'failed' };
  if (result === 'not-found' && deleted !== undefined) return { result, deleted };
  return result === 'not-found' && why !== undefined ? { result, why, person } : { result };
}
