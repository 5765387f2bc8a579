/**
 * The links that students see in Canvas (OP-103): the block at the end of the description, and the location address if
 * it is empty or LMS Admin's. Nothing else of an event is ever sent, least of all its times.
 */
import {
  type BlockLine,
  type BlockState,
  blockState,
  linksAsWritten,
  withBlock,
  withoutBlock,
} from '@lms-admin/domain/zoom-block';
import { meetingOfLink } from '@lms-admin/domain/zoom-links';
import { z } from 'zod';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import { type CalendarEvent, calendarEvent, type Family } from './calendar-event.ts';
import type { CourseLease } from './course-lease.ts';
import { readEvent } from './one-event.ts';
import { canvasProblem, EventProblem } from './problems.ts';
import type { RecordStore } from './records.ts';

export interface ShownParts {
  canvas: CanvasClient;
  records: RecordStore;
  lease: Pick<CourseLease, 'hold'>;
  token: CanvasToken;
  signal: AbortSignal;
  /** Beginnings of links. */
  bases: readonly string[];
}

/** Longest location address in Canvas, in characters. */
const ADDRESS = 255;

/**
 * Makes the event show exactly these lines; without any it shows no link. An event with section times shows those of
 * all its sections.
 * @param before called before anything is written
 * @returns how the block was found, and whether anything was written
 * @throws EventProblem, CanvasError
 */
export async function showLinks(
  parts: ShownParts,
  { own: { event }, parts: sections }: Family,
  lines: readonly BlockLine[],
  before: (found: FoundBlock) => Promise<void> = async () => {},
): Promise<{ found: FoundBlock; written: boolean }> {
  const { canvas, token, signal, lease, bases } = parts;
  for (const { link } of lines) {
    if (meetingOfLink(link, bases)) continue;
    throw new EventProblem(
      'Zoom returned a link with a web address that is not in the settings of LMS Admin. Contact IT Support.',
    );
  }
  // Everyone sees the location, including students of a section without a link.
  const isForAll = lines.every(({ section }) => section === null) || lines.length === sections.length;
  const toWrite = (of: CalendarEvent) => textsToWrite(parts, of, lines, isForAll);
  if (Object.keys(await toWrite(event)).length === 0)
    return { found: lines.length > 0 ? 'there' : 'missing', written: false };
  // A person may have edited the text since it was read.
  const fresh = await readEvent(canvas, event.id, { token, signal }).catch((error: unknown) => {
    throw canvasProblem(error);
  });
  if (!fresh) throw new EventProblem('This event is no longer in the LMS.');
  const all = [event, ...sections.map((one) => one.event)];
  keepTexts(all, fresh);
  const found = await foundIn(parts, fresh, lines);
  const change = await toWrite(fresh);
  if (Object.keys(change).length === 0) return { found, written: false };
  await before(found);
  lease.hold();
  try {
    const { data } = await canvas.call({
      token,
      signal,
      method: 'PUT',
      path: `calendar_events/${event.id}`,
      body: { calendar_event: change, ...(fresh.series_uuid ? { which: 'one' } : {}) },
      answer: z.union([calendarEvent, z.array(calendarEvent)]),
    });
    // For a series, the LMS returns a list.
    const written = Array.isArray(data) ? data.find(({ id }) => id === event.id) : data;
    keepTexts(all, written ?? fresh);
  } catch (error) {
    throw canvasProblem(error);
  }
  if (lines.length > 0 && blockState(event.description ?? '', lines) !== 'there')
    throw new EventProblem('The LMS did not save the link in the description. Contact IT Support.');
  if (lines.length === 0 && Object.keys(await toWrite(event)).length > 0)
    throw new EventProblem('The LMS did not remove the link from the event. Contact IT Support.');
  return { found, written: true };
}

/** `relinked`: unedited, but an event has another link now. `outdated`: for former sections or names. */
export type FoundBlock = BlockState | 'relinked' | 'outdated';

/** Returns the state of the found block: text that LMS Admin wrote for an earlier state does not count as edited. */
export async function foundIn(
  { records, bases }: Pick<ShownParts, 'records' | 'bases'>,
  event: CalendarEvent,
  lines: readonly BlockLine[],
): Promise<FoundBlock> {
  const state = blockState(event.description ?? '', lines);
  const links = state === 'edited' ? linksAsWritten(event.description ?? '') : null;
  if (links === null) return state;
  const numbers = links.flatMap((link) => meetingOfLink(link, bases)?.number ?? []);
  const known = await records.known(numbers);
  if (numbers.length < links.length || numbers.some((number) => !known.has(number))) return state;
  return lines.every(({ link }) => links.includes(link)) ? 'outdated' : 'relinked';
}

/** Returns the texts that have to be written. */
async function textsToWrite(
  { records, bases }: Pick<ShownParts, 'records' | 'bases'>,
  { description, location_address, hidden }: CalendarEvent,
  lines: readonly BlockLine[],
  isForAll: boolean,
): Promise<{ description?: string; location_address?: string }> {
  const before = description ?? '';
  const after = lines.length > 0 ? withBlock(before, lines) : withoutBlock(before, hidden);
  const address = location_address ?? '';
  const place = meetingOfLink(address, bases);
  // A link from another person stays in the location.
  const ours = place !== null && (await records.known([place.number])).has(place.number);
  // The location holds only one link: if each section has its own, only the block shows them.
  const [only, ...others] = new Set(lines.map(({ link }) => link));
  const link = isForAll && only !== undefined && others.length === 0 && only.length <= ADDRESS ? only : '';
  const next = address.trim() === '' || ours ? link : address;
  return {
    ...(after === before ? {} : { description: after }),
    ...(next === address || (next === '' && address.trim() === '') ? {} : { location_address: next }),
  };
}

/** Updates the events' texts in memory. Canvas copies those of the course's event to the events of its sections. */
function keepTexts(events: readonly CalendarEvent[], { description, location_address }: CalendarEvent): void {
  for (const event of events) Object.assign(event, { description, location_address });
}
