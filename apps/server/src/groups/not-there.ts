/** Members who are not where an import put them: what others change while the LMS works on the rows is in none of its messages. */
import type { UnchangedMember } from '@lms-admin/domain/group-recheck';
import type { Reader } from '../canvas/resources/reading.ts';
import { listed } from '../platform/text.ts';
import type { KeptMembers, KeptRows } from './plan-parts.ts';
import { readGroupCourse } from './read-course.ts';

/** The header of the stored rows, and that they are counted from 1. */
const FIRST_ROW = 2;

/**
 * @param told rows about which the LMS has said something, as they are stored
 * @returns a sentence that names the people; none where all are where they should be
 * @throws CanvasError; AppError where SIS ids are not shown
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
  if (names.length === 0) return [];
  const are =
    names.length === 1 ? '1 membership is' : `${names.length.toLocaleString('en-GB')} memberships are`;
  return [
    `${are} not as in this import: ${listed(names)}. Others have changed the group or its people while the LMS worked on the import. Look at the groups in the LMS.`,
  ];
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
