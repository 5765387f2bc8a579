/** The current list and the former one, in the database. */
import type { ListInfo } from '@lms-admin/contract/awards';
import type { AwardEntry } from '@lms-admin/domain/award-entries';
import { desc, lt } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { awardLists } from '../platform/schema.ts';
import { listChanged } from './refusals.ts';

export type StoredList = typeof awardLists.$inferSelect;

/** What is not of the rows themselves. */
const INFO = {
  version: awardLists.version,
  rows: awardLists.rows,
  updatedAt: awardLists.updatedAt,
  updatedBy: awardLists.updatedBy,
};
type StoredInfo = Pick<StoredList, keyof typeof INFO>;

export interface Lists {
  /** The current list, then the former one, as far as they are there. */
  both(): Promise<StoredList[]>;
  /** The same without their rows. */
  infos(): Promise<StoredInfo[]>;
  /** The current list; null while there is none. */
  inForce(): Promise<StoredList | null>;
  /**
   * Brings another list into force in one step; the current one is kept as that of before, and older ones go.
   * @param over number of the list that was in force; 0 for none
   * @throws AppError conflict when another one is by now
   */
  replace(over: number, next: NewList): Promise<{ list: ListInfo; previous: ListInfo | null }>;
}

export interface NewList {
  entries: readonly AwardEntry[];
  /** Name of the admin. */
  by: string;
  /** Who made it and when, of one that is brought back. */
  made?: Pick<StoredList, 'createdAt' | 'createdBy'>;
}

export function createLists(db: Db): Lists {
  const newest = desc(awardLists.version);
  return {
    both: () => db.select().from(awardLists).orderBy(newest).limit(2),
    infos: () => db.select(INFO).from(awardLists).orderBy(newest).limit(2),
    async inForce() {
      const [list] = await db.select().from(awardLists).orderBy(newest).limit(1);
      return list ?? null;
    },
    replace: (over, { entries, by, made }) =>
      db.transaction(async (tx) => {
        const [old] = await tx.select(INFO).from(awardLists).orderBy(newest).limit(1);
        if ((old?.version ?? 0) !== over) throw listChanged();
        const now = new Date();
        // Of two at once one gets the number.
        const [list] = await tx
          .insert(awardLists)
          .values({
            version: over + 1,
            rows: entries.length,
            entries: [...entries],
            createdAt: now,
            createdBy: by,
            ...made,
            updatedAt: now,
            updatedBy: by,
          })
          .onConflictDoNothing()
          .returning(INFO);
        if (!list) throw listChanged();
        await tx.delete(awardLists).where(lt(awardLists.version, over));
        return { list: infoOf(list), previous: old ? infoOf(old) : null };
      }),
  };
}

/** As it travels. */
export function infoOf({ version, rows, updatedAt, updatedBy }: StoredInfo): ListInfo {
  return { version, rows, updated_by: updatedBy, updated_at: updatedAt.toISOString() };
}
