/** Effects in the database: a summary for each file, and its rows in pieces that are read page by page. */
import type {
  SisEffect,
  SisEffectCourses,
  SisEffectCoursesQuery,
  SisEffectQuery,
  SisEffectRow,
  SisEffectRows,
} from '@lms-admin/contract/sis-effects';
import { EFFECT_PAGE, sisEffect } from '@lms-admin/contract/sis-effects';
import { isDangerous, SIS_DOES, type SisDoes } from '@lms-admin/domain/sis-effect';
import { SIS_KINDS, type SisKind } from '@lms-admin/domain/sis-tables';
import { and, asc, eq, ne } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import { pack, unpack } from '../../platform/packed.ts';
import { imports, sisEffectPieces, sisEffects } from '../../platform/schema.ts';
import type { KeptCourse, KeptRow, Sink } from './sink.ts';

/** Rows in one piece. */
const PIECE_ROWS = 500;
/** Lists of courses by the worst effect of their rows, in the order of display. */
const COURSES = ['courses', 'courses refused', 'courses changed', 'courses same'] as const;
/** A course's position is the index of its list times this, plus its index there. */
const PLACES = 1_000_000;

/** Returns the index of the list for a course. */
function worstOf({ does }: Pick<KeptCourse, 'does'>): number {
  const any = (fits: (one: SisDoes) => boolean) => SIS_DOES.some((one) => fits(one) && (does[one] ?? 0) > 0);
  if (any(isDangerous)) return 0;
  if (any((one) => one === 'fails' || one === 'unknown')) return 1;
  return any((one) => one !== 'nothing') ? 2 : 3;
}

interface List {
  seq: number;
  held: unknown[];
}

/** Writes the lists of one job; they become valid with its summary. */
export class EffectWriter implements Sink {
  readonly #db: Db;
  readonly #file: string;
  readonly #job: string;
  readonly #lists = new Map<string, List>();
  #courses = COURSES.map(() => 0);

  constructor(db: Db, file: string, job: string) {
    this.#db = db;
    this.#file = file;
    this.#job = job;
  }

  /** Removes leftovers of an earlier turn of the job. */
  async begin(): Promise<void> {
    this.#courses = COURSES.map(() => 0);
    await this.#db.delete(sisEffectPieces).where(this.#own());
  }

