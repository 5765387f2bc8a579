/** People who lead a group that they leave by the rows of a plan: they lead it no more then, and no row can say who does. */
import type { GroupLeaders } from '@lms-admin/contract/groups';
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { changes, type MemberRow } from '@lms-admin/domain/group-members';
import { CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { type Reading, readModerators } from './memberships.ts';

/** Groups asked about at once; the client decides how many of them are in flight. */
const AT_ONCE = 16;

/** @throws CanvasError when a token is refused; the signal's reason */
export async function leadersWhoLeave(
  reading: Reading,
  rows: readonly MemberRow[],
  index: CourseIndex,
): Promise<GroupLeaders> {
  const leaving = rows.flatMap((row) =>
    changes(row) ? row.leaves.map((group) => ({ who: row.who, person: row.person ?? '', group })) : [],
  );
  const found = new Map(
    await mapLimited([...new Set(leaving.map(({ group }) => group))], AT_ONCE, async (group) => {
      try {
        return [group, await readModerators(reading, group)] as const;
      } catch (error) {
        reading.signal.throwIfAborted();
        if (!(error instanceof CanvasError) || error.ofToken) throw error;
        return [group, null] as const;
      }
    }),
  );
  return {
    who: leaving.flatMap(({ who, person, group: id }) => {
      const group = index.group(id);
      const leads = who !== null && (group?.leader === who || found.get(id)?.has(who) === true);
      return leads ? [{ person, group: group?.name ?? '' }] : [];
    }),
    unread: [...found.values()].filter((one) => one === null).length,
  };
}
