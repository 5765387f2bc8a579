/** Links in an event's texts other than that of its record: written by people, or copied from another event. */
import { withoutBlock } from '@lms-admin/domain/zoom-block';
import { linksInTexts, type MeetingLink } from '@lms-admin/domain/zoom-links';
import type { CalendarEvent, Family } from './calendar-event.ts';
import type { EngineParts } from './engine-parts.ts';
import { dropLeft, type EventChanges } from './event-changes.ts';
import { nameOf } from './families.ts';
import { EventProblem, isOver } from './problems.ts';
import type { RecordStore } from './records.ts';
import { guestDead, guestWords } from './sections-elsewhere.ts';
import { showLinks } from './shown-links.ts';
import type { SlotMeetings } from './slot-meetings.ts';

const COPIED = 'It has the link of another event. That link is not changed.';
const WRITTEN = 'It has its own link, which is not changed.';
const OTHER_TIME =
  'Its link was copied from another event and leads to a meeting at another time. Publish this event to give it its own meeting.';

/** The links of an event, by whether LMS Admin removes them when it hides the event. */
export interface LinksOfTexts {
  /** Links in LMS Admin's block, or its link in the location address. */
  ours: MeetingLink[];
  /** Links in text that people have written. */
  written: MeetingLink[];
}

/** Finds the links in an event's texts. */
export async function linksOf(
  event: Pick<CalendarEvent, 'description' | 'location_address' | 'location_name'>,
  records: Pick<RecordStore, 'known'>,
  bases: readonly string[],
): Promise<LinksOfTexts> {
  const address = linksInTexts({ location_address: event.location_address }, bases);
  const known = await records.known(address.map(({ number }) => number));
  const isOurs = address.some(({ number }) => known.has(number));
  const rest = withoutBlock(event.description ?? '');
  const written = linksInTexts(
    { ...event, description: rest, location_address: isOurs ? null : event.location_address },
    bases,
  );
  const left = new Set(written.map(({ number }) => number));
  const inBlock =
    rest === (event.description ?? '') ? [] : linksInTexts({ description: event.description }, bases);
  const ours = [...inBlock.filter(({ number }) => !left.has(number)), ...(isOurs ? address : [])];
  return { ours, written };
}

export class OtherLinks {
  readonly #parts: EngineParts;
  readonly #meetings: SlotMeetings;

  constructor(parts: EngineParts, meetings: SlotMeetings) {
    this.#parts = parts;
    this.#meetings = meetings;
  }

  /**
   * Checks the links of an event without a record. A link that was copied from another event and leads nowhere is
   * removed.
   * @param canPublish whether it can have a meeting of its own
   * @returns why a run leaves the event unchanged; null if it has no link
   * @throws EventProblem, CanvasError, ZoomError
   */
  async ofUnknown(family: Family, changes: EventChanges, canPublish: boolean): Promise<string | null> {
    const { records, zoom, canvas, calendar } = this.#parts;
    const { own } = family;
    const { ours, written } = await linksOf(own.event, records, zoom.links);
    const dead = await this.#dead(ours);
    const of = `text ${own.event.id}`;
    const earlier = changes.intents.take(of).includes('linksRemoved');
    if (dead.length > 0)
      await showLinks({ ...this.#parts, bases: zoom.links }, family, [], () =>
        changes.intents.intend(of, ['linksRemoved']),
      );
    if (dead.length > 0 || earlier) changes.linksRemoved.push(nameOf(family, calendar.zone));
    await this.#warnOf(written, changes);
    if (written.length > 0) return WRITTEN;
    if (ours.length === 0 || dead.length > 0) return null;
    const over = isOver(own.event, canvas.now());
    if (canPublish && !over && (await this.#isElsewhen(own.event, ours))) throw new EventProblem(OTHER_TIME);
    return COPIED;
  }

  /**
   * Checks the links of an event that belongs to another course, which has written them.
   * @returns why a run leaves the event unchanged
   * @throws EventProblem, ZoomError
   */
  async ofGuest(family: Family): Promise<string> {
    if (await this.hasDead(family)) throw guestDead(family);
    return guestWords(family.own.event);
  }

  /** Returns whether a link that LMS Admin has written into an event's texts does not lead to a valid meeting. */
  async hasDead({ own }: Family): Promise<boolean> {
    const { records, zoom } = this.#parts;
    const { ours } = await linksOf(own.event, records, zoom.links);
    return (await this.#dead(ours)).length > 0;
  }

  /** Checks the links that people have written into an event with a record. */
  async ofKnown({ own }: Family, changes: EventChanges): Promise<void> {
    const { records, zoom } = this.#parts;
    const { written } = await linksOf(own.event, records, zoom.links);
    await this.#warnOf(written, changes);
  }

  /**
   * Returns whether a link leads to a meeting at another time. Meetings of LMS Admin have one time; meetings that
   * people created may be for many events.
   */
  async #isElsewhen({ start_at, hidden }: CalendarEvent, links: readonly MeetingLink[]): Promise<boolean> {
    if (start_at === null || hidden) return false;
    const known = await this.#parts.records.known(links.map(({ number }) => number));
    for (const { number } of links) {
      const start = known.has(number) ? await this.#startOf(number) : null;
      if (start && Math.abs(Date.parse(start) - Date.parse(start_at)) >= 1_000) return true;
    }
    return false;
  }

  /**
   * Returns the start of a meeting of LMS Admin, according to its event: a run may be about to move the meeting to
   * that time.
   */
  async #startOf(number: number): Promise<string | null> {
    const slots = this.#parts.calendar.families.flatMap(({ parts }) => parts);
    const owner = slots.find(({ record }) => record?.meeting === number);
    return owner?.event.start_at ?? (await this.#meetings.read(number))?.start ?? null;
  }

  async #warnOf(links: readonly MeetingLink[], changes: EventChanges): Promise<void> {
    const dead = await this.#dead(links);
    if (dead.length > 0 && dead.length === links.length) dropLeft(changes);
    for (const { number } of dead)
      changes.warnings.push(
        `Its text has a link to meeting ${number}, which is not in the school’s Zoom account or cannot take place. Correct the text in the LMS.`,
      );
  }

  async #dead(links: readonly MeetingLink[]): Promise<MeetingLink[]> {
    const dead: MeetingLink[] = [];
    for (const link of links) {
      const isHeld = await this.#meetings.isHeld(link.number).catch((error: unknown) => {
        // For example the number of a webinar, which exists.
        if (error instanceof EventProblem) return true;
        throw error;
      });
      if (!isHeld) dead.push(link);
    }
    return dead;
  }
}
