/**
 * People who lead a group that they leave by the rows of a plan: they lead it no more then, and no row can say who does. And those who
 * lead a group again that they come into: the LMS takes up their old membership, and its leadership with it.
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

/** Groups asked about at once; the client decides how many of them are in flight. */
const AT_ONCE = 16;

export interface FoundLeaders {
  leaders: GroupLeaders;
  /** Memberships of leaders that end, by their keys. */
  led: string[];
  /** Memberships with which people lead a group again, by their keys. */
  again: string[];
  /** Groups that could not be asked who leads them. */
  unread: number[];
}

/**
 * @param ledBefore memberships with which people led a group until an import ended them, by their keys: the LMS does not show it
 * @throws CanvasError when a token is refused; the signal's reason
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
  const asked = leaving.map(({ group }) => group);
  const found = await membershipsIn(reading, asked, () => true);
  const ending = leaving.flatMap(({ who, person, group: id }) => {
    const group = index.group(id);
    const leads = who !== null && (group?.leader === who || moderates(found.get(id), who) === true);
    return leads ? [{ key: membershipKey(who, id), person, group: group?.name ?? '' }] : [];
  });
  const unread = [...found].flatMap(([group, those]) => (those === null ? group : []));
  const again = rows.flatMap((row) => leadsAgain(row, index, ledBefore));
  return {
    leaders: {
      who: ending.map(({ person, group }) => ({ person, group })),
      again: again.map(({ person, group }) => ({ person, group })),
      unread: unread.length,
    },
    led: ending.map(({ key }) => key),
    again: again.map(({ key }) => key),
    unread,
  };
}

export interface Ending {
  /** Memberships, by their keys, with which people lead a group that they were to leave. */
  leading: ReadonlySet<string>;
  /**
   * The numbers of the imports that have last written the memberships that were to end, by their keys; null for one made by hand. Those
   * of which the LMS tells nothing are missing.
   */
  writers: ReadonlyMap<string, number | null>;
}

/**
 * The same right before the rows are sent.
 * @param led those of the review, which count where the LMS does not show a group any more
 * @throws CanvasError when the LMS cannot be asked at the moment; the signal's reason
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
    const those = found.get(group);
    if (index.group(group)?.leader === who || (moderates(those, who) ?? led.has(key))) leading.add(key);
    const by = those?.find(({ user_id }) => user_id === who)?.sis_import_id;
    if (by !== undefined) writers.set(key, by);
  }
  return { leading, writers };
}

/**
 * Of those who were to lead a group again, who is not seen to: the LMS takes up the oldest membership of a person, and someone who
 * had been in the group twice led it with a later one.
 * @param index the course after the import
 * @throws CanvasError when the LMS cannot be asked at the moment; the signal's reason
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

/** Whether someone moderates a group with these memberships; null where they could not be read. */
function moderates(those: readonly LmsMembership[] | null | undefined, who: number): boolean | null {
  return those?.some(({ user_id, moderator }) => user_id === who && moderator === true) ?? null;
}

/** The memberships of these groups; null for one that could not be asked, where that is passed over. */
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

function leadsAgain(
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
