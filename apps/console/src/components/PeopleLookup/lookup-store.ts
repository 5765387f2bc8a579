/**
 * Who is behind the ids and logins that an admin has entered: asked of the server in batches as they appear, kept for
 * as long as the tool is open, and no longer asked for when no one wants them any more (OP-45, OP-50, OP-55, OP-57).
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

/** What is known of a person; who is not known yet is on the way. */
export type LookupResult =
  | { result: 'found'; person: LookedUpPerson }
  /** No one, or someone who is there and cannot be enrolled by the address (OP-45). */
  | {
      result: 'not-found';
      why?: WhyThere;
      person?: LookedUpPerson | null;
      /** Who had the SIS ID and is deleted, where someone is to be created. */
      deleted?: LookedUpPerson;
    }
  /** The lookup failed, which says nothing about the person. */
  | { result: 'failed' };

/** By what a person is asked for. */
export type LookupBy = 'sis_id' | 'login' | 'email';
/** Everybody who is of interest. */
export type Wanted = Readonly<Partial<Record<LookupBy, readonly string[]>>>;

/** Asks the server; yields a line for each person as the lookup ends. */
export type Ask = (request: PeopleRequest, signal: AbortSignal) => AsyncIterable<PeopleLine>;

const ask: Ask = (request, signal) => postLines(ENDPOINTS.peopleLookup, request, peopleLine, { signal });
/** The same for people who are to be created: also whether a deleted person had the SIS ID. */
export const askNewPeople: Ask = (request, signal) => ask({ ...request, creating: true }, signal);

/** Milliseconds after the last change until someone new is asked for: half a typed id is no one's. */
const PAUSE_MS = 400;
/** Milliseconds for which answers are gathered before they are shown: 400 of them are no 400 renders. */
const GATHER_MS = 100;
const BATCH = 500;
/** Batches at once: who was typed just now does not wait for the end of a long list. */
const MOST_BATCHES = 2;

interface Batch {
  keys: ReadonlySet<string>;
  controller: AbortController;
}

const keyOf = (by: LookupBy, text: string) => `${by} ${text}`;

/** Looks people up as they are typed. One for each tool that needs it. */
export class LookupStore {
  readonly #ask: Ask;
  readonly #known = new Map<string, LookupResult>();
  readonly #watchers = new Set<() => void>();
  readonly #running = new Set<Batch>();
  #wanted: ReadonlySet<string> = new Set();
  /** Those that came with the last change: someone is waiting for them. */
  #fresh: readonly string[] = [];
  #pause: ReturnType<typeof setTimeout> | undefined;
  #gather: ReturnType<typeof setTimeout> | undefined;
  #version = 0;
  #failure: ApiError | null = null;

  constructor(asking: Ask = ask) {
    this.#ask = asking;
  }

  /** Who is of interest from now on; what no one wants any more is not asked to its end. */
  want({ sis_id = [], login = [], email = [] }: Wanted): void {
    const wanted = new Set([
      ...sis_id.map((id) => keyOf('sis_id', id)),
      ...login.map((one) => keyOf('login', one)),
      ...email.map((one) => keyOf('email', one)),
    ]);
    const fresh = [...wanted].filter((key) => !this.#wanted.has(key));
    // The same as before: what was entered last keeps its pause.
    if (fresh.length === 0 && wanted.size === this.#wanted.size) return;
    if (fresh.length > 0) this.#fresh = fresh;
    this.#wanted = wanted;
    for (const batch of this.#running) {
      if (![...batch.keys].some((key) => this.#isOpen(key))) this.#stop(batch);
    }
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#next(), PAUSE_MS);
  }

  /** Ends all work; who was not found is asked for again next time, since the account may have been made meanwhile. */
  rest(): void {
    this.#wanted = new Set();
    clearTimeout(this.#pause);
    for (const batch of this.#running) this.#stop(batch);
    for (const [key, { result }] of this.#known) if (result !== 'found') this.#known.delete(key);
  }

  /** Asks again for everybody whose lookup failed. */
  again(): void {
    for (const [key, { result }] of this.#known) if (result === 'failed') this.#known.delete(key);
    this.#changed();
    clearTimeout(this.#pause);
    this.#next();
  }

  /** Why the last lookup ended before everybody was asked for, in words for people; null where it did not. */
  get failure(): ApiError | null {
    return this.#failure;
  }

  /** What is known of a person; undefined while it is on its way. */
  get(by: LookupBy, text: string): LookupResult | undefined {
    return this.#known.get(keyOf(by, text));
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  };

  /** Changes with everything that has become known. */
  readonly version = (): number => this.#version;

  #isOpen(key: string): boolean {
    return this.#wanted.has(key) && !this.#known.has(key);
  }

  #stop(batch: Batch): void {
    batch.controller.abort();
    this.#running.delete(batch);
  }

  #next(): void {
    if (this.#running.size === MOST_BATCHES) return;
    const asked = [...this.#running].map((batch) => batch.keys);
    const keys = new Set<string>();
    // Long lists go one batch after the other.
    for (const some of this.#running.size === 0 ? [this.#fresh, this.#wanted] : [this.#fresh]) {
      for (const key of some) {
        if (keys.size === BATCH) break;
        if (this.#isOpen(key) && !asked.some((batch) => batch.has(key))) keys.add(key);
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
      // Anyone who has no answer counts as failed below, with a way to ask again.
      if (!signal.aborted) this.#failure = error instanceof ApiError ? error : null;
    }
    if (signal.aborted) return;
    for (const key of keys) if (!this.#known.has(key)) this.#learn(key, { result: 'failed' });
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

function resultOf({ result, person, why, deleted }: Extract<PeopleLine, { asked: string }>): LookupResult {
  if (result === 'found') return person === null ? { result: 'failed' } : { result, person };
  if (result === 'not-found' && deleted !== undefined) return { result, deleted };
  return result === 'not-found' && why !== undefined ? { result, why, person } : { result };
}
