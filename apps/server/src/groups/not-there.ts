/** Members who are not where an import put them, or not what it made them again: none of this is in the LMS's messages. */

import type { UnchangedMember } from '@lms-admin/domain/group-recheck';
import { membershipKey } from '@lms-admin/domain/group-undo';
import { grouped } from '@lms-admin/domain/numbers';
import type { Reader } from '../canvas/resources/reading.ts';
import { listed } from '../platform/text.ts';
import { notLeading } from './leaders.ts';
import type { KeptMembers, KeptRows } from './plan-parts.ts';
import { readGroupCourse } from './read-course.ts';

/** The header of the stored rows, and that they are counted from 1. */
const FIRST_ROW = 2;

/**
 * @param told rows about which the LMS has said something, as they are stored
 * @returns a sentence that names the people; none where all are where they should be
 * @throws CanvasError; AppError where SIS IDs are not shown
 */
export async function membersElsewhere(
  reading: Reader,
  course: number,
  kept: KeptRows,
  told: ReadonlySet<number>,
): Promise<string[]> {
  if (kept.kind !== 'members' || !kept.rows.some((one) => one.sent)) return [];
  const expected = expectedOf(kept, told);
  if (expected.length === 0) return [];
  const index = await readGroupCourse(reading, course);
  const names = expected.flatMap(({ who, where, isMember, person, group }) => {
    const isIn = index.person(who)?.groups.includes(where) === true;
    if (isIn === isMember) return [];
    return [`${person} (${isIn ? 'in' : 'not in'} ${group})`];
  });
  const are = names.length === 1 ? '1 membership is' : `${grouped(names.length)} memberships are`;
  const moved =
    names.length === 0
      ? []
      : [
          `${are} not as in this import: ${listed(names)}. Others have changed the group or its people while the LMS worked on the import. Look at the groups in the LMS.`,
        ];
  const again = new Set(kept.again);
  const leaders = expected.filter(
    ({ who, where, isMember }) =>
      isMember && again.has(membershipKey(who, where)) && index.person(who)?.groups.includes(where),
  );
  return [...moved, ...leadersWords(await notLeading(reading, leaders, index))];
}

function leadersWords(missing: readonly Expected[]): string[] {
  if (missing.length === 0) return [];
  const who = listed(missing.map(({ person, group }) => `${person} (${group})`));
  const what =
    missing.length === 1
      ? '1 person as a leader of the group again'
      : `${grouped(missing.length)} people as leaders of their groups again`;
  return [`The LMS does not show ${what}: ${who}. Check there who leads, and choose the leaders in the LMS.`];
}

type Expected = Pick<UnchangedMember, 'who' | 'where' | 'person' | 'group'> & { isMember: boolean };

/** Who should be in which group now, or not in it. */
function expectedOf({ rows, same = [] }: KeptMembers, told: ReadonlySet<number>): Expected[] {
  const sent = rows.filter((one, at) => one.sent && !told.has(at + FIRST_ROW));
  return [
    ...sent.map((one) => ({ ...one, isMember: one.status === 'accepted' })),
    // Who was where they should be needed no row, and may have left since.
    ...same.filter((one) => !one.told).map((one) => ({ ...one, isMember: one.fate === 'already' })),
  ];
}
