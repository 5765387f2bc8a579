/** Main events of other courses: an event moved in the LMS keeps its group's link, host and visibility. */
import type { Family, Slot } from './calendar-event.ts';
import { eventOf } from './lost-main.ts';
import type { RecordStore, Stored, ZoomRecord } from './records.ts';

/** Name of a main event in another course: the person may not be allowed to see that course. */
export const ELSEWHERE = 'an event of another course';

export interface MainsElsewhere {
  /** Main events by the records that name them. */
  mains: Map<number, ZoomRecord>;
  meetings: Stored['meetings'];
}

/**
 * Finds main events of other courses for these records. If such an event has itself been merged, finds its main
 * event.
 */
export async function mainsElsewhere(
  store: RecordStore,
  records: readonly ZoomRecord[],
): Promise<MainsElsewhere> {
  const known = new Map(records.map((record) => [record.id, record]));
  const found: MainsElsewhere = { mains: new Map(), meetings: new Map() };
  const named = new Set(records.flatMap(({ parentId }) => parentId ?? []));
  const first = [...named].filter((id) => !known.has(id));
  for (let missing = first; missing.length > 0; ) {
    const { records: more, meetings } = await store.byIds(missing);
    for (const record of more) known.set(record.id, record);
    for (const [number, row] of meetings) found.meetings.set(number, row);
    missing = more.flatMap(({ parentId }) => (parentId !== null && !known.has(parentId) ? parentId : []));
  }
  for (const id of first) {
    let main = known.get(id);
    const seen = new Set<number>();
    while (main && main.parentId !== null && !seen.has(main.id)) {
      seen.add(main.id);
      main = known.get(main.parentId);
    }
    if (main) found.mains.set(id, main);
  }
  return found;
}

/** Returns a main event as it appears in the calendar of the other course. */
export function familyElsewhere(record: ZoomRecord): Family {
  const { sectionId, reservationId } = record;
  const own: Slot = { event: { ...eventOf(record), title: ELSEWHERE }, sectionId, reservationId, record };
  return { own, parts: [own], isLost: true, isElsewhere: true };
}

/**
 * Finds the main event's record for the record that an event names. The named record may itself have been merged,
 * here or in another course, after its event was replaced.
 */
export function topIn(
  records: readonly ZoomRecord[],
  { mains }: Pick<MainsElsewhere, 'mains'>,
): (id: number) => number {
  const parents = new Map(records.map(({ id, parentId }) => [id, parentId]));
  return (id) => {
    const seen = new Set<number>();
    let top = id;
    for (let next: number | null = id; next !== null && !seen.has(next); ) {
      seen.add(next);
      top = next;
      next = parents.get(next) ?? mains.get(next)?.id ?? null;
    }
    return top;
  };
}
