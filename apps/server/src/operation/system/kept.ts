/** When each kind of data is next removed, by the rules of the rounds that remove it. */
import type { SystemKept } from '@lms-admin/contract/system';
import { count, min } from 'drizzle-orm';
import { nextTidied } from '../../imports/housekeeping.ts';
import { nextForgotten } from '../../jobs/forget.ts';
import { keptDays, type ListedKind } from '../../jobs/kind.ts';
import type { RetentionConfig } from '../../platform/config.ts';
import type { Db } from '../../platform/database.ts';
import { images, sessions } from '../../platform/schema.ts';
import { nextRemoved } from '../personal/old.ts';

export async function keptOf(
  db: Db,
  kinds: readonly ListedKind[],
  retention: RetentionConfig,
): Promise<SystemKept> {
  const days = keptDays(retention);
  const [ofJobs, tidied, [session], old, shown] = await Promise.all([
    nextForgotten(db, kinds, days),
    nextTidied(db),
    db.select({ number: count(), next: min(sessions.expiresAt) }).from(sessions),
    nextRemoved(db, retention),
    db.$count(images),
  ]);
  const time = (date: Date | null | undefined) => date?.getTime() ?? null;
  const aged = (kind: string, rule: 'age' | 'ended', one: (typeof old)['audit']) => ({
    ...one,
    kind,
    forgotten: one.days === null ? ('never' as const) : rule,
    next: time(one.next),
  });
  return {
    kinds: [
      ...kinds.map(({ id, keeps }) => {
        const { number = 0, next = null } = ofJobs.get(id) ?? {};
        return { kind: id, forgotten: 'ended' as const, days: days[keeps], number, next: time(next) };
      }),
      ...tidied.map((one) => ({ ...one, ...UNUSED, next: time(one.next) })),
      { kind: 'sessions', ...UNUSED, number: session?.number ?? 0, next: time(session?.next) },
      aged('entries of Activity', 'ended', old.history),
      aged('audit', 'age', old.audit),
      { kind: 'images', forgotten: 'never', days: null, number: shown, next: null },
    ],
  };
}

const UNUSED = { forgotten: 'unused', days: null } as const;
