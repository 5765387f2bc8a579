/**
 * Members of groups whom others have put there again since our import, by another one, such as that of the records office, or by
 * hand: undo leaves them there.
 */
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { membershipKey, type PutAgain } from '@lms-admin/domain/group-undo';
import { writersOf as importsOf } from '../canvas/resources/groups.ts';
import type { Reader } from '../canvas/resources/reading.ts';
import { CanvasError } from '../canvas/types.ts';
import { lmsNumbersOf, undoingNumbers } from '../imports/undoable.ts';
import type { Db } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';

/** Groups asked about at once; the client decides how many of them are in flight. */
const AT_ONCE = 16;

/**
 * @param importId the import that is undone
 * @param groups those that people would leave by it
 * @returns the memberships by their keys
 * @throws CanvasError; the signal's reason
 */
export async function confirmedSince(
  reading: Reader,
  db: Db,
  importId: string,
  groups: readonly number[],
  index: CourseIndex,
): Promise<ReadonlyMap<string, PutAgain>> {
  const there = [...new Set(groups)].filter((id) => index.group(id) !== null);
  const written = await mapLimited(there, AT_ONCE, async (group) => {
    const writers = await writersOf(reading, group);
    return [...writers].map(([who, by]) => ({ key: membershipKey(who, group), by }));
  });
  const own = new Set(await lmsNumbersOf(db, importId));
  const others = written.flat().filter(({ by }) => by === null || !own.has(by));
  const numbers = new Set(others.flatMap(({ by }) => by ?? []));
  const undoing = new Set(await undoingNumbers(db, [...numbers]));
  return new Map(
    others.flatMap(({ key, by }): [string, PutAgain][] => {
      // A membership by hand is a new one: that of the import has ended.
      if (by === null) return [[key, 'by-hand']];
      return undoing.has(by) ? [] : [[key, 'later-import']];
    }),
  );
}

/** Of a group that is gone or not shown, nobody is known to have been put there. */
async function writersOf(reading: Reader, group: number): Promise<ReadonlyMap<number, number | null>> {
  try {
    return await importsOf(reading, group);
  } catch (error) {
    if (!(error instanceof CanvasError) || error.ofToken) throw error;
    if (error.kind !== 'not-found' && error.kind !== 'refused') throw error;
    return new Map();
  }
}
