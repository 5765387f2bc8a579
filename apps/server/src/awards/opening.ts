/** The date on which the vote opens: one record that any administrator of the tool can set (OP-88). */
import type { OpeningRecord } from '@lms-admin/contract/awards';
import { openingDate } from '@lms-admin/domain/award-opening';
import { sql } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import type { Audit } from '../platform/audit.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { awardOpening } from '../platform/schema.ts';

export interface Opening {
  /** Returns the record, or null before the first date. */
  read(): Promise<OpeningRecord | null>;
  /** Sets the date. @throws AppError bad-request if it is not a complete date */
  set(admin: Admin, text: string, requestId: string): Promise<OpeningRecord>;
}

const ID = 1;

export function createOpening(db: Db, audit: Audit): Opening {
  return {
    async read() {
      const [row] = await db.select().from(awardOpening);
      return row ? travels(row) : null;
    },
    async set(admin, text, requestId) {
      const date = openingDate(text);
      if (date === null) {
        throw new AppError('bad-request', {
          message: 'This is not a complete date.',
          next: 'Type the day, the month and a year from 2000 to 2099.',
        });
      }
      const now = new Date();
      const set = { openingDate: date, updatedAt: now, updatedBy: admin.name };
      const [row] = await db
        .insert(awardOpening)
        .values({ id: ID, ...set, createdAt: now, createdBy: admin.name })
        // Setting the same date again changes nothing.
        .onConflictDoUpdate({
          target: awardOpening.id,
          set,
          setWhere: sql`${awardOpening.openingDate} <> ${date}`,
        })
        .returning();
      if (row) {
        await audit.write({
          login: admin.login,
          tool: 'award-import',
          event: 'award-opening-set',
          detail: { opening_date: date },
          requestId,
        });
        return travels(row);
      }
      const [same] = await db.select().from(awardOpening);
      if (!same) throw new AppError('conflict');
      return travels(same);
    },
  };
}

function travels(row: typeof awardOpening.$inferSelect): OpeningRecord {
  return {
    opening_date: row.openingDate,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    created_by: row.createdBy,
    updated_by: row.updatedBy,
  };
}
