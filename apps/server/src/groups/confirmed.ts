/**
 * Members of groups whom others have added again since our import, by another import or by hand: undo leaves them in
 * the group.
 */
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { membershipKey, type RestoredBy } from '@lms-admin/domain/group-undo';
import { writersOf as importsOf } from '../canvas/resources/groups.ts';
import type { Reader } from '../canvas/resources/reading.ts';
import { CanvasError } from '../canvas/types.ts';
import { readPlanCourses } from '../plans/store.ts';
import { lmsNumbersOf, plansUndoneBy } from '../plans/undo.ts';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import type { KeptRows } from './plan-parts.ts';

/** Number of groups looked up at once; the client limits the calls in flight. */
const AT_ONCE = 16;

/**
 * @param importId the import to undo
 * @param groups the groups that people would leave
 * @returns the confirmed memberships by key
 * @throws CanvasError; the signal's reason
 */
export async function confirmedSince(
  reading: Reader,
  db: Db,
  importId: string,
  groups: readonly number[],
  index: CourseIndex,
): Promise<ReadonlyMap<string, RestoredBy>> {
  const there = [...new Set(groups)].filter((id) => index.group(id) !== null);
  const written = await mapLimited(there, AT_ONCE, async (group) => {
    const writers = await writersOf(reading, group);
    return [...writers].map(([who, by]) => ({ key: membershipKey(who, group), by }));
  });
  const own = new Set(await lmsNumbersOf(db, importId));
  const confirmed = new Map<string, RestoredBy>();
  for (let open = written.flat(); open.length > 0; ) {
    const others = open.filter(({ by }) => by === null || !own.has(by));
    const numbers = new Set(others.flatMap(({ by }) => by ?? []));
    const undone = await plansUndoneBy(db, [...numbers]);
    const writers = await writersBefore(db, undone.values());
    open = [];
    for (const { key, by } of others) {
      // A membership by hand is a new one, so the one from the import has ended.
      if (by === null) confirmed.set(key, 'by-hand');
      else if (!undone.has(by)) confirmed.set(key, 'later-import');
      else {
        // An undo restores the previous membership, so the import that wrote that one counts.
        const before = writers.get(undone.get(by) ?? '')?.get(key);
        if (before !== undefined && (before === null || before < by)) open.push({ key, by: before });
      }
    }
  }
  return confirmed;
}

/** Returns the writers of the memberships that these plans ended, by plan and key. */
async function writersBefore(
  db: Db,
  plans: Iterable<string | null>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number | null>>> {
  const found = new Map<string, ReadonlyMap<string, number | null>>();
  for (const plan of new Set(plans)) {
    if (plan === null) continue;
    for await (const { rows } of readPlanCourses<KeptRows>(db, plan))
      if (rows.kind === 'members') found.set(plan, new Map(rows.writers));
  }
  return found;
}

/** Returns the imports that wrote the members of a group; empty if the group no longer exists or is hidden. */
async function writersOf(reading: Reader, group: number): Promise<ReadonlyMap<number, number | null>> {
  try {
    return await importsOf(reading, group);
  } catch (error) {
    if (!(error instanceof CanvasError) || error.ofToken) throw error;
    if (error.kind !== 'not-found' && error.kind !== 'refused') throw error;
    return new Map();
  }
}
