/**
 * Which LMS answers: its address, and the number that its root account was given when it was made. A practice LMS counts
 * from 1 again after a reset, and another LMS may stand at the same address: a number of the LMS means something only
 * together with this.
 */
import { rootUuid } from './resources/accounts.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from './types.ts';

export interface LmsIdentity {
  /**
   * Which LMS answers now; asked at most every few seconds unless `fresh`.
   * @throws CanvasError when the LMS cannot be asked
   */
  now(token: CanvasToken, options?: { fresh?: boolean }): Promise<string>;
  /** The same; where the LMS cannot be asked, the one that answered last. */
  lastSeen(token: CanvasToken): Promise<string>;
  /** The one that answered last; empty before the first answer. */
  known(): string;
  /**
   * Asks now and then, so that what is shown beside records stays true when nothing else asks.
   * @returns ends it
   */
  watch(token: CanvasToken, everyMs: number): () => void;
  /** Calls back when another LMS answers than before: what is remembered of the former one is to be forgotten. */
  onChange(listener: () => void): void;
}

/** Milliseconds that an answer counts: a practice LMS is reset by hand, at any time. */
const KEPT_MS = 2_000;
/** Stands between the address and the number; none of them holds it. */
const SEPARATOR = ' ';

export function createLmsIdentity(canvas: CanvasClient, url: string): LmsIdentity {
  const listeners: (() => void)[] = [];
  let last = '';
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<string> | null = null;

  async function ask(token: CanvasToken): Promise<string> {
    const started = performance.now();
    const uuid = await uuidOf(canvas, token);
    const lms = uuid === null ? url : `${url}${SEPARATOR}${uuid}`;
    askedAt = started;
    const changed = !sameLms(lms, last);
    // An admin who may not read the root account must not make us forget what another one could.
    if (uuid !== null || changed || last === '') last = lms;
    if (changed) for (const listener of listeners) listener();
    return last;
  }

  async function now(token: CanvasToken, { fresh = false }: { fresh?: boolean } = {}): Promise<string> {
    if (!fresh && last !== '' && performance.now() - askedAt < KEPT_MS) return last;
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
    // Not everybody may read the root account: then its address has to do.
    if (error instanceof CanvasError && ['refused', 'not-found', 'rejected'].includes(error.kind))
      return null;
    throw error;
  }
}

/** Whether two may be the same LMS, as far as both are known. */
export function sameLms(one: string, other: string): boolean {
  if (one === '' || other === '') return true;
  const [address, uuid] = one.split(SEPARATOR);
  const [otherAddress, otherUuid] = other.split(SEPARATOR);
  return address === otherAddress && (uuid === undefined || otherUuid === undefined || uuid === otherUuid);
}
