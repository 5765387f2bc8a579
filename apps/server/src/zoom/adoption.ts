/**
 * Recovery after a restored backup: LMS Admin does not know meetings created since the backup, and must not create
 * them again. A meeting of LMS Admin without a record, created between backup and restore, belongs to the event that
 * its text links to, or to the one with the same host, title and times.
 */
import { emailKey } from '@lms-admin/domain/emails';
import { meetingDetails } from '@lms-admin/domain/zoom-decisions';
import { linksInTexts } from '@lms-admin/domain/zoom-links';
import { ZoomError, type ZoomMeeting } from '../zoom-api/types.ts';
import { zoomTopic } from '../zoom-api/wire.ts';
import type { Family, Slot } from './calendar-event.ts';
import type { DesiredState, EngineParts } from './engine-parts.ts';
import type { EventChanges } from './event-changes.ts';
import { namesMeeting, timedBy, withMeetings } from './families.ts';
import { isOwnMeeting } from './leftovers.ts';
import type { Meetings } from './meetings.ts';
import { zoomProblem } from './problems.ts';
import type { Gap } from './records.ts';

/** Allows for a different clock in Zoom (milliseconds). */
const MARGIN_MS = 300_000;

export class Adoption {
  readonly #parts: EngineParts;
  readonly #meetings: Meetings;
  readonly #lists = new Map<string, Promise<readonly ZoomMeeting[]>>();
  #gap: Promise<Gap | null> | null = null;

  constructor(parts: EngineParts, meetings: Meetings) {
    this.#parts = parts;
    this.#meetings = meetings;
  }

  /** Links the records of an event to the meetings created since the backup. Does nothing without a restore. */
  async adopt(family: Family, desired: DesiredState, changes: EventChanges): Promise<void> {
    this.#gap ??= this.#parts.records.gap();
    const gap = await this.#gap;
    if (gap === null || family.isElsewhere || family.isGuest) return;
    try {
      for (const slot of withMeetings(this.#parts.calendar, family)) {
        const found = await this.#lost(family, slot, desired, gap);
        if (!found) continue;
        await this.#meetings.adopt(slot, found, await this.#hostOf(found));
        changes.warnings.push(
          `Its meeting (${found.number}) was created after the backup that was restored, and is kept.`,
        );
        // Students already see this meeting's link.
        if (!namesMeeting(family.own.event, found.number) || family.own.record?.visible) continue;
        await this.#meetings.keepRecord(family.own, { visible: true });
      }
    } catch (error) {
      throw error instanceof ZoomError ? zoomProblem(error) : error;
    }
  }

  async #lost(family: Family, slot: Slot, desired: DesiredState, gap: Gap): Promise<ZoomMeeting | null> {
    const { calendar, canvas, records, zoom } = this.#parts;
    const { record } = slot;
    // A meeting recorded as being created is found by its marker.
    if (record?.making && !record.making.made) return null;
    const { start_at: start, end_at: end } = timedBy(calendar, family, slot, canvas.now());
    if (start === null || end === null) return null;
    const details = meetingDetails({ title: slot.event.title, start, end });
    const isLost = async ({ number, agenda, createdAt, start: begins }: ZoomMeeting) =>
      isOwnMeeting(agenda) &&
      Date.parse(createdAt) >= gap.from.getTime() - MARGIN_MS &&
      Date.parse(createdAt) <= gap.to.getTime() + MARGIN_MS &&
      Date.parse(begins ?? '') === Date.parse(details.start) &&
      (await records.usersOf(number)).length === 0;
    const current = record?.meeting ?? null;
    for (const event of new Set([slot.event, family.own.event])) {
      for (const { number } of linksInTexts(event, zoom.links)) {
        const meeting = number === current ? null : await this.#meetings.read(number);
        if (meeting && (await isLost(meeting))) return meeting;
      }
    }
    if (current !== null && (await this.#meetings.read(current))) return null;
    const before = calendar.meetings.get(current ?? 0)?.hostEmail ?? null;
    const hosts = [desired.owner, before, zoom.defaultOwner].filter((one) => one !== null);
    for (const host of new Set(hosts.map(emailKey))) {
      for (const meeting of await this.#ofHost(host)) {
        if (meeting.topic === zoomTopic(details.topic) && (await isLost(meeting))) return meeting;
      }
    }
    return null;
  }

  #ofHost(host: string): Promise<readonly ZoomMeeting[]> {
    const { zoom, signal } = this.#parts;
    const known = this.#lists.get(host);
    if (known) return known;
    const listing = zoom.meetingsOf(host, signal).catch((error: unknown) => {
      if (error instanceof ZoomError && error.reason === 'host-gone') return [];
      this.#lists.delete(host);
      throw error;
    });
    this.#lists.set(host, listing);
    return listing;
  }

  async #hostOf({ hostEmail, hostId }: ZoomMeeting): Promise<string> {
    const { zoom, signal } = this.#parts;
    return emailKey(hostEmail ?? (await zoom.user(hostId, signal))?.email ?? '');
  }
}
