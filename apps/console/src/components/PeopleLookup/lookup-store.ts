/**
 * Who stands behind the ids that an admin has entered: asked of the server in batches as ids appear, kept for as long as
 * the tool is open, and no longer asked for when nobody wants them any more.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  type LookedUpPerson,
  type PeopleLine,
  type PeopleRequest,
  peopleLine,
} from '@lms-admin/contract/people';
import { postLines } from '../../api/client.ts';

/** What is known of an id; one that is not known is on its way. */
export type Looked =
  | { result: 'found'; person: LookedUpPerson }
  | { result: 'not-found' }
  /** The lookup failed, which says nothing about the person. */
  | { result: 'failed' };

/** Asks the server; yields a line for each id as its lookup ends. */
export type Ask = (request: PeopleRequest, signal: AbortSignal) => AsyncIterable<PeopleLine>;

const ask: Ask = (request, signal) => postLines(ENDPOINTS.peopleLookup, request, peopleLine, { signal });

/** Milliseconds after the last change until new ids are asked for: half a typed id is nobody's. */
const PAUSE_MS = 500;
/** Milliseconds between two draws while answers come in. */
const DRAW_MS = 100;
const BATCH = 500;

/** Looks people up by SIS id. One for each tool that needs it. */
export class LookupStore {
  readonly #ask: Ask;
  readonly #known = new Map<string, Looked>();
  readonly #watchers = new Set<() => void>();
  #wanted: ReadonlySet<string> = new Set();
  /** Those that came with the last change: somebody is looking at them. */
  #fresh: readonly string[] = [];
  #running: { ids: readonly string[]; controller: AbortController } | null = null;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #draw: ReturnType<typeof setTimeout> | undefined;
  #version = 0;

  constructor(asking: Ask = ask) {
    this.#ask = asking;
  }

  /** The ids that are of interest from now on; what nobody wants any more is not asked to its end. */
  want(ids: ReadonlySet<string>): void {
    const fresh = [...ids].filter((id) => !this.#wanted.has(id));
    if (fresh.length > 0) this.#fresh = fresh;
    this.#wanted = ids;
    if (this.#running && !this.#running.ids.some((id) => this.#isOpen(id))) this.#stop();
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#next(), PAUSE_MS);
  }

  /** Ends all work; what was not found is asked anew next time, since somebody may have made the account meanwhile. */
  rest(): void {
    this.#wanted = new Set();
    clearTimeout(this.#pause);
    this.#stop();
    for (const [id, { result }] of this.#known) if (result !== 'found') this.#known.delete(id);
  }

  /** Asks once more about ids whose lookup failed. */
  again(ids: Iterable<string>): void {
    for (const id of ids) if (this.#known.get(id)?.result === 'failed') this.#known.delete(id);
    this.#changed();
    clearTimeout(this.#pause);
    this.#next();
  }

  /** What is known of an id; undefined while it is on its way. */
  get(id: string): Looked | undefined {
    return this.#known.get(id);
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  };

  /** Changes with everything that has become known. */
  readonly version = (): number => this.#version;

  #isOpen(id: string): boolean {
    return this.#wanted.has(id) && !this.#known.has(id);
  }

  #stop(): void {
    this.#running?.controller.abort();
    this.#running = null;
  }

  #next(): void {
    if (this.#running) return;
    const ids = new Set<string>();
    for (const some of [this.#fresh, this.#wanted]) {
      for (const id of some) {
        if (ids.size === BATCH) break;
        if (this.#isOpen(id)) ids.add(id);
      }
    }
    if (ids.size > 0) void this.#run([...ids]);
  }

  async #run(ids: readonly string[]): Promise<void> {
    const controller = new AbortController();
    const running = { ids, controller };
    this.#running = running;
    try {
      for await (const line of this.#ask({ sis_ids: [...ids] }, controller.signal)) {
        if (controller.signal.aborted) return;
        if ('asked' in line) this.#learn(line.asked, lookedOf(line.result, line.person));
      }
    } catch {
      // What has no answer is told as failed below, with a way to ask again.
    }
    if (controller.signal.aborted) return;
    const unanswered = ids.filter((id) => !this.#known.has(id));
    for (const id of unanswered) this.#learn(id, { result: 'failed' });
    this.#running = null;
    this.#next();
  }

  #learn(id: string, looked: Looked): void {
    this.#known.set(id, looked);
    this.#draw ??= setTimeout(() => this.#changed(), DRAW_MS);
  }

  #changed(): void {
    clearTimeout(this.#draw);
    this.#draw = undefined;
    this.#version++;
    for (const watcher of this.#watchers) watcher();
  }
}

function lookedOf(result: Looked['result'], person: LookedUpPerson | null): Looked {
  if (result === 'found') return person === null ? { result: 'failed' } : { result, person };
  return { result };
}
