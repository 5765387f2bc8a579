/** Links in an event's texts that are not those of its record: written by people, or copied from another event. */
import { withoutBlock } from '@lms-admin/domain/zoom-block';
import { linksInTexts, type MeetingLink } from '@lms-admin/domain/zoom-links';
import type { CalendarEvent, Family } from './calendar-event.ts';
import type { Did } from './did.ts';
import type { EngineParts } from './engine-parts.ts';
import { nameOf } from './families.ts';
import { EventProblem, isOver } from './problems.ts';
import type { RecordStore } from './records.ts';
import { guestDead, guestWords } from './sections-elsewhere.ts';
import { showLinks } from './shown-links.ts';
import type { SlotMeetings } from './slot-meetings.ts';

const COPIED = 'It has the link of another event, which is left as it is.';
const WRITTEN = 'It has a link of its own, which is left as it is.';
const OTHER_TIME =
  'Its link was copied from another event and leads to a meeting at another time: publish this event to give it a meeting of its own.';

/** The links of an event, by whether LMS Admin removes them when it hides the event. */
export interface LinksOfTexts {
  /** In our block, or our link as the address of the place. */
  ours: MeetingLink[];
  /** In what people have written. */
  written: MeetingLink[];
}

/** Which links stand in an event's texts. */
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
   * Checks the links of an event that has no record. One that was copied from another event and leads nowhere is removed.
   * @param canPublish whether it may have a meeting of its own
   * @returns why a run leaves the event alone; null: it has no link
   * @throws EventProblem, CanvasError, ZoomError
   */
  async ofUnknown(family: Family, did: Did, canPublish: boolean): Promise<string | null> {
    const { records, zoom, canvas, calendar } = this.#parts;
    const { own } = family;
    const { ours, written } = await linksOf(own.event, records, zoom.links);
    const dead = await this.#dead(ours);
    if (dead.length > 0) {
      await showLinks({ ...this.#parts, bases: zoom.links }, family, []);
      did.linksRemoved.push(nameOf(family, calendar.zone));
    }
    await this.#warnOf(written, did);
    if (written.length > 0) return WRITTEN;
    if (ours.length === 0 || dead.length > 0) return null;
    const over = isOver(own.event, canvas.now());
    if (canPublish && !over && (await this.#isElsewhen(own.event, ours))) throw new EventProblem(OTHER_TIME);
    return COPIED;
  }

  /** Checks the links of an event that belongs to another course, which has written them. @returns why a run leaves it alone @throws EventProblem, ZoomError */
  async ofGuest(family: Family): Promise<string> {
    if (await this.hasDead(family)) throw guestDead(family);
    return guestWords(family.own.event);
  }

  /** Whether a link of ours in an event's texts leads to no meeting that can be held. */
  async hasDead({ own }: Family): Promise<boolean> {
    const { records, zoom } = this.#parts;
    const { ours } = await linksOf(own.event, records, zoom.links);
    return (await this.#dead(ours)).length > 0;
  }

  /** Checks what people have written into an event that has a record. */
  async ofKnown({ own }: Family, did: Did): Promise<void> {
    const { records, zoom } = this.#parts;
    const { written } = await linksOf(own.event, records, zoom.links);
    await this.#warnOf(written, did);
  }

  /** Meetings of ours have one time; those that people have made may be for many events. */
  async #isElsewhen({ start_at, hidden }: CalendarEvent, links: readonly MeetingLink[]): Promise<boolean> {
    if (start_at === null || hidden) return false;
    const known = await this.#parts.records.known(links.map(({ number }) => number));
    for (const { number } of links) {
      const start = known.has(number) ? await this.#startOf(number) : null;
      if (start && Math.abs(Date.parse(start) - Date.parse(start_at)) >= 1_000) return true;
    }
    return false;
  }

  /** When a meeting of ours begins: as the event says whose it is, which a run may be about to move it to. */
  async #startOf(number: number): Promise<string | null> {
    const slots = this.#parts.calendar.families.flatMap(({ parts }) => parts);
    const owner = slots.find(({ record }) => record?.meeting === number);
    return owner?.event.start_at ?? (await this.#meetings.read(number))?.start ?? null;
  }

  async #warnOf(links: readonly MeetingLink[], did: Did): Promise<void> {
    for (const { number } of await this.#dead(links))
      did.warnings.push(
        `Its text has a link to meeting ${number}, which is not in the school’s Zoom account or cannot be held: correct the text in the LMS.`,
      );
  }

  async #dead(links: readonly MeetingLink[]): Promise<MeetingLink[]> {
    const dead: MeetingLink[] = [];
    for (const link of links) {
      const isHeld = await this.#meetings.isHeld(link.number).catch((error: unknown) => {
        // Such as the number of a webinar: it is there.
        if (error instanceof EventProblem) return true;
        throw error;
      });
      if (!isHeld) dead.push(link);
    }
    return dead;
  }
}
