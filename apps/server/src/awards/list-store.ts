/** The current list and the former one, in the database. */
import type { ListInfo } from '@lms-admin/contract/awards';
import type { AwardEntry } from '@lms-admin/domain/award-entries';
import { desc, lt } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { awardLists } from '../platform/schema.ts';
import { listChanged } from './refusals.ts';

export type StoredList = typeof awardLists.$inferSelect;

/** Columns other than the rows. */
const INFO = {
  version: awardLists.version,
  rows: awardLists.rows,
  updatedAt: awardLists.updatedAt,
  updatedBy: awardLists.updatedBy,
};
type StoredInfo = Pick<StoredList, keyof typeof INFO>;

export interface Lists {
  /** Returns the current list and then the former one, if they exist. */
  both(): Promise<StoredList[]>;
  /** Returns both lists without their rows. */
  infos(): Promise<StoredInfo[]>;
  /** Returns the current list, or null. */
  inForce(): Promise<StoredList | null>;
  /**
   * Replaces the current list in one step, keeps it as the former one and deletes older ones.
   * @param over number of the list that was current; 0 for none
   * @throws AppError conflict if another list is current
   */
  replace(over: number, next: NewList): Promise<{ list: ListInfo; previous: ListInfo | null }>;
}

export interface NewList {
  entries: readonly AwardEntry[];
  /** Name of the admin. */
  by: string;
  /** Author and time of creation of a restored list. */
  creation?: Pick<StoredList, 'createdAt' | 'createdBy'>;
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
    replace: (over, { entries, by, creation }) =>
      db.transaction(async (tx) => {
        const [old] = await tx.select(INFO).from(awardLists).orderBy(newest).limit(1);
        if ((old?.version ?? 0) !== over) throw listChanged();
        const now = new Date();
        // If two replacements run at the same time, only one gets the number.
        const [list] = await tx
          .insert(awardLists)
          .values({
            version: over + 1,
            rows: entries.length,
            entries: [...entries],
            createdAt: now,
            createdBy: by,
            ...creation,
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

/** Formats a list's details for the API. */
export function infoOf({ version, rows, updatedAt, updatedBy }: StoredInfo): ListInfo {
  return { version, rows, updated_by: updatedBy, updated_at: updatedAt.toISOString() };
}
