/** The effect of the entries on the queue, and changes by others in the meantime (OP-62). Pure. */
import type { RunDays, ZoomQueue } from '@lms-admin/contract/zoom-runs';
import type { RunState } from './run-state.ts';

/** Course numbers in the LMS: anything longer is not a course. */
const NUMBER = /^0*([1-9]\d{0,14})$/;

export interface QueueChange {
  /** New courses, in the order of entry. */
  added: number[];
  /** Entered courses that are already in the queue. */
  known: number[];
  /** Entered numbers that no course can have, such as 0. */
  impossible: string[];
  removed: number[];
  /** The complete new list, and the one it is based on. */
  wanted: number[];
  read: number[];
  /** When the newest entry of that list was added. */
  newestAt: string | null;
}

/** Builds the change that the entries make to the queue as last read. */
export function queueChange({
  chips,
  removed,
  read,
  newestAt,
}: Pick<RunState, 'chips' | 'removed' | 'read' | 'newestAt'>): QueueChange {
  const before = read ?? [];
  const there = new Set(before);
  const entered = chips.chips.map((chip) => NUMBER.exec(chip)?.[1] ?? null);
  const numbers = entered.flatMap((text) => (text === null ? [] : [Number(text)]));
  // Entering a course cancels its removal.
  const out = new Set(removed.filter((id) => there.has(id) && !numbers.includes(id)));
  const added = numbers.filter((id) => !there.has(id));
  return {
    added,
    known: numbers.filter((id) => there.has(id)),
    impossible: chips.chips.filter((_, at) => entered[at] === null),
    removed: [...out],
    wanted: [...before.filter((id) => !out.has(id)), ...added],
    read: before,
    newestAt,
  };
}

type Queued = Pick<ZoomQueue['courses'][number], 'id' | 'days'>;

/** Changes by others between reading and saving. @param days the requested days ahead, for the courses to be added */
export function meanwhile<T extends Queued>(
  { wanted, added }: Pick<QueueChange, 'wanted' | 'added'>,
  days: RunDays,
  after: readonly T[],
): { added: number[]; removed: number[]; otherDays: T[] } {
  const expected = new Set(wanted);
  const there = new Set(after.map(({ id }) => id));
  return {
    added: [...there].filter((id) => !expected.has(id)),
    removed: wanted.filter((id) => !there.has(id)),
    otherDays: after.filter((one) => added.includes(one.id) && one.days !== days),
  };
}
