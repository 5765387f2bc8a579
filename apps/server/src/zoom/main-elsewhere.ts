/** Main events of other courses: an event that was merged and then moved in the LMS keeps link, host and visibility of its group. */
import type { Family, Slot } from './calendar-event.ts';
import { eventOf } from './lost-main.ts';
import type { RecordStore, Stored, ZoomRecord } from './records.ts';

/** What such a main event is called: its course may be none of those that the person may see. */
export const ELSEWHERE = 'an event of another course';

export interface MainsElsewhere {
  /** By the record that names them. */
  mains: Map<number, ZoomRecord>;
  meetings: Stored['meetings'];
}

/** The records with which these are merged, where they are of other courses; of one that is itself merged by now, its main event's. */
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

/** Such a main event, as the calendar of another course has it. */
export function familyElsewhere(record: ZoomRecord): Family {
  const { sectionId, reservationId } = record;
  const own: Slot = { event: { ...eventOf(record), title: ELSEWHERE }, sectionId, reservationId, record };
  return { own, parts: [own], isLost: true, isElsewhere: true };
}
