/** Merged events whose main event was deleted in the LMS: the group keeps its link, host and visibility (OP-71). */
import { type CalendarEvent, calendarEvent, type Family, type Slot } from './calendar-event.ts';
import { isOver, unfit } from './problems.ts';
import type { RecordPatch, ZoomRecord } from './records.ts';

/** A record that changes because the main event of its group was deleted. */
export interface Inherited {
  id: number;
  patch: RecordPatch;
}

interface Groups {
  families: readonly Family[];
  records: readonly ZoomRecord[];
  /** Records for which the LMS has no event, including those of other courses. */
  orphans: readonly ZoomRecord[];
  /** The main event's record for the record that an event names: another event may have replaced that one. */
  topOf: (id: number) => number;
}

/**
 * Makes one of the merged events the main event of each group that has lost its own: the next one, or otherwise the
 * last one. The lost event becomes a merged one, so that it belongs to the group again if a synchroniser recreates
 * it; the two exchange their meetings, so that none is forgotten. From then on, its record belongs to the same
 * course. The slots of the families are changed in place.
 * @returns what is to be stored
 */
export function passOn({ families, records, orphans, topOf }: Groups, now: Date): Inherited[] {
  const isMember = (record: ZoomRecord | null, main: ZoomRecord) =>
    record?.parentId != null && topOf(record.parentId) === main.id;
  const changes: Inherited[] = [];
  for (const lost of orphans) {
    const members = families.filter(({ own }) => isMember(own.record, lost));
    const next = nextOf(
      members.map(({ own }) => own.event),
      now,
    );
    const heir = members.find(({ own }) => own.event === next);
    const record = heir?.own.record;
    if (!heir || !record) continue;
    const { meeting, making, visible } = lost;
    const patches = new Map<number, RecordPatch>([
      [record.id, { parentId: null, meeting, making, visible }],
      [
        lost.id,
        { courseId: record.courseId, parentId: record.id, meeting: record.meeting, making: record.making },
      ],
    ]);
    for (const one of records)
      if (isMember(one, lost) && one.id !== record.id) patches.set(one.id, { parentId: record.id });
    for (const { own } of members)
      if (own.record) own.record = { ...own.record, ...patches.get(own.record.id) };
    changes.push(...[...patches].map(([id, patch]) => ({ id, patch })));
  }
  return changes;
}

/**
 * Merges events with the current main event of their group, if that is in the same course again. The slots of the
 * families are changed in place.
 * @returns what is to be stored
 */
export function rejoin({ families, topOf }: Pick<Groups, 'families' | 'topOf'>): Inherited[] {
  const here = new Set(families.map(({ own }) => own.record?.id));
  return families.flatMap(({ own }) => {
    const { record } = own;
    const parentId = record?.parentId ? topOf(record.parentId) : null;
    if (!record || parentId === record.parentId || !here.has(parentId ?? 0)) return [];
    own.record = { ...record, parentId };
    return [{ id: record.id, patch: { parentId } }];
  });
}

/** Returns the successor of a main event. An event with section times has no shared link, and cannot be a main event. */
export function nextOf(events: readonly CalendarEvent[], now: Date): CalendarEvent | undefined {
  const startOf = ({ start_at }: CalendarEvent) => Date.parse(start_at ?? '');
  const able = events
    .filter((event) => !event.hidden && unfit(event) === null)
    .sort((a, b) => startOf(a) - startOf(b) || a.id - b.id);
  return able.find((event) => !isOver(event, now)) ?? able.at(-1);
}

/** Returns deleted main events without a possible successor, as recorded, by their records. */
export function lostMains({ families, orphans }: Pick<Groups, 'families' | 'orphans'>): Map<number, Family> {
  const parents = new Set(families.map(({ own }) => own.record?.parentId));
  return new Map(
    orphans
      .filter(({ id }) => parents.has(id))
      .map((record) => {
        const { sectionId, reservationId } = record;
        const own: Slot = { event: eventOf(record), sectionId, reservationId, record };
        return [record.id, { own, parts: [own], isLost: true }];
      }),
  );
}

/** Returns an event as recorded. */
export function eventOf({ eventId, courseId, title, startAt, endAt, updatedAt }: ZoomRecord): CalendarEvent {
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return calendarEvent.parse({
    id: eventId,
    title,
    start_at: iso(startAt),
    end_at: iso(endAt),
    context_code: `course_${courseId}`,
    created_at: updatedAt.toISOString(),
  });
}
