/**
 * People who stop leading a group because the rows of a plan remove them from it: no row can set a leader. Also people
 * who lead a group again when they are added: the LMS restores their old membership with its leadership.
 */
import type { GroupLeaders } from '@lms-admin/contract/groups';
import type { CourseIndex } from '@lms-admin/domain/group-course';
import { changes, type MemberRow } from '@lms-admin/domain/group-members';
import type { ReviewedMember } from '@lms-admin/domain/group-recheck';
import { membershipKey } from '@lms-admin/domain/group-undo';
import { type LmsMembership, membershipsOf } from '../canvas/resources/groups.ts';
import type { Reader } from '../canvas/resources/reading.ts';
import { CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';

/** Number of groups looked up at once; the client limits the calls in flight. */
const AT_ONCE = 16;

export interface FoundLeaders {
  leaders: GroupLeaders;
  /** Keys of leaders' memberships that end. */
  led: string[];
  /** Keys of memberships that make people leaders of their group again. */
  again: string[];
  /** Groups whose leaders could not be read. */
  unread: number[];
}

/**
 * @param ledBefore keys of memberships of people who led a group until an import ended the membership, which the LMS
 * does not show
 * @throws CanvasError if a token is refused; the signal's reason
 */
export async function leadersOf(
  reading: Reader,
  rows: readonly MemberRow[],
  index: CourseIndex,
  ledBefore: ReadonlySet<string>,
): Promise<FoundLeaders> {
  const leaving = rows.flatMap((row) =>
    changes(row) ? row.leaves.map((group) => ({ who: row.who, person: row.person ?? '', group })) : [],
  );
  const groupIds = leaving.map(({ group }) => group);
  const found = await membershipsIn(reading, groupIds, () => true);
  const ending = leaving.flatMap(({ who, person, group: id }) => {
    const group = index.group(id);
    const leads = who !== null && (group?.leader === who || moderates(found.get(id), who) === true);
    return leads ? [{ key: membershipKey(who, id), person, group: group?.name ?? '' }] : [];
  });
  const unread = [...found].flatMap(([group, memberships]) => (memberships === null ? group : []));
  const restored = rows.flatMap((row) => leaderships(row, index, ledBefore));
  return {
    leaders: {
      who: ending.map(({ person, group }) => ({ person, group })),
      again: restored.map(({ person, group }) => ({ person, group })),
      unread: unread.length,
    },
    led: ending.map(({ key }) => key),
    again: restored.map(({ key }) => key),
    unread,
  };
}

export interface Ending {
  /** Keys of the leaders' memberships that the rows would end. */
  leading: ReadonlySet<string>;
  /**
   * Id of the import that last wrote each membership that the rows would end, by key; null for one made by hand.
   * Missing if the LMS does not return it.
   */
  writers: ReadonlyMap<string, number | null>;
}

/**
 * Finds the leaders right before the rows are sent.
 * @param led leaders from the review, used if the LMS no longer shows a group
 * @throws CanvasError if the LMS is unavailable; the signal's reason
 */
export async function endingNow(
  reading: Reader,
  rows: readonly ReviewedMember[],
  index: CourseIndex,
  led: ReadonlySet<string>,
): Promise<Ending> {
  const leaving = rows.flatMap(({ who, leaves }) => leaves.map(({ id: group }) => ({ who, group })));
  const there = leaving.flatMap(({ group }) => (index.group(group) === null ? [] : group));
  const isHidden = ({ kind }: CanvasError) => kind === 'not-found' || kind === 'refused';
  const found = await membershipsIn(reading, there, isHidden);
  const leading = new Set<string>();
  const writers = new Map<string, number | null>();
  for (const { who, group } of leaving) {
    const key = membershipKey(who, group);
    const memberships = found.get(group);
    if (index.group(group)?.leader === who || (moderates(memberships, who) ?? led.has(key))) leading.add(key);
    const by = memberships?.find(({ user_id }) => user_id === who)?.sis_import_id;
    if (by !== undefined) writers.set(key, by);
  }
  return { leading, writers };
}

/**
 * Returns people who should lead a group again but do not: the LMS restores a person's oldest membership, but a person
 * who was in the group twice may have led it with a later one.
 * @param index the course after the import
 * @throws CanvasError if the LMS is unavailable; the signal's reason
 */
export async function notLeading<Row extends Pick<ReviewedMember, 'who' | 'where'>>(
  reading: Reader,
  rows: readonly Row[],
  index: CourseIndex,
): Promise<Row[]> {
  const groups = rows.map(({ where }) => where);
  const found = await membershipsIn(
    reading,
    groups,
    ({ kind }) => kind === 'not-found' || kind === 'refused',
  );
  return rows.filter(
    ({ who, where }) => index.group(where)?.leader !== who && moderates(found.get(where), who) !== true,
  );
}

/** Returns whether a person moderates a group with these memberships; null if they could not be read. */
function moderates(memberships: readonly LmsMembership[] | null | undefined, who: number): boolean | null {
  return memberships?.some(({ user_id, moderator }) => user_id === who && moderator === true) ?? null;
}

/** Returns the memberships of these groups; null for a group that could not be read, if that error is ignored. */
async function membershipsIn(
  reading: Reader,
  groups: readonly number[],
  isPassedOver: (error: CanvasError) => boolean,
): Promise<ReadonlyMap<number, readonly LmsMembership[] | null>> {
  const found = await mapLimited([...new Set(groups)], AT_ONCE, async (group) => {
    try {
      return [group, await membershipsOf(reading, group)] as const;
    } catch (error) {
      reading.signal?.throwIfAborted();
      if (!(error instanceof CanvasError) || error.ofToken || !isPassedOver(error)) throw error;
      return [group, null] as const;
    }
  });
  return new Map(found);
}

function leaderships(
  { fate, who, where, person }: MemberRow,
  index: CourseIndex,
  ledBefore: ReadonlySet<string>,
): (GroupLeaders['again'][number] & { key: string })[] {
  if ((fate !== 'add' && fate !== 'move') || who === null || where === null) return [];
  const group = index.group(where);
  const key = membershipKey(who, where);
  if (group?.leader !== who && !ledBefore.has(key)) return [];
  return [{ key, person: person ?? '', group: group?.name ?? '' }];
}
