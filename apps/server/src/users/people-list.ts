/**
 * Many people read from the LMS's list of all people, if its pages are fewer than the lookups. A list with numbered
 * pages shifts during the reading, so each page overlaps the one before: as long as each page shares a person with
 * the previous one, no one who was in the list throughout can have been missed.
 */
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { LRUCache } from 'lru-cache';
import { isDefinite, type ListPage, type Reader } from '../canvas/resources/reading.ts';
import { type LmsUser, usersPage } from '../canvas/resources/users.ts';
import { CanvasError } from '../canvas/types.ts';

/** Pages requested ahead of the reader: those in flight, and as many that wait for an earlier page. */
const AHEAD = 24;
/** How long the length of the list, or the fact that it cannot be used, is remembered (milliseconds). */
const REMEMBERED_MS = 300_000;
/** Ratio of the number of overlapping pages to that of separate ones. */
const OVERLAPPING = 8 / 7;

/** What is known about the list's length for a token. */
interface Length {
  /** The list has more pages than this. */
  more: number;
  /** The list has at most this many pages. */
  atMost: number;
}

interface PageRead {
  page: ListPage;
  people: readonly LmsUser[];
  isLast: boolean;
}

/** Receives the people in the list. @returns false if their fields are not sufficient */
export type TakePeople = (people: readonly LmsUser[]) => boolean;

/** The list of all people, read if that is cheaper. One for each process. */
export class PeopleList {
  /** By token: the length does not depend on the fields that callers need. */
  readonly #lengths = new LRUCache<string, Length>({ max: 2_000, ttl: REMEMBERED_MS });
  /** Names of callers who cannot use the list. */
  readonly #unusable = new LRUCache<string, true>({ max: 2_000, ttl: REMEMBERED_MS });

  /** Clears the cache when the LMS changes. */
  forgetAll(): void {
    this.#lengths.clear();
    this.#unusable.clear();
  }

  /**
   * Reads the list if that takes fewer calls than the lookups.
   * @param name identifies callers who see the same list and need the same fields
   * @returns whether everyone who was in the list throughout was received. Also false if the LMS provides only a part
   * of the list, or none; people received until then are valid
   * @throws CanvasError when the token is refused; the signal's reason
   */
  async read(reader: Reader, name: string, lookups: number, take: TakePeople): Promise<boolean> {
    const stop = new AbortController();
    const signal = reader.signal ? AbortSignal.any([reader.signal, stop.signal]) : stop.signal;
    const most = Math.floor(lookups / OVERLAPPING);
    try {
      const own = { ...reader, signal };
      const first = this.#unusable.has(name) ? null : await this.#begin(own, most);
      return first !== null && (await this.#walk(own, name, { first, most: lookups, take }));
    } catch (error) {
      reader.signal?.throwIfAborted();
      if (!(error instanceof CanvasError) || error.ofToken) throw error;
      if (isDefinite(error)) this.#noUse(name);
      return false;
    } finally {
      stop.abort(new DOMException('the list was read', 'AbortError'));
    }
  }

  #noUse(name: string): void {
    this.#unusable.set(name, true);
  }

  /** Reads the first page if the list has at most this many; otherwise null. */
  async #begin(reader: Reader, most: number): Promise<PageRead | null> {
    const known = this.#lengths.get(reader.token.bucket);
    if (known !== undefined && known.more >= most) return null;
    const first = { size: LMS_PAGE_SIZE, number: 1 };
    if (known !== undefined && known.atMost <= most) return readPage(reader, first);
    const [begun, beyond] = await Promise.all([
      readPage(reader, first),
      // The LMS does not report the number of people, but whether a page exists is enough.
      readPage(reader, { size: LMS_PAGE_SIZE, number: most + 1 }),
    ]);
    if (beyond.people.length === 0) return begun;
    this.#lengths.set(reader.token.bucket, { more: most, atMost: Number.POSITIVE_INFINITY });
    return null;
  }

  async #walk(
    reader: Reader,
    name: string,
    { first, most, take }: { first: PageRead; most: number; take: TakePeople },
  ): Promise<boolean> {
    if (!take(first.people) && first.people.length > 0) {
      this.#noUse(name);
      return false;
    }
    const ahead: Promise<PageRead>[] = [];
    const { bucket } = reader.token;
    /** Pages beyond a known end are only requested when the reader gets there and the list has become longer. */
    const end = (this.#lengths.get(bucket)?.atMost ?? Number.POSITIVE_INFINITY) * LMS_PAGE_SIZE;
    let { page } = first;
    const ask = () => {
      page = pageAfter(page.size * page.number);
      const reading = readPage(reader, page);
      // The failure is thrown when the reader gets there.
      reading.catch(() => undefined);
      ahead.push(reading);
    };
    let before = first;
    for (let read = 1; !before.isLast; read++) {
      if (read >= most) return false;
      while (ahead.length === 0 || (ahead.length < AHEAD && page.size * page.number < end)) ask();
      const now = (await ahead.shift()) as PageRead;
      take(now.people);
      const joined = haveInCommon(before, now) ? now : await join(reader, before, now, take);
      if (joined === null) return false;
      before = joined;
    }
    const pages = Math.ceil((before.page.size * before.page.number) / LMS_PAGE_SIZE);
    this.#lengths.set(bucket, { more: 0, atMost: pages });
    return true;
  }
}

/**
 * Reads the pages around a gap after the list has shifted between two pages.
 * @returns the page to continue from: the later one, or the one between if the list ends there. Null if the three do
 * not connect
 */
async function join(
  reader: Reader,
  before: PageRead,
  after: PageRead,
  take: TakePeople,
): Promise<PageRead | null> {
  const between = await readPage(reader, pageAround(before.page.size * before.page.number));
  take(between.people);
  if (!haveInCommon(before, between)) return null;
  if (between.isLast) return between;
  return haveInCommon(between, after) ? after : null;
}

/** Returns the page that begins within the people read and reaches furthest. @param end number of people read */
function pageAfter(end: number): ListPage {
  let best = { size: 0, number: 0 };
  for (let size = LMS_PAGE_SIZE; size > LMS_PAGE_SIZE / 2; size--) {
    const number = Math.ceil(end / size);
    if (number * size > Math.max(end, best.number * best.size)) best = { size, number };
  }
  return best;
}

/** Returns the page with as many people before a position as after it, as nearly as possible. */
function pageAround(place: number): ListPage {
  let best = { size: LMS_PAGE_SIZE, number: Math.ceil(place / LMS_PAGE_SIZE) };
  const offCentre = ({ size, number }: ListPage) => Math.abs((number - 0.5) * size - place);
  for (let size = LMS_PAGE_SIZE; size > LMS_PAGE_SIZE / 2; size--) {
    const page = { size, number: Math.ceil(place / size) };
    if (offCentre(page) < offCentre(best)) best = page;
  }
  return best;
}

/**
 * Returns whether both pages have a person with the same sort name in common: people between them in the order of the
 * list are then on one of the pages.
 */
function haveInCommon(one: PageRead, other: PageRead): boolean {
  const names = new Map(one.people.map(({ id, sortable_name: name }) => [id, name]));
  return other.people.some(({ id, sortable_name: name }) => names.get(id) === name);
}

async function readPage(reader: Reader, page: ListPage): Promise<PageRead> {
  return { page, ...(await usersPage(reader, { email: true }, page)) };
}
