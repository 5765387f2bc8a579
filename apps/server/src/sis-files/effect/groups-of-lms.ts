/** Groups and their categories as the LMS tells them. */
import { type LmsCategory, membersOf } from '../../canvas/resources/groups.ts';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import type { Asking } from './ask.ts';

export const UNREAD = { does: 'unknown', why: 'The LMS did not answer when asked for it.' } as const;
export const heldIn = <T>(found: Answer<T> | undefined) =>
  found === 'missing' || found === 'unread' || found === undefined ? null : found;

/** Numbers of the people of a group. */
export function memberIdsOf(asking: Asking, { id }: { id: number }): Promise<Answer<number[]>> {
  return answered(asking, async () => (await membersOf(asking, id)).map((one) => one.id));
}

export function isThere(found: object | 'missing' | 'unread' | undefined): boolean | null {
  return found === undefined || found === 'unread' ? null : found !== 'missing';
}

/** What tells a category from others: its number, or the SIS ID of one of the same upload. */
export const categoryKey = (sisId: string, held: LmsCategory | null): string =>
  held === null ? `new ${sisId}` : String(held.id);
