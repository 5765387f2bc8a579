/** One page of the timetable: read again when it is old, and kept when a reading fails (reference timetable.md §6). */
import { NotAFeed, type Reservation, readFeed } from '@lms-admin/domain/timetable-feed';
import type { Logger } from 'pino';
import type { OutboundAnswer } from '../outbound/answer.ts';
import { OutsideError } from '../outbound/errors.ts';
import type { Outbound } from '../outbound/types.ts';
import type { OutsideErrorKind } from '../platform/outside.ts';
import { feedAddress, type TimetableFeed } from '../platform/timetable-settings.ts';

/** As texts name it. */
export const THE_TIMETABLE = 'the timetable';

/** What feeds themselves say they keep. */
const FRESH_MS = 20 * 60_000;
/** After a failure it is asked again sooner, but not by everybody who looks. */
const AGAIN_MS = 60_000;
const DAY = 24 * 60 * 60_000;
/** Days that are read, before today and after it. */
const WINDOW = { before: 7, after: 100 };

export interface FeedState {
  /** Without its query, which may hold what is not for everybody. */
  readonly feed: string;
  /** How many reservations are known. */
  readonly count: number;
  /** When what is known was true; null: nothing was read yet. */
  readonly readAt: Date | null;
  /** Why the last reading failed; null: it did not. */
  readonly failure: OutsideError | null;
  /** The page had fewer rows than it counted. */
  readonly cut: boolean;
}

export class Feed {
  readonly #settings: TimetableFeed;
  readonly #outbound: Outbound;
  readonly #now: () => number;
  readonly #log: Logger;
  #reservations: readonly Reservation[] = [];
  #readAt: number | null = null;
  #askedAt: number | null = null;
  #failure: OutsideError | null = null;
  #cut = false;
  #cameEmpty = false;
  /** What the last answer offered to ask by, and for which address: the window moves each day. */
  #known: { path: string; headers: Record<string, string> } | null = null;
  #reading: Promise<void> | null = null;

  constructor(settings: TimetableFeed, outbound: Outbound, now: () => number, log: Logger) {
    this.#settings = settings;
    this.#outbound = outbound;
    this.#now = now;
    this.#log = log;
  }

  get state(): FeedState {
    return {
      feed: this.#name,
      count: this.#reservations.length,
      readAt: this.#readAt === null ? null : new Date(this.#readAt),
      failure: this.#failure,
      cut: this.#cut,
    };
  }

  /** What is known, after a reading where that is old. Never throws: a failed reading keeps the last good one. */
  async reservations(): Promise<readonly Reservation[]> {
    const age = this.#now() - (this.#askedAt ?? Number.NEGATIVE_INFINITY);
    if (age >= (this.#failure ? AGAIN_MS : FRESH_MS)) await this.refresh();
    return this.#reservations;
  }

  /** Reads it now; all who ask meanwhile wait for the same reading. Never throws. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read()
      .then(
        () => {
          this.#failure = null;
          this.#readAt = this.#now();
        },
        (error: unknown) => {
          this.#failure = asFailure(error);
          this.#log.warn({ err: this.#failure, feed: this.#name }, 'the timetable was not read');
        },
      )
      .finally(() => {
        this.#askedAt = this.#now();
        this.#reading = null;
      });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const day = (offset: number) => new Date(this.#now() + offset * DAY).toISOString().slice(0, 10);
    const { pathname, search } = feedAddress(this.#settings.url, day(-WINDOW.before), day(WINDOW.after));
    const path = pathname + search;
    const headers = this.#known?.path === path ? this.#known.headers : {};
    const answer = await this.#outbound.request({ method: 'GET', path, headers });
    if (answer.status === 304 && this.#known?.path === path) {
      this.#cameEmpty = false;
      return;
    }
    if (answer.status !== 200) throw refusal(answer);
    const page = readFeed(answer.text, this.#settings);
    const emptied = page.reservations.length === 0 && this.#reservations.length > 0;
    if (emptied && !this.#cameEmpty) {
      // A page in the middle of a change: it is believed when it stays so.
      this.#cameEmpty = true;
      throw new NotAFeed('it is suddenly empty');
    }
    for (const remark of page.remarks)
      this.#log.warn({ feed: this.#name, remark }, 'a remark on the timetable');
    this.#cameEmpty = false;
    this.#cut = page.total !== null && page.total > page.rows;
    this.#reservations = page.reservations;
    this.#known = { path, headers: conditions(answer) };
  }

  get #name(): string {
    return this.#settings.url.replace(/\?.*$/s, '');
  }
}

function conditions(answer: OutboundAnswer): Record<string, string> {
  const etag = answer.header('etag');
  const modified = answer.header('last-modified');
  if (etag !== undefined) return { 'if-none-match': etag };
  return modified === undefined ? {} : { 'if-modified-since': modified };
}

function refusal({ status }: OutboundAnswer): OutsideError {
  const kinds: Record<number, OutsideErrorKind> = { 401: 'refused', 403: 'refused', 404: 'not-found' };
  // A page that sends elsewhere sends to a form to sign in.
  const other = status >= 500 ? 'down' : status >= 400 ? 'rejected' : 'odd';
  return new OutsideError(THE_TIMETABLE, kinds[status] ?? other, {
    status,
    sent: 'answered',
    detail: `status ${status}`,
  });
}

function asFailure(error: unknown): OutsideError {
  if (error instanceof OutsideError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new OutsideError(THE_TIMETABLE, 'odd', { sent: 'answered', detail, cause: error });
}
