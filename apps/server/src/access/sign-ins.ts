/** Sign-ins recorded in the audit: a record alone does not prove that its login belongs to a person. */
import type { CanSignIn } from '@lms-admin/domain/access-records';
import { sql } from 'drizzle-orm';
import { SIGNED_IN } from '../auth/sign-in.ts';
import type { Db } from '../platform/database.ts';
import { audit } from '../platform/schema.ts';

/** Returns the latest sign-in of each person by `loginKey`, omitting people who have never signed in. */
export async function lastSignIns(db: Db, keys: readonly string[]): Promise<Map<string, Date>> {
  if (keys.length === 0) return new Map();
  // Makes one index look-up per person instead of reading years of sign-ins.
  const rows = await db
    .select({
      key: sql<string>`asked.key`,
      at: sql`extract(epoch from last.at) * 1000`.mapWith((ms) => new Date(Number(ms))),
    })
    .from(sql`jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as asked(key)
      cross join lateral (
        select ${audit.at} as at from ${audit}
        where ${audit.login} = asked.key and ${audit.event} = ${SIGNED_IN}
        order by ${audit.at} desc limit 1
      ) as last`);
  return new Map(rows.map(({ key, at }) => [key, at]));
}

/** Returns which of these people have signed in, according to the audit. */
export async function whoSignedIn(db: Db, keys: readonly string[]): Promise<CanSignIn> {
  const known = await lastSignIns(db, keys);
  return (key) => known.has(key);
}
