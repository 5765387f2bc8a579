/** People of the LMS, their logins, and who observes them. */
import { user as userOfContract } from '@lms-admin/contract/canvas-objects';
import { z } from 'zod';
import { type ListPage, listed, one, page, pages, type Query, type Reader, walked } from './reading.ts';

const id = z.number().int().positive();
/** Missing, not null, where the rights of the token do not reach: that is told apart. */
const perhaps = z.string().nullish();
const text = perhaps.transform((value) => value ?? null);

const user = userOfContract.extend({
  /** When the LMS made them. */
  created_at: perhaps,
  /** Where they get mail; only with `email`. */
  email: perhaps,
  sortable_name: text,
  short_name: text,
  integration_id: perhaps,
  pronouns: text,
  /** All that someone ever had, deleted ones among them, with commas between; only in the list with deleted people. */
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

/** Which people of the school are read, and with what. */
export interface UserFilter {
  /** A part of a name, a login, an address or an SIS ID; at least three letters. */
  search?: string;
  /** Deleted people too, and the deleted logins of the others. */
  deleted?: boolean;
  email?: boolean;
}

const PATH = 'accounts/1/users';

/** A person. @param segment their number, or an id of theirs by `sisSegment` @throws CanvasError */
export function userAt(reader: Reader, segment: string | number): Promise<LmsUser> {
  return one(reader, `users/${segment}`, user);
}

/** People of the school, page by page. @throws CanvasError */
export function users(reader: Reader, filter: UserFilter = {}) {
  return pages(reader, PATH, user, queryOf(filter));
}

/** A single page of the people of the school, without counting on those around it. @throws CanvasError */
export async function usersPage(
  reader: Reader,
  filter: UserFilter,
  which: ListPage,
): Promise<{ people: LmsUser[]; isLast: boolean }> {
  const { data, next } = await page(reader, PATH, user, queryOf(filter), which);
  return { people: data, isLast: next === null };
}

/** Takes people of the school, up to a number of pages. @returns whether all were read @throws like `walked` */
export function walkUsers(
  reader: Reader,
  filter: UserFilter,
  most: number,
  take: (one: LmsUser) => void,
): Promise<boolean> {
  return walked(reader, PATH, user, queryOf(filter), most, take);
}

/** The logins of a person, deleted ones too. @param segment as for `userAt`, or `self` @throws CanvasError */
export function loginsOf(reader: Reader, segment: string | number): Promise<LmsLogin[]> {
  return listed(reader, `users/${segment}/logins`, login);
}

/** Who observes a student, whatever course they are in. @throws CanvasError */
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
