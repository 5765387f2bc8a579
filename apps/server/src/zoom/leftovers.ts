/** What may be left over in Zoom: meetings that a lost answer hid, was made twice, or whose place others have taken. */
import { randomInt } from 'node:crypto';
import type { ZoomMaking } from '../platform/schema.ts';
import { ZoomError, type ZoomMeeting } from '../zoom-api/types.ts';
import type { MeetingsParts } from './engine-parts.ts';

type Parts = Pick<MeetingsParts, 'zoom' | 'lease' | 'records' | 'signal' | 'pause' | 'isNamed'>;

/** Lists of meetings lag: who finds nothing looks again after so long. */
const LAG_MS = 3_000;
/** After so long a list lags no more. */
const SETTLED_MS = 60_000;
const OURS = /^\[lms-admin [a-z\d]{8}\]/;

/** Whether a meeting with this agenda was made here. */
export const isMadeByUs = (agenda: string) => OURS.test(agenda);

/** What is at the start of the agenda of a meeting that was made here. */
export const markerOf = (agenda: string) => OURS.exec(agenda)?.[0] ?? '';

/** Eight letters and digits: found again at the start of an agenda. */
export function newMarker(): string {
  const letter = () => 'abcdefghijklmnopqrstuvwxyz0123456789'[randomInt(36)] ?? 'a';
  return `[lms-admin ${Array.from({ length: 8 }, letter).join('')}]`;
}

export function isSettled({ since }: Pick<ZoomMaking, 'since'>): boolean {
  return Date.now() - Date.parse(since) > SETTLED_MS;
}

/** The meetings that are still to be removed. */
export function oldsOf(making: ZoomMaking | null): number[] {
  if (making === null) return [];
  return [...(making.old === null ? [] : [making.old]), ...(making.older ?? [])];
}

/** The meetings with a marker, the oldest first. @param twice looks again where a list may lag */
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

/** Lists leave out passcode and co-hosts. */
export async function whole({ zoom, signal }: Parts, listed: ZoomMeeting): Promise<ZoomMeeting> {
  return (await zoom.read(listed.number, signal)) ?? listed;
}

/** Removes meetings that were created beside the one that is kept. @param removed gets their numbers */
export async function removeAll(
  { zoom, lease, signal }: Parts,
  meetings: readonly ZoomMeeting[],
  removed: number[],
): Promise<void> {
  for (const { number } of meetings) {
    lease.hold();
    await zoom.remove(number, signal);
    removed.push(number);
  }
}

/**
 * Removes meetings that others have taken the place of, unless they are used elsewhere or were not made by us.
 * @param record the event's
 * @returns those that were removed, and those that are removed by a later run: they have started (`running`), or a text names them
 */
export async function removeOlds(
  { zoom, records, lease, signal, isNamed }: Parts,
  record: number,
  olds: readonly number[],
): Promise<{ removed: number[]; left: number[]; running: number[] }> {
  const removed: number[] = [];
  const running: number[] = [];
  const left: number[] = [];
  for (const old of olds) {
    if (isNamed(old)) {
      // It stays as long as a text leads to it, and is not forgotten.
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
    lease.hold();
    try {
      await zoom.remove(old, signal);
      removed.push(old);
    } catch (error) {
      if (!(error instanceof ZoomError) || error.reason !== 'running') throw error;
      running.push(old);
    }
  }
  return { removed, left: [...left, ...running], running };
}

/** Removes what was made twice, as soon as a list would show it. @param removed gets the numbers @returns whether nothing is left to look for */
export async function clearDoubt(
  parts: Parts,
  making: ZoomMaking,
  kept: number | null,
  removed: number[],
): Promise<boolean> {
  if (!making.doubtful) return true;
  if (!isSettled(making)) return false;
  const all = await look(parts, making, false);
  // Whatever the event leads to now stays.
  const others = all.filter(({ number }) => number !== kept && !parts.isNamed(number));
  if (all.some(({ number }) => number === kept)) await removeAll(parts, others, removed);
  return true;
}
