/** People in the LMS, their logins and their observers. */
import { user as userOfContract } from '@lms-admin/contract/canvas-objects';
import { z } from 'zod';
import { type ListPage, listed, one, page, pages, type Query, type Reader, walked } from './reading.ts';

const id = z.number().int().positive();
/** Missing rather than null if the token has no permission to see it; callers need the difference. */
const perhaps = z.string().nullish();
const text = perhaps.transform((value) => value ?? null);

const user = userOfContract.extend({
  /** When the person was created in the LMS. */
  created_at: perhaps,
  /** Email address; only with `email`. */
  email: perhaps,
  sortable_name: text,
  short_name: text,
  integration_id: perhaps,
  pronouns: text,
  /** All SIS IDs the person ever had, even deleted ones, separated by commas; only in the list with deleted people. */
  sis_user_ids: perhaps,
  login_ids: perhaps,
});
export type LmsUser = z.output<typeof user>;

const login = z.object({
  id,
  user_id: id,
  unique_id: z.string(),
  sis_user_id: text,
  integration_id: text,
  workflow_state: text,
  authentication_provider_id: id.nullish(),
});
export type LmsLogin = z.output<typeof login>;

/** Filter for the people in the school, and the additional fields. */
export interface UserFilter {
  /** Part of a name, a login, an address or an SIS ID; at least three characters. */
  search?: string;
  /** Includes deleted people, and the deleted logins of other people. */
  deleted?: boolean;
  email?: boolean;
}

const PATH = 'accounts/1/users';

/** Returns a person. @param segment their number, or an id from `sisSegment` @throws CanvasError */
export function userAt(reader: Reader, segment: string | number): Promise<LmsUser> {
  return one(reader, `users/${segment}`, user);
}

/** Returns the people in the school, page by page. @throws CanvasError */
export function users(reader: Reader, filter: UserFilter = {}) {
  return pages(reader, PATH, user, queryOf(filter));
}

/** Returns a single page of the school's people, independent of other pages. @throws CanvasError */
export async function usersPage(
  reader: Reader,
  filter: UserFilter,
  which: ListPage,
): Promise<{ people: LmsUser[]; isLast: boolean }> {
  const { data, next } = await page(reader, PATH, user, queryOf(filter), which);
  return { people: data, isLast: next === null };
}

/** Passes people in the school to `take`. @param most maximum pages @returns whether all were read @throws like `walked` */
export function walkUsers(
  reader: Reader,
  filter: UserFilter,
  most: number,
  take: (one: LmsUser) => void,
): Promise<boolean> {
  return walked(reader, PATH, user, queryOf(filter), most, take);
}

/** Returns a person's logins, even deleted ones. @param segment as for `userAt`, or `self` @throws CanvasError */
export function loginsOf(reader: Reader, segment: string | number): Promise<LmsLogin[]> {
  return listed(reader, `users/${segment}/logins`, login);
}

/** Returns the observers of a student in any course. @throws CanvasError */
export function observersOf(reader: Reader, student: number): Promise<LmsUser[]> {
  return listed(reader, `users/${student}/observers`, user);
}

function queryOf({ search, deleted, email }: UserFilter): Query {
  return [
    ...(search === undefined ? [] : [['search_term', search] as const]),
    ...(email ? [['include[]', 'email'] as const] : []),
    ...(deleted ? [['include_deleted_users', 'true'] as const] : []),
  ];
}