  #own() {
    return and(eq(sisEffectPieces.fileId, this.#file), eq(sisEffectPieces.jobId, this.#job));
  }

  row(kind: SisKind, does: SisDoes, row: KeptRow): Promise<void> {
    return this.#add(`${kind} ${does}`, row);
  }

  course(course: Omit<KeptCourse, 'place'>): Promise<void> {
    const worst = worstOf(course);
    const at = this.#courses[worst] ?? 0;
    this.#courses[worst] = at + 1;
    return this.#add(COURSES[worst] ?? COURSES[0], {
      ...course,
      place: worst * PLACES + at,
    } satisfies KeptCourse);
  }

  async #add(name: string, item: unknown): Promise<void> {
    let list = this.#lists.get(name);
    if (!list) {
      list = { seq: 0, held: [] };
      this.#lists.set(name, list);
    }
    if (list.held.push(item) >= PIECE_ROWS) await this.#write(name, list);
  }

  async #write(name: string, list: List): Promise<void> {
    const { held, seq } = list;
    list.held = [];
    list.seq++;
    const data = await pack(held);
    await this.#db
      .insert(sisEffectPieces)
      .values({ fileId: this.#file, jobId: this.#job, list: name, seq, rows: held.length, data });
  }

  /** Writes the remaining rows. */
  async end(): Promise<void> {
    for (const [name, list] of this.#lists) if (list.held.length > 0) await this.#write(name, list);
  }

  /** Makes this effect the valid one, in place of an earlier one. @param tx a transaction */
  async publish(tx: Db, summary: SisEffect): Promise<void> {
    // Once the file has been submitted, the confirmed effect must not change.
    const sent = await tx.select({ id: imports.id }).from(imports).where(eq(imports.id, this.#file));
    if (sent.length > 0) return;
    const values = { jobId: this.#job, summary: await pack(summary), createdAt: new Date(summary.made_at) };
    await tx
      .insert(sisEffects)
      .values({ fileId: this.#file, ...values })
      .onConflictDoUpdate({ target: sisEffects.fileId, set: values });
    await tx
      .delete(sisEffectPieces)
      .where(and(eq(sisEffectPieces.fileId, this.#file), ne(sisEffectPieces.jobId, this.#job)));
  }
}

/** Reads the summary of a file; null if there is none yet. */
export async function readEffect(db: Db, file: string): Promise<{ job: string; effect: SisEffect } | null> {
  const [row] = await db
    .select({ job: sisEffects.jobId, summary: sisEffects.summary })
    .from(sisEffects)
    .where(eq(sisEffects.fileId, file));
  // A summary of an earlier version lacks newer fields.
  return row ? { job: row.job, effect: sisEffect.parse(await unpack(row.summary)) } : null;
}

export interface Where {
  file: string;
  job: string;
}

/** A part of one list, from an index on. */
interface Span {
  list: string;
  from: number;
  /** Infinite for all rows. */
  rows: number;
}

/** Reads a page of rows. @param names names of the files of a zip; null for a single file */
export async function readRows(
  db: Db,
  where: Where,
  query: SisEffectQuery,
  names: readonly string[] | null,
): Promise<SisEffectRows> {
  const { table, does, place, text, page } = query;
  const course = place === undefined ? null : await courseAt(db, where, place);
  if (place !== undefined && course === null) return { rows: [], all: 0 };
  const wanted = does === undefined ? SIS_DOES : [does];
  const spans = wanted.map((one): Span => {
    const list = `${table} ${one}`;
    if (course === null) return { list, from: 0, rows: Number.POSITIVE_INFINITY };
    return { list, from: course.from[one] ?? 0, rows: course.does[one] ?? 0 };
  });
  const found = await pageOf<KeptRow>(db, where, spans, text === '' ? null : holds(text), page);
  const rows = found.items.map(({ item: { part, ...rest }, span }): SisEffectRow => {
    return { ...rest, does: wanted[span] ?? 'nothing', file: names?.[part] ?? null };
  });
  return { rows, all: found.all };
}

/** Reads the rows as shown, piece by piece. @param wanted the tables and effects to read */
export async function* readKept(
  db: Db,
  where: Where,
  wanted: (kind: SisKind, does: SisDoes) => boolean,
): AsyncGenerator<{ kind: SisKind; does: SisDoes; items: KeptRow[] }, void, void> {
  const { file, job } = where;
  const lists = await db
    .selectDistinct({ list: sisEffectPieces.list })
    .from(sisEffectPieces)
    .where(and(eq(sisEffectPieces.fileId, file), eq(sisEffectPieces.jobId, job)));
  const written = new Set(lists.map(({ list }) => list));
  for (const kind of SIS_KINDS) {
    for (const does of SIS_DOES) {
      const list = `${kind} ${does}`;
      if (!written.has(list) || !wanted(kind, does)) continue;
      for await (const { items } of piecesOf<KeptRow>(db, where, list, () => true))
        yield { kind, does, items };
    }
  }
}

/** Reads a page of the courses of enrolments. */
export async function readCourses(
  db: Db,
  where: Where,
  query: SisEffectCoursesQuery,
): Promise<SisEffectCourses> {
  const { does, text, page } = query;
  const named = text === '' ? null : holds(text);
  const fits =
    does === undefined && named === null
      ? null
      : (one: KeptCourse) =>
          (does === undefined || (one.does[does] ?? 0) > 0) && (named?.([one.of, one.term]) ?? true);
  const spans = COURSES.map((list): Span => ({ list, from: 0, rows: Number.POSITIVE_INFINITY }));
  const found = await pageOf<KeptCourse>(db, where, spans, fits, page);
  // The positions of its rows are internal, so only the course is returned.
  return { courses: found.items.map(({ item }) => item), all: found.all };
}

/** Creates a function that checks whether any text in a value contains these letters. */
function holds(text: string): (value: unknown) => boolean {
  const wanted = text.toLowerCase();
  const inside = (value: unknown): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(wanted);
    if (typeof value === 'number') return String(value) === wanted;
    return typeof value === 'object' && value !== null && Object.values(value).some(inside);
  };
  return inside;
}

/** Reads a course by its position, with the positions of its rows in each list. */
async function courseAt(db: Db, where: Where, place: number): Promise<KeptCourse | null> {
  const [list, within] = [COURSES[Math.floor(place / PLACES)], place % PLACES];
  if (list === undefined) return null;
  const wanted = (at: number, rows: number) => at <= within && within < at + rows;
  for await (const { at, items } of piecesOf<KeptCourse>(db, where, list, wanted)) {
    const found = items[within - at];
    if (found) return found;
  }
  return null;
}

/** Reads a page of rows across parts of lists. Without a condition only the pieces of the page are unpacked. */
async function pageOf<T>(
  db: Db,
  where: Where,
  spans: readonly Span[],
  fits: ((item: T) => boolean) | null,
  page: number,
): Promise<{ items: { item: T; span: number }[]; all: number }> {
  const begin = (page - 1) * EFFECT_PAGE;
  const end = begin + EFFECT_PAGE;
  const items: { item: T; span: number }[] = [];
  let all = 0;
  for (const [span, { list, from, rows }] of spans.entries()) {
    if (rows === 0) continue;
    // Bounds of the page within this list.
    const first = fits === null ? from + Math.max(0, begin - all) : from;
    const last = fits === null ? Math.min(from + rows, from + end - all) : from + rows;
    let there = 0;
    let found = 0;
    const wanted = (at: number, count: number) => {
      there = at + count;
      return at < last && at + count > first;
    };
    for await (const piece of piecesOf<T>(db, where, list, wanted)) {
      for (const [index, item] of piece.items.entries()) {
        const at = piece.at + index;
        if (at < first || at >= last || (fits !== null && !fits(item))) continue;
        const place = all + found++;
        if (fits === null || (place >= begin && place < end)) items.push({ item, span });
      }
    }
    all += fits === null ? Math.min(rows, Math.max(0, there - from)) : found;
  }
  return { items, all };
}

/** Unpacks the wanted pieces of a list one by one. @param wanted receives the start and number of rows of each */
export async function* piecesOf<T>(
  db: Db,
  { file, job }: Where,
  list: string,
  wanted: (at: number, rows: number) => boolean,
): AsyncGenerator<{ at: number; items: T[] }, void, void> {
  const of = and(
    eq(sisEffectPieces.fileId, file),
    eq(sisEffectPieces.jobId, job),
    eq(sisEffectPieces.list, list),
  );
  const heads = await db
    .select({ seq: sisEffectPieces.seq, rows: sisEffectPieces.rows })
    .from(sisEffectPieces)
    .where(of)
    .orderBy(asc(sisEffectPieces.seq));
  let at = 0;
  for (const { seq, rows } of heads) {
    const begin = at;
    at += rows;
    if (!wanted(begin, rows)) continue;
    const [piece] = await db
      .select({ data: sisEffectPieces.data })
      .from(sisEffectPieces)
      .where(and(of, eq(sisEffectPieces.seq, seq)));
    if (piece) yield { at: begin, items: await unpack<T[]>(piece.data) };
  }
}
