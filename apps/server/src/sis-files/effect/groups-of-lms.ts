/** Groups and their categories in the LMS. */
import { type LmsCategory, membersOf } from '../../canvas/resources/groups.ts';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import type { Asking } from './ask.ts';

export const UNREAD = {
  does: 'unknown',
  why: 'The LMS did not answer when LMS Admin looked up the group or category.',
} as const;
export const heldIn = <T>(found: Answer<T> | undefined) =>
  found === 'missing' || found === 'unread' || found === undefined ? null : found;

/** Returns the numbers of a group's members. */
export function memberIdsOf(asking: Asking, { id }: { id: number }): Promise<Answer<number[]>> {
  return answered(asking, async () => (await membersOf(asking, id)).map((one) => one.id));
}

export function isThere(found: object | 'missing' | 'unread' | undefined): boolean | null {
  return found === undefined || found === 'unread' ? null : found !== 'missing';
}

/** Returns the key of a category: its number, or its SIS ID if the same upload creates it. */
export const categoryKey = (sisId: string, held: LmsCategory | null): string =>
  held === null ? `new ${sisId}` : String(held.id);
