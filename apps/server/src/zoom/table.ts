/** Calendar events for the browser: the LMS's answer, page by page, with the data from the records (ZC-15). */

import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { ZoomEvent } from '@lms-admin/contract/zoom';
import { matchReservations } from '@lms-admin/domain/timetable-matching';
import { withoutBlock } from '@lms-admin/domain/zoom-block';
import { linksInTexts, type MeetingLink, meetingOfLink } from '@lms-admin/domain/zoom-links';
import type { Logger } from 'pino';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { mapLimited } from '../platform/limited.ts';
import type { Timetable } from '../timetable/timetable.ts';
import type { ZoomClient } from '../zoom-api/types.ts';
import { knownPairs, logDisputes, readCalendar, reservationsFor } from './calendar.ts';
import { type CalendarEvent, courseOf, sectionOf } from './calendar-event.ts';
import { ELSEWHERE, mainsElsewhere } from './main-elsewhere.ts';
import { findEvent } from './one-event.ts';
import { type MeetingRow, RecordIndex, type RecordPatch, type ZoomRecord, ZoomRecords } from './records.ts';

/** Main events that are looked for at the same time. */
const AT_ONCE = 6;

export interface TableParts {
  canvas: CanvasClient;
  db: Database;
  config: Config;
  scope: Scope;
  timetable: Timetable;
  zoom: ZoomClient;
  identity: LmsIdentity;
  log: Logger;
}

/** Records for the events of a page. */
interface Known {
  records: RecordIndex;
  meetings: ReadonlyMap<number, MeetingRow>;
  of: ReadonlyMap<number, ZoomRecord>;
  reservations: ReadonlyMap<number, string>;
  /** Main events of other courses, by the records that name them. */
  elsewhere: ReadonlyMap<number, ZoomRecord>;
}

/** Adds data from the records, and removes fields that the browser does not need, with one database query. */
export async function withRecords(
  parts: TableParts,
  admin: Admin,
  events: readonly ZoomEvent[],
): Promise<ZoomEvent[]> {
  if (events.length === 0) return [];
  const known = await readKnown(parts, admin, events);
  return events.map((event) => joined(parts, event, known, events));
}

/** Returns the latest change of an event, its record, or the meeting that it links to. */
export async function changedAt(
  parts: TableParts,
  admin: Admin,
  event: CalendarEvent,
  shown: ZoomEvent,
): Promise<Date> {
  const known = await readKnown(parts, admin, [shown]);
  const record = known.of.get(event.id) ?? null;
  const top = event.parent_event_id === null ? record : topOf(shown, record, known);
  const main = mainRecord(top, known);
  const changes = [record, top, main].flatMap((one) => {
    const row = known.meetings.get(one?.meeting ?? 0);
    return [one?.updatedAt, row?.updatedAt, row?.goneAt];
  });
  const times = changes.flatMap((at) => (at ? [at.getTime()] : []));
  return new Date(Math.max(Date.parse(event.updated_at ?? event.created_at), ...times));
}

/** Finds the current LMS, and refreshes an old timetable, while the LMS reads the events. */
export function beginRecords({ identity, timetable }: TableParts, admin: Admin): void {
  const now = new Date();
  // A failure here is repeated, and reported, where the value is needed.
  identity.lastSeen(admin.token).catch(() => {});
  timetable.reservations('', now, now).catch(() => {});
}

async function readKnown(parts: TableParts, admin: Admin, events: readonly ZoomEvent[]): Promise<Known> {
  const { db, identity, scope, timetable, log } = parts;
  const store = new ZoomRecords(db.db, await identity.lastSeen(admin.token));
  const courses = [...new Set(events.flatMap((event) => courseOf(event) ?? []))];
  const stored = await store.ofCourses(
    courses,
    events.map(({ id }) => id),
  );
  const elsewhere = await mainsElsewhere(store, stored.records);
  const reservations = new Map<number, string>();
  for (const id of courses) {
    const own = events.filter((event) => courseOf(event) === id);
    const sisId = (await scope.course(admin, id))?.sis_course_id ?? null;
    const facts = own.map((event) => ({
      ...event,
      title: event.title ?? '',
      description: event.description ?? null,
      location_name: event.location_name ?? null,
      parent_event_id: event.parent_event_id ?? null,
    }));
    const pairs = knownPairs(stored.records.filter(({ courseId }) => courseId === id));
    const matches = matchReservations(facts, await reservationsFor(timetable, sisId, own), pairs);
    logDisputes(log, id, matches);
    for (const [event, { reservationId }] of matches.of) reservations.set(event, reservationId);
  }
  const keys = events.map((event) => ({
    courseId: courseOf(event) ?? 0,
    sectionId: sectionOf(event),
    reservationId: reservations.get(event.id) ?? null,
    eventId: event.id,
  }));
  const before = new RecordIndex(stored.records);
  const changes = await inherited(parts, admin, store, {
    records: before,
    of: before.assign(keys),
    elsewhere: elsewhere.mains,
  });
  const records =
    changes.size === 0
      ? before
      : new RecordIndex(stored.records.map((one) => ({ ...one, ...changes.get(one.id) })));
  const of = records.assign(keys);
  await store.follow(
    [...of].flatMap(([eventId, record]) => (record.eventId === eventId ? [] : [{ id: record.id, eventId }])),
  );
  const meetings = new Map([...elsewhere.meetings, ...stored.meetings]);
  return { records, meetings, of, reservations, elsewhere: elsewhere.mains };
}

