/** One page of the timetable: read again when old; a failure keeps the last good one (reference timetable.md §6). */
import { NotAFeed, type Reservation, readFeed } from '@lms-admin/domain/timetable-feed';
import type { Logger } from 'pino';
import type { OutboundAnswer } from '../outbound/answer.ts';
import { OutsideError } from '../outbound/errors.ts';
import type { Outbound } from '../outbound/types.ts';
import type { OutsideErrorKind } from '../platform/outside.ts';
import { feedAddress, type TimetableFeed } from '../platform/timetable-settings.ts';

/** Name in texts. */
export const THE_TIMETABLE = 'the timetable';

/** The caching time that feeds themselves declare. */
const FRESH_MS = 20 * 60_000;
/** After a failure the retry is sooner, but shared by all callers. */
const RETRY_MS = 60_000;
const DAY = 24 * 60 * 60_000;
/** Days before and after today that are read. */
const WINDOW = { before: 7, after: 100 };

export interface FeedState {
  /** Address of the page without its query, which may contain secrets. */
  readonly feed: string;
  /** Number of known reservations. */
  readonly count: number;
  /** Time of the last successful reading; null before the first. */
  readonly readAt: Date | null;
  /** Why the last reading failed; null if it did not. */
  readonly failure: OutsideError | null;
  /** Whether the page had fewer rows than it declared. */
  readonly cut: boolean;
}

export class Feed {
  readonly #settings: TimetableFeed;
  readonly #outbound: Outbound;
  readonly #now: () => number;
  readonly #log: Logger;
  #reservations: readonly Reservation[] = [];
  #readAt: number | null = null;
  #requestedAt: number | null = null;
  #failure: OutsideError | null = null;
  #cut = false;
  #cameEmpty = false;
  /** Headers for the next conditional request, and its address: the window moves each day. */
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

  /**
   * Returns the known reservations, read again if they are old. Never throws: a failed reading keeps the last good
   * one.
   */
  async reservations(): Promise<readonly Reservation[]> {
    const age = this.#now() - (this.#requestedAt ?? Number.NEGATIVE_INFINITY);
    if (age >= (this.#failure ? RETRY_MS : FRESH_MS)) await this.refresh();
    return this.#reservations;
  }

  /** Reads the page now; concurrent callers share the reading. Never throws. */
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
        this.#requestedAt = this.#now();
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
      // An empty page may be a change in progress, so it is accepted only when it stays empty.
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
  // A redirect leads to a sign-in form.
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
