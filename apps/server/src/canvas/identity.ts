/**
 * Identifies the LMS that answers, by its address and the UUID of its root account. A practice LMS counts from 1
 * again after a reset, and another LMS may be at the same address, so an id is only meaningful together with this
 * identity.
 */
import { rootUuid } from './resources/accounts.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from './types.ts';

export interface LmsIdentity {
  /**
   * Returns the current LMS, checked at most every few seconds unless `fresh`.
   * @throws CanvasError if the LMS does not answer
   */
  now(token: CanvasToken, options?: { fresh?: boolean }): Promise<string>;
  /** Returns the current LMS, or the last known one if the LMS does not answer. */
  lastSeen(token: CanvasToken): Promise<string>;
  /** Returns the LMS that answered last; empty before the first answer. */
  known(): string;
  /**
   * Checks at intervals, so that information shown with records stays correct without other calls.
   * @returns a function that stops it
   */
  watch(token: CanvasToken, everyMs: number): () => void;
  /** Registers a listener for a change of the LMS, which must clear everything cached from the former one. */
  onChange(listener: () => void): void;
}

/** Milliseconds for which an answer is valid, because a practice LMS can be reset at any time. */
const KEPT_MS = 2_000;
/** Separates address and UUID; neither contains it. */
const SEPARATOR = ' ';

export function createLmsIdentity(canvas: CanvasClient, url: string): LmsIdentity {
  const listeners: (() => void)[] = [];
  let last = '';
  let readAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<string> | null = null;

  async function ask(token: CanvasToken): Promise<string> {
    const started = performance.now();
    const uuid = await uuidOf(canvas, token);
    const lms = uuid === null ? url : `${url}${SEPARATOR}${uuid}`;
    readAt = started;
    const changed = !sameLms(lms, last);
    // An admin without access to the root account must not erase what another admin's read has shown.
    if (uuid !== null || changed || last === '') last = lms;
    if (changed) for (const listener of listeners) listener();
    return last;
  }

  async function now(token: CanvasToken, { fresh = false }: { fresh?: boolean } = {}): Promise<string> {
    if (!fresh && last !== '' && performance.now() - readAt < KEPT_MS) return last;
    if (fresh) return ask(token);
    asking ??= ask(token).finally(() => {
      asking = null;
    });
    return asking;
  }

  return {
    now,
    async lastSeen(token) {
      try {
        return await now(token);
      } catch (error) {
        if (!(error instanceof CanvasError)) throw error;
        return last;
      }
    },
    known: () => last,
    watch(token, everyMs) {
      const refresh = () => void now(token).catch(() => {});
      refresh();
      const timer = setInterval(refresh, everyMs);
      timer.unref();
      return () => clearInterval(timer);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

async function uuidOf(canvas: CanvasClient, token: CanvasToken): Promise<string | null> {
  try {
    return await rootUuid({ canvas, token });
  } catch (error) {
    // Not every admin can read the root account; without it, the address alone identifies the LMS.
    if (error instanceof CanvasError && ['refused', 'not-found', 'rejected'].includes(error.kind))
      return null;
    throw error;
  }
}

/** Returns whether two identities may be the same LMS, as far as both are known. */
export function sameLms(one: string, other: string): boolean {
  if (one === '' || other === '') return true;
  const [address, uuid] = one.split(SEPARATOR);
  const [otherAddress, otherUuid] = other.split(SEPARATOR);
  return address === otherAddress && (uuid === undefined || otherUuid === undefined || uuid === otherUuid);
}
