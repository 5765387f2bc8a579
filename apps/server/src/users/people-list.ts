/**
 * Many people at once from the LMS's list of everybody, where its pages are fewer than the lookups. A list of numbered pages
 * moves while it is read, so each page begins within the one before: as long as each two have a person in common,
 * no one who was there all the time can have been missed.
 */
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { LRUCache } from 'lru-cache';
import { isDefinite, type ListPage, type Reader } from '../canvas/resources/reading.ts';
import { type LmsUser, usersPage } from '../canvas/resources/users.ts';
import { CanvasError } from '../canvas/types.ts';

/** Pages asked for before the reader gets to them: those in flight, and as many that wait for an earlier one. */
const AHEAD = 24;
/** Milliseconds for which it is remembered how long the list is. */
const REMEMBERED_MS = 300_000;
/** Pages that overlap are more than pages that do not, by this much. */
const OVERLAPPING = 8 / 7;

/** How long the list is for a token, as far as that was found out. */
interface Length {
  /** It has more pages than this; without end where it is of no use. */
  more: number;
  /** It has no more pages than this. */
  atMost: number;
}

interface PageRead {
  page: ListPage;
  people: readonly LmsUser[];
  isLast: boolean;
}

/** Takes everybody of the list. @returns false where what it shows of people is of no use */
export type TakePeople = (people: readonly LmsUser[]) => boolean;

/** The list of everybody, read where that is cheaper. One for the process. */
export class PeopleList {
  readonly #lengths = new LRUCache<string, Length>({ max: 2_000, ttl: REMEMBERED_MS });

  /** Another LMS answers than before. */
  forgetAll(): void {
    this.#lengths.clear();
  }

  /**
   * Reads the list if that takes fewer calls than the lookups.
   * @param name of those who see the same list, and want the same of it
   * @returns whether everybody was taken who was there all the time. False too where the LMS does not give the list, or
   *   gives it only in part; who was taken until then is in it
   * @throws CanvasError when the token is refused; the signal's reason
   */
  async read(reader: Reader, name: string, lookups: number, take: TakePeople): Promise<boolean> {
    const stop = new AbortController();
    const signal = reader.signal ? AbortSignal.any([reader.signal, stop.signal]) : stop.signal;
    const most = Math.floor(lookups / OVERLAPPING);
    try {
      const own = { ...reader, signal };
      const first = await this.#begin(own, name, most);
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
    this.#lengths.set(name, { more: Number.POSITIVE_INFINITY, atMost: Number.POSITIVE_INFINITY });
  }

  /** The first page, where the list has at most so many; else null. */
  async #begin(reader: Reader, name: string, most: number): Promise<PageRead | null> {
    const known = this.#lengths.get(name);
    if (known !== undefined && known.more >= most) return null;
    const first = { size: LMS_PAGE_SIZE, number: 1 };
    if (known !== undefined && known.atMost <= most) return readPage(reader, first);
    const [begun, beyond] = await Promise.all([
      readPage(reader, first),
      // The LMS does not count its people. Whether a page is there says enough.
      readPage(reader, { size: LMS_PAGE_SIZE, number: most + 1 }),
    ]);
    if (beyond.people.length === 0) return begun;
    this.#lengths.set(name, { more: most, atMost: Number.POSITIVE_INFINITY });
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
    let { page } = first;
    const ask = () => {
      page = pageAfter(page.size * page.number);
      const asked = readPage(reader, page);
      // The failure is thrown when the reader gets there.
      asked.catch(() => undefined);
      ahead.push(asked);
    };
    let before = first;
    for (let read = 1; !before.isLast; read++) {
      if (read >= most) return false;
      while (ahead.length < AHEAD) ask();
      const now = (await ahead.shift()) as PageRead;
      take(now.people);
      const joined = haveInCommon(before, now) ? now : await join(reader, before, now, take);
      if (joined === null) return false;
      before = joined;
    }
    const pages = Math.ceil((before.page.size * before.page.number) / LMS_PAGE_SIZE);
    this.#lengths.set(name, { more: 0, atMost: pages });
    return true;
  }
}

/**
 * The list has moved between two pages: what is now where they meet is read as well.
 * @returns the page from which on to read: the later one, or the one between if the list ends there. Null where the three do not fit
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

/** The next page of those that begin within what was read: the one that reaches furthest. @param end people read */
function pageAfter(end: number): ListPage {
  let best = { size: 0, number: 0 };
  for (let size = LMS_PAGE_SIZE; size > LMS_PAGE_SIZE / 2; size--) {
    const number = Math.ceil(end / size);
    if (number * size > Math.max(end, best.number * best.size)) best = { size, number };
  }
  return best;
}

/** A page with as many people before a place in the list as behind it, as near as a page can be. */
function pageAround(place: number): ListPage {
  let best = { size: LMS_PAGE_SIZE, number: Math.ceil(place / LMS_PAGE_SIZE) };
  const offCentre = ({ size, number }: ListPage) => Math.abs((number - 0.5) * size - place);
  for (let size = LMS_PAGE_SIZE; size > LMS_PAGE_SIZE / 2; size--) {
    const page = { size, number: Math.ceil(place / size) };
    if (offCentre(page) < offCentre(best)) best = page;
  }
  return best;
}

/** Whether someone is in both, in the same place by name: who comes between them in the order of the list is in one of them. */
function haveInCommon(one: PageRead, other: PageRead): boolean {
  const names = new Map(one.people.map(({ id, sortable_name: name }) => [id, name]));
  return other.people.some(({ id, sortable_name: name }) => names.get(id) === name);
}

async function readPage(reader: Reader, page: ListPage): Promise<PageRead> {
  return { page, ...(await usersPage(reader, { email: true }, page)) };
}
