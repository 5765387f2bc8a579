/**
 * Moves images to the current store. Each image is copied, read back, recorded at the new place and only then deleted
 * from the old one. So a run can be killed and repeated at any time, even while servers are running.
 */

import { randomBytes } from 'node:crypto';
import { counted } from '@lms-admin/domain/numbers';
import { and, asc, eq, gt, ne, type SQL, sql } from 'drizzle-orm';
import type { Objects } from '../files/homes.ts';
import { DATABASE_HOME, type ObjectStore } from '../files/objects.ts';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import { images } from '../platform/schema.ts';
import { isOf } from './table.ts';

export interface Moved {
  /** Moved by this run. */
  moved: number;
  /** Already in the current store. */
  there: number;
  /** Moved, but with the original kept because links use it. */
  kept: number;
  /** Keys of images that are missing from their recorded store. */
  missing: string[];
  /** Stores that are not in the settings, with their numbers of images. */
  unknown: Map<string, number>;
}

const AT_ONCE = 4;
const PAGE = 100;

type Row = Pick<typeof images.$inferSelect, 'key' | 'home' | 'type' | 'link'>;

/** @throws OutsideError if a store fails: images moved so far stay moved */
export async function moveImages(db: Db, objects: Objects): Promise<Moved> {
  const { home } = objects;
  const done: Moved = { moved: 0, there: 0, kept: 0, missing: [], unknown: new Map() };
  const same = new Map<string, Promise<boolean>>();
  const leadsThere = ({ link, key }: Row) => link !== null && link !== `${objects.publicUrl}/${key}`;

  /** Returns whether both stores are the same place: deleting an image from one would delete it from the other. */
  function isSame(other: ObjectStore): Promise<boolean> {
    const known = same.get(other.home) ?? isSamePlace(home, other);
    same.set(other.home, known);
    return known;
  }

  async function move(row: Row): Promise<void> {
    const from = objects.at(row.home);
    if (!from) {
      done.unknown.set(row.home, (done.unknown.get(row.home) ?? 0) + 1);
      return;
    }
    const bytes = await from.get(row.key);
    if (!bytes || !isOf(row.key, bytes)) {
      done.missing.push(row.key);
      return;
    }
    await home.put({ key: row.key, type: row.type, bytes });
    const read = await home.get(row.key);
    if (!read?.equals(bytes)) throw new Error(`${row.key} was not read back as it was written`);
    await db
      .update(images)
      .set({ home: home.home })
      .where(and(eq(images.key, row.key), eq(images.home, row.home)));
    done.moved++;
    await remove(row, from);
  }

  async function remove(row: Row, from: ObjectStore): Promise<void> {
    if (from.home !== DATABASE_HOME && leadsThere(row)) done.kept++;
    else if (!(await isSame(from))) await from.remove(row.key);
  }

  for await (const page of pagesOf(db, ne(images.home, home.home))) await mapLimited(page, AT_ONCE, move);
  // Copies that a killed run recorded but did not delete.
  done.there = (await db.$count(images, eq(images.home, home.home))) - done.moved;
  for (const other of objects.others) {
    if (done.there === 0 || (await isSame(other))) continue;
    for await (const page of pagesOf(db, eq(images.home, home.home))) {
      await mapLimited(page, AT_ONCE, async (row) => {
        if (other.home === DATABASE_HOME || !leadsThere(row)) await other.remove(row.key);
      });
    }
  }
  return done;
}

async function* pagesOf(db: Db, which: SQL): AsyncGenerator<Row[]> {
  let last = '';
  for (;;) {
    const page = await db
      .select({ key: images.key, home: images.home, type: images.type, link: images.link })
      .from(images)
      .where(and(which, gt(images.key, last)))
      .orderBy(asc(images.key))
      .limit(PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1)?.key ?? last;
  }
}

/** Returns whether an object written to one store is found in the other: one bucket with two names. */
async function isSamePlace(one: ObjectStore, other: ObjectStore): Promise<boolean> {
  const name = randomBytes(16).toString('hex');
  const [key, bytes] = [`icons/lms-admin-move-check-${name}.txt`, Buffer.from(name)];
  await one.put({ key, type: 'text/plain', bytes });
  const found = await other.get(key);
  await one.remove(key);
  return found?.equals(bytes) ?? false;
}

/** Returns stores that are not in the settings, with their numbers of images: links to these images do not work. */
export async function unknownHomes(db: Db, objects: Objects): Promise<Map<string, number>> {
  const rows = await db
    .select({ home: images.home, count: sql<number>`count(*)::int` })
    .from(images)
    .groupBy(images.home);
  return new Map(rows.flatMap(({ home, count }) => (objects.at(home) ? [] : [[home, count]])));
}

/** Describes the problem and the solution, one line per store. */
export function unknownInWords(unknown: ReadonlyMap<string, number>, then: string): string[] {
  return [...unknown].map(
    ([where, count]) =>
      `${counted(count, 'image')} ${count === 1 ? 'is' : 'are'} in ${where}, which the settings do not name. Set S3_OLD_… for it, and ${then}.`,
  );
}

/** Describes the result, one line each. */
export function movedInWords({ moved, there, kept, missing, unknown }: Moved, home: string): string[] {
  return [
    `Moved ${counted(moved, 'image')} to ${home}. ${counted(there, 'image')} ${there === 1 ? 'was' : 'were'} already there.`,
    ...(kept === 0
      ? []
      : [
          `${counted(kept, 'image')} also stay in the old bucket, because links point there. Keep the bucket readable.`,
        ]),
    ...unknownInWords(unknown, 'run this again'),
    ...missing.map((key) => `${key} is not where its record says.`),
  ];
}
