/** Which events belong together in a course: merged ones, and those of sections (OP-66, OP-71). */
import { shown } from '@lms-admin/domain/timetable-feed';
import type { Calendar, CalendarEvent, Family } from './calendar.ts';

/** The family of an event that was named before; a synchroniser may have made it again since. */
export function familyAgain(
  { of, families }: Calendar,
  { event, reservation }: { event: number; reservation: string | null },
): Family | null {
  const again = () => families.find(({ own }) => own.reservationId === reservation) ?? null;
  return of.get(event) ?? (reservation === null ? null : again());
}

/** The main event that this one is merged with; null: it is not, or the main event is no longer there. */
export function mainOf(calendar: Calendar, family: Family): Family | null {
  const parentId = family.own.record?.parentId ?? null;
  if (parentId === null) return null;
  return calendar.families.find((one) => one.own.record?.id === parentId && one !== family) ?? null;
}

/** The events that are merged with this one. */
export function childrenOf(calendar: Calendar, family: Family): Family[] {
  const id = family.own.record?.id;
  if (id === undefined) return [];
  return calendar.families.filter((one) => one.own.record?.parentId === id && one !== family);
}

/** Whether a text of any event names the meeting: somebody may have written its link there by hand. */
export function isNamed({ families }: Calendar, number: number): boolean {
  return families
    .flatMap(({ own, parts }) => [own, ...parts])
    .some(({ event: { description, location_address: address, location_name: name } }) =>
      [description, address, name].some((text) => text?.includes(`/${number}`)),
    );
}

/** What Canvas shows behind the title of a section's event (reference §14.2); null: nothing. */
export function sectionName(event: CalendarEvent, parent: CalendarEvent): string | null {
  if (!event.title.startsWith(parent.title)) return shown(event.title) || null;
  const name = /^\s*\((.*)\)$/s.exec(event.title.slice(parent.title.length))?.[1];
  return name === undefined ? null : shown(name);
}
