/** What becomes of merged events whose main event is no longer in the LMS: link, host and visibility of the group stay (OP-71). */
import { type CalendarEvent, calendarEvent, type Family, type Slot } from './calendar-event.ts';
import { isOver, unfit } from './problems.ts';
import type { RecordPatch, ZoomRecord } from './records.ts';

/** A record that changes because the main event of its group is gone. */
export interface Inherited {
  id: number;
  patch: RecordPatch;
}

interface Groups {
  families: readonly Family[];
  records: readonly ZoomRecord[];
  /** Records for which the calendar has no event. */
  orphans: readonly ZoomRecord[];
}

/**
 * Makes one of the merged events the main event of each group that has lost its own: the next one, else the last one. The
 * lost event becomes a merged one, so that it belongs to the group again when a synchroniser brings it back; the two
 * exchange their meetings, so that none is forgotten. The slots of the families are changed in place.
 * @returns what is to be stored
 */
export function passOn({ families, records, orphans }: Groups, now: Date): Inherited[] {
  const changes: Inherited[] = [];
  for (const lost of orphans) {
    const members = families.filter(({ own }) => own.record?.parentId === lost.id);
    const heir = heirOf(members, now);
    const record = heir?.own.record;
    if (!heir || !record) continue;
    const { meeting, making, visible } = lost;
    const patches = new Map<number, RecordPatch>([
      [record.id, { parentId: null, meeting, making, visible }],
      [lost.id, { parentId: record.id, meeting: record.meeting, making: record.making }],
    ]);
    for (const { id, parentId } of records)
      if (parentId === lost.id && id !== record.id) patches.set(id, { parentId: record.id });
    for (const { own } of members)
      if (own.record) own.record = { ...own.record, ...patches.get(own.record.id) };
    changes.push(...[...patches].map(([id, patch]) => ({ id, patch })));
  }
  return changes;
}

/** An event that is given by section has no link of everybody, and cannot be a main event. */
function heirOf(members: readonly Family[], now: Date): Family | undefined {
  const startOf = ({ own }: Family) => Date.parse(own.event.start_at ?? '');
  const able = members
    .filter(({ own }) => !own.event.hidden && unfit(own.event) === null)
    .sort((a, b) => startOf(a) - startOf(b));
  return able.find(({ own }) => !isOver(own.event, now)) ?? able.at(-1);
}

/** A main event that is gone and that no other can replace, as its record has it. By its record. */
export function lostMains({ families, orphans }: Omit<Groups, 'records'>): Map<number, Family> {
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

/** An event as its record has it. */
export function eventOf({ eventId, courseId, title, startAt, endAt, updatedAt }: ZoomRecord): CalendarEvent {
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return calendarEvent.parse({
    // One that was moved to another course has left its record behind under this number below 0.
    id: Math.abs(eventId),
    title,
    start_at: iso(startAt),
    end_at: iso(endAt),
    context_code: `course_${courseId}`,
    created_at: updatedAt.toISOString(),
  });
}
