/**
 * Finds members whom an import did not put into the right group, or did not make leaders again: the LMS does not
 * report this.
 */

import type { CourseIndex } from '@lms-admin/domain/group-course';
import type { UnchangedMember } from '@lms-admin/domain/group-recheck';
import { membershipKey } from '@lms-admin/domain/group-undo';
import { grouped } from '@lms-admin/domain/numbers';
import type { Reader } from '../canvas/resources/reading.ts';
import { listed } from '../platform/text.ts';
import { notLeading } from './leaders.ts';
import type { KeptMembers, KeptRows } from './plan-parts.ts';
import { readGroupCourse } from './read-course.ts';

/** Stored rows are counted from 1, and the first is the header. */
const FIRST_ROW = 2;

/**
 * @param reported stored rows about which the LMS has already sent a message
 * @returns a sentence that names the people, or none if all are in the right groups
 * @throws CanvasError; AppError if SIS IDs are not shown
 */
export async function membersElsewhere(
  reading: Reader,
  course: number,
  kept: KeptRows,
  reported: ReadonlySet<number>,
): Promise<string[]> {
  if (kept.kind !== 'members' || !kept.rows.some((one) => one.sent)) return [];
  const expected = expectedOf(kept, reported);
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
          `${are} different from this import: ${listed(names)}. Someone else changed the group or its members while the LMS was working on the import. Check the groups in the LMS.`,
        ];
  const restored = new Set(kept.again);
  const leaders = expected.filter(
    ({ who, where, isMember }) =>
      isMember && restored.has(membershipKey(who, where)) && index.person(who)?.groups.includes(where),
  );
  const ended = endedSince(kept, reported, index);
  return [...moved, ...ended, ...leadersWords(await notLeading(reading, leaders, index))];
}

/** Names people added to a group whose enrolment in the course has ended since the review. */
function endedSince({ rows }: KeptMembers, reported: ReadonlySet<number>, index: CourseIndex): string[] {
  const names = rows.flatMap((one, at) => {
    if (!one.sent || reported.has(at + FIRST_ROW) || one.status !== 'accepted' || one.ended !== null)
      return [];
    const now = index.person(one.who);
    const isIn = now?.groups.includes(one.where) === true;
    return isIn && now.ended !== null ? [`${one.person} (${one.group}, ${now.ended})`] : [];
  });
  if (names.length === 0) return [];
  const them =
    names.length === 1
      ? 'The enrolment of 1 group member in the course has'
      : `The enrolments of ${grouped(names.length)} group members in the course have`;
  return [
    `${them} ended since the review: ${listed(names)}. Check in the LMS whether they should be in the group.`,
  ];
}

function leadersWords(missing: readonly Expected[]): string[] {
  if (missing.length === 0) return [];
  const who = listed(missing.map(({ person, group }) => `${person} (${group})`));
  const what =
    missing.length === 1
      ? '1 person does not lead the group again'
      : `${grouped(missing.length)} people do not lead their groups again`;
  return [
    `According to the LMS, ${what}: ${who}. Check the leaders in the LMS, and choose them again if needed.`,
  ];
}

type Expected = Pick<UnchangedMember, 'who' | 'where' | 'person' | 'group'> & { isMember: boolean };

/** Returns which people should be in which groups after the import, and which should not. */
function expectedOf({ rows, same = [] }: KeptMembers, reported: ReadonlySet<number>): Expected[] {
  const sent = rows.filter((one, at) => one.sent && !reported.has(at + FIRST_ROW));
  return [
    ...sent.map((one) => ({ ...one, isMember: one.status === 'accepted' })),
    // People already in the right group needed no row, and may have left since.
    ...same.filter((one) => !one.told).map((one) => ({ ...one, isMember: one.fate === 'already' })),
  ];
}