/** Returns the changes that the next change or run will record because main events were deleted in the LMS, by record. */
async function inherited(
  parts: TableParts,
  admin: Admin,
  store: ZoomRecords,
  { records, of, elsewhere }: Pick<Known, 'records' | 'of' | 'elsewhere'>,
): Promise<Map<number, RecordPatch>> {
  const standing = new Set([...of.values()].map(({ id }) => id));
  const away = new Map(
    [...of.values()].flatMap(({ parentId, courseId }) => {
      const main = records.get(parentId) ?? elsewhere.get(parentId ?? 0);
      return main && !standing.has(main.id) ? [[`${main.id} ${courseId}`, { main, courseId }] as const] : [];
    }),
  );
  const asking = { token: admin.token };
  const gone = await mapLimited([...away.values()], AT_ONCE, async ({ main, courseId }) => {
    const found = await findEvent(parts.canvas, main.eventId, asking).catch((error: unknown) => {
      if (error instanceof CanvasError) return 'unseen' as const;
      throw error;
    });
    if (found === 'unseen') return [];
    const isAway = found === 'gone' || (main.courseId === courseId && courseOf(found) !== courseId);
    return isAway ? [courseId] : [];
  });
  // The main event may have been recreated as another event: only the whole calendar shows that.
  const courses = [...new Set(gone.flat())];
  const calendars = await mapLimited(courses, AT_ONCE, (course) =>
    readCalendar(parts, store, course, asking),
  );
  return new Map(calendars.flatMap((one) => one.inherited.map(({ id, patch }) => [id, patch])));
}

function joined(parts: TableParts, event: ZoomEvent, known: Known, page: readonly ZoomEvent[]): ZoomEvent {
  const { description: _text, location_name: _name, location_address: _address, ...shown } = event;
  const record = known.of.get(event.id) ?? null;
  // Visibility and merge of a section's event are those of the course's event.
  const top = event.parent_event_id == null ? record : topOf(event, record, known);
  const main = mainRecord(top, known);
  const own = event.hidden ? null : meetingOf(record, known);
  const meeting = main ? meetingOf(main, known) : own;
  const text = main || meeting || event.hidden ? null : linkInText(parts, event, known);
  // Only links of the configured host count, even if Zoom answers with another one.
  const joinUrl = meeting && meetingOfLink(meeting.joinUrl, parts.zoom.links) ? meeting.joinUrl : null;
  const link = event.hidden && !main ? null : (joinUrl ?? text?.link ?? null);
  const visible = (main ?? top)?.visible ?? false;
  const mainEvent = main && (eventOf(main, known) ?? main.eventId);
  const reservation = known.reservations.get(event.id) ?? record?.reservationId ?? null;
  return {
    ...shown,
    id_local: record?.id ?? null,
    te_reservation_id: reservation,
    time_edit_reservation_id: reservation,
    zoom_link: link,
    zoom_owner: meeting?.hostEmail ?? null,
    zoom_alternative_host: meeting?.coHosts ?? '',
    // A link in the event's own text is visible to everyone.
    zoom_visibility: visible || text !== null ? 1 : 0,
    zoom_texts: textsOf(event, { visible: visible || text !== null, link, known }, parts.zoom.links),
    zoom_parent_id: mainEvent ?? null,
    zoom_parent_title:
      main &&
      titleOf(
        main,
        event,
        page.find(({ id }) => id === mainEvent),
      ),
    ics: icsAddress(parts, event, link),
  };
}

