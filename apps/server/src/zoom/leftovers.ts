/** Leftovers in Zoom: meetings hidden by a lost answer, created twice, or replaced by others. */
import { randomInt } from 'node:crypto';
import type { ZoomMaking } from '../platform/schema.ts';
import { ZoomError, type ZoomMeeting } from '../zoom-api/types.ts';
import type { MeetingsParts } from './engine-parts.ts';
import type { Intents } from './intents.ts';
import { isDefinite } from './problems.ts';

type Parts = Pick<MeetingsParts, 'zoom' | 'lease' | 'records' | 'signal' | 'pause' | 'isNamed'>;

/** Lists of meetings lag: if nothing is found, they are read again after this time (milliseconds). */
const LAG_MS = 3_000;
/** After this time (milliseconds) a list is certainly up to date. */
const SETTLED_MS = 60_000;
const OURS = /^\[lms-admin [a-z\d]{8}\]/;

/** Returns whether LMS Admin created a meeting with this agenda. */
export const isOwnMeeting = (agenda: string) => OURS.test(agenda);

/** Returns the marker at the start of an agenda of LMS Admin's meetings. */
export const markerOf = (agenda: string) => OURS.exec(agenda)?.[0] ?? '';

/** Creates a marker of eight letters and digits, by which LMS Admin finds a meeting again at the start of its agenda. */
export function newMarker(): string {
  const letter = () => 'abcdefghijklmnopqrstuvwxyz0123456789'[randomInt(36)] ?? 'a';
  return `[lms-admin ${Array.from({ length: 8 }, letter).join('')}]`;
}

export function isSettled({ since }: Pick<ZoomMaking, 'since'>): boolean {
  return Date.now() - Date.parse(since) > SETTLED_MS;
}

/** Returns the meetings that still have to be removed. */
export function oldsOf(making: ZoomMaking | null): number[] {
  if (making === null) return [];
  return [...(making.old === null ? [] : [making.old]), ...(making.older ?? [])];
}

/** Finds the meetings with a marker, oldest first. @param twice reads again if a list may lag */
export async function look(
  { zoom, signal, pause }: Parts,
  { host, marker, since }: ZoomMaking,
  twice: boolean,
): Promise<ZoomMeeting[]> {
  const lookOnce = async () => {
    try {
      return await zoom.withMarker(host, marker, signal);
    } catch (error) {
      if (error instanceof ZoomError && error.reason === 'host-gone') return [];
      throw error;
    }
  };
  const found = await lookOnce();
  if (found.length > 0 || !twice || isSettled({ since })) return found;
  await pause(LAG_MS);
  return lookOnce();
}

/** Reads the full meeting: lists omit passcode and alternative hosts. */
export async function whole({ zoom, signal }: Parts, listed: ZoomMeeting): Promise<ZoomMeeting> {
  return (await zoom.read(listed.number, signal)) ?? listed;
}

/** Where a removal is recorded before the call to Zoom, and where it is reported. */
export interface Telling {
  intents: Intents;
  /** Kind of meeting: a former one, or a duplicate. */
  of: 'old' | 'double';
  removed: number[];
}

async function remove(
  { zoom, lease, signal }: Parts,
  number: number,
  { intents, of, removed }: Telling,
): Promise<void> {
  await intents.intend(`${of} ${number}`, ['removed']);
  lease.hold();
  try {
    await zoom.remove(number, signal);
  } catch (error) {
    if (isDefinite(error)) await intents.drop(`${of} ${number}`);
    throw error;
  }
  if (!removed.includes(number)) removed.push(number);
}

/** Removes duplicates of the meeting that is kept. */
export async function removeAll(
  parts: Parts,
  meetings: readonly ZoomMeeting[],
  telling: Telling,
): Promise<void> {
  for (const { number } of meetings) await remove(parts, number, telling);
}

/**
 * Removes replaced meetings, unless they are used elsewhere or LMS Admin did not create them.
 * @param record record of the event
 * @returns the removed ones, and those left to a later run: they have started (`running`), or a text links to them
 */
export async function removeOlds(
  parts: Parts,
  record: number,
  olds: readonly number[],
  intents: Intents,
): Promise<{ removed: number[]; left: number[]; running: number[] }> {
  const { zoom, records, signal, isNamed } = parts;
  const removed: number[] = [];
  const running: number[] = [];
  const left: number[] = [];
  for (const old of olds) {
    if (isNamed(old)) {
      // An old meeting stays, and is remembered, as long as a text links to it.
      left.push(old);
      continue;
    }
    const isFree = !(await records.isUsed(old, record));
    const there = isFree ? await zoom.read(old, signal) : null;
    if (!there || !OURS.test(there.agenda)) continue;
    if (there.running) {
      running.push(old);
      continue;
    }
    try {
      await remove(parts, old, { intents, of: 'old', removed });
    } catch (error) {
      if (!(error instanceof ZoomError) || error.reason !== 'running') throw error;
      running.push(old);
    }
  }
  return { removed, left: [...left, ...running], running };
}

/** Removes duplicates as soon as a list would show them. @returns whether there is nothing left to look for */
export async function clearDoubt(
  parts: Parts,
  making: ZoomMaking,
  kept: number | null,
  telling: Telling,
): Promise<boolean> {
  if (!making.doubtful) return true;
  if (!isSettled(making)) return false;
  const all = await look(parts, making, false);
  // The meetings that the event now links to stay.
  const others = all.filter(({ number }) => number !== kept && !parts.isNamed(number));
  if (all.some(({ number }) => number === kept)) await removeAll(parts, others, telling);
  return true;
}
