/** Groups and their categories as the LMS tells them. */
import { z } from 'zod';
import { type Answer, answered, pages } from '../../canvas/resources/reading.ts';
import { type Asking, id, text } from './ask.ts';

export const category = z.object({
  id,
  name: z.string(),
  sis_group_category_id: text,
  course_id: id.nullish(),
  account_id: id.nullish(),
  allows_multiple_memberships: z.boolean().nullish(),
});
export const group = z.object({
  id,
  name: z.string(),
  group_category_id: z.number().int().nullish(),
  course_id: id.nullish(),
  account_id: id.nullish(),
  members_count: z.number().int().optional(),
});
const member = z.object({ id });
export type Category = z.output<typeof category>;
export type Group = z.output<typeof group>;

export const UNREAD = { does: 'unknown', why: 'The LMS did not answer when asked for it.' } as const;
export const heldIn = <T>(found: Answer<T> | undefined) =>
  found === 'missing' || found === 'unread' || found === undefined ? null : found;

/** Numbers of the people of a group. */
export function membersOf(asking: Asking, { id: group }: Pick<Group, 'id'>): Promise<Answer<number[]>> {
  return answered(asking, async () => {
    const members: number[] = [];
    for await (const { data } of pages(asking, `groups/${group}/users`, member))
      members.push(...data.map((one) => one.id));
    return members;
  });
}

export function isThere(found: object | 'missing' | 'unread' | undefined): boolean | null {
  return found === undefined || found === 'unread' ? null : found !== 'missing';
}

/** What tells a category from others: its number, or the SIS id of one of the same upload. */
export const categoryKey = (sisId: string, held: Category | null): string =>
  held === null ? `new ${sisId}` : String(held.id);