/** Returns a link in the texts of an event; for an event with section times, in the texts of any of its sections. */
function linkInText({ zoom }: TableParts, event: ZoomEvent, { records, of }: Known): MeetingLink | null {
  const isSection = (event.parent_event_id ?? null) !== null;
  const own = of.get(event.id)?.id;
  const isOthers = ({ number }: MeetingLink) =>
    records.all.some(({ id, sectionId, meeting }) => id !== own && sectionId > 0 && meeting === number);
  return linksInTexts(event, zoom.links).find((link) => !isSection || !isOthers(link)) ?? null;
}

/**
 * Returns the event's texts, if students see something other than what the columns show. Each section has a link of
 * its own.
 */
function textsOf(
  event: ZoomEvent,
  { visible, link, known }: { visible: boolean; link: string | null; known: Known },
  bases: readonly string[],
): ZoomEvent['zoom_texts'] {
  const there = linksInTexts(event, bases);
  if (there.length === 0) return visible ? 'no-link' : null;
  if (!visible) return 'a-link';
  const number = link === null ? null : (meetingOfLink(link, bases)?.number ?? null);
  if (number === null) return null;
  const isOther = (one: MeetingLink) => one.number !== number;
  if (there.every(isOther)) return 'other-link';
  // A link that a person wrote is kept as well; a copied line or location is replaced. A section has the lines of all
  // sections.
  const isSection = (event.parent_event_id ?? null) !== null;
  return !isSection && copiesIn(event, known, bases).some(isOther) ? 'other-link' : null;
}

/** Returns the links in LMS Admin's lines, and in the location if it leads to one of its meetings. */
function copiesIn(event: ZoomEvent, { meetings }: Known, bases: readonly string[]): MeetingLink[] {
  const description = event.description ?? '';
  const written = linksInTexts({ description: withoutBlock(description) }, bases);
  const isWritten = ({ number }: MeetingLink) => written.some((one) => one.number === number);
  const place = linksInTexts({ location_address: event.location_address }, bases);
  return [
    ...linksInTexts({ description }, bases).filter((one) => !isWritten(one)),
    ...place.filter(({ number }) => meetings.has(number)),
  ];
}

/** Returns the record of the main event of this one; null if it is not merged. */
function mainRecord(top: ZoomRecord | null, { records, elsewhere }: Known): ZoomRecord | null {
  const seen = new Set<number>();
  let main: ZoomRecord | null = null;
  // A replaced main event has itself been merged.
  for (let id = top?.parentId ?? null; id !== null && !seen.has(id); id = main?.parentId ?? null) {
    seen.add(id);
    main = records.get(id) ?? elsewhere.get(id) ?? null;
  }
  return main;
}

/** Returns the title of a main event; the admin may not be allowed to see titles of other courses. */
function titleOf(main: ZoomRecord, event: ZoomEvent, shown: ZoomEvent | undefined): string {
  if (shown?.title) return shown.title;
  return main.courseId === courseOf(event) ? main.title : ELSEWHERE;
}

/** Returns the record of the course's event for a section's event, whichever page it is on. */
function topOf(event: ZoomEvent, record: ZoomRecord | null, { of, records }: Known): ZoomRecord | null {
  const parent = event.parent_event_id ?? 0;
  const onPage = of.get(parent);
  if (onPage) return onPage;
  const reservation = record?.reservationId ?? null;
  const courseId = courseOf(event) ?? 0;
  const key = { courseId, sectionId: 0, reservationId: reservation, eventId: parent };
  return records.assign([key]).get(parent) ?? null;
}

/** Returns the current event of a record on this page, if it is not the recorded one. */
function eventOf(record: ZoomRecord, { of }: Known): number | null {
  for (const [event, { id }] of of) if (id === record.id) return event;
  return null;
}

function meetingOf(record: Pick<ZoomRecord, 'meeting'> | null, { meetings }: Known): MeetingRow | null {
  const row = meetings.get(record?.meeting ?? 0);
  return row && row.goneAt === null ? row : null;
}

/**
 * Returns the address of an event's calendar file (OP-101); null if its link leads to no meeting of the configured
 * host.
 */
function icsAddress({ zoom, config }: TableParts, event: ZoomEvent, link: string | null): string | null {
  const found = link === null ? null : meetingOfLink(link, zoom.links);
  const course = courseOf(event);
  if (!found || course === null) return null;
  const pattern = config.zoom?.icsPattern ?? null;
  if (pattern === null)
    return ENDPOINTS.zoomIcs.replace(':course', String(course)).replace(':event', String(event.id));
  return pattern.replaceAll('{host}', new URL(found.link).host).replaceAll('{number}', String(found.number));
}
