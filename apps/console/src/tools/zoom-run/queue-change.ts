/** What a person's entries do to the queue, and what others did to it meanwhile (OP-62). Pure. */
import type { RunDays, ZoomQueue } from '@lms-admin/contract/zoom';
import type { RunState } from './run-state.ts';

/** Course numbers as the LMS has them: anything longer is no course. */
const NUMBER = /^0*([1-9]\d{0,14})$/;

export interface QueueChange {
  /** New ones, in the order of entry. */
  added: number[];
  /** Entered, but in the queue already. */
  known: number[];
  /** Entered numbers that no course can have, such as 0. */
  impossible: string[];
  removed: number[];
  /** The whole list that is wanted, and the one that it was made from. */
  wanted: number[];
  read: number[];
  /** When its newest entry was added. */
  newestAt: string | null;
}

/** The change that the entries make to the queue as it was read last. */
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
  // Who enters a course wants it in the queue.
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

/** What others did between the reading and the saving. @param days those that were asked for, for the courses that were to be added */
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
