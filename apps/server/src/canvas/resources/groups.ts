/** Group categories, groups and their members. */
import { groupCategory, group as groupOfContract } from '@lms-admin/contract/canvas-objects';
import { z } from 'zod';
import { sisSegment } from '../sis-path.ts';
import { listed, one, type Reader } from './reading.ts';

const id = z.number().int().positive();
/** Missing rather than null if the token has no permission to see the value; callers need the difference. */
const perhaps = z.string().nullish();

const category = groupCategory.extend({
  course_id: id.nullish(),
  account_id: id.nullish(),
  allows_multiple_memberships: z.boolean().nullish(),
  self_signup: z.string().nullish(),
  auto_leader: z.string().nullish(),
});
export type LmsCategory = z.output<typeof category>;

const group = groupOfContract.extend({
  course_id: id.nullish(),
  account_id: id.nullish(),
  sis_group_id: perhaps,
  sis_import_id: id.nullish(),
  leader: z.object({ id }).nullish(),
});
export type LmsGroup = z.output<typeof group>;

const member = z.object({ id, name: z.string(), sis_user_id: perhaps });
export type LmsMember = z.output<typeof member>;

const membership = z.object({
  group_id: id,
  user_id: id,
  workflow_state: z.string(),
  moderator: z.boolean().nullish(),
  sis_import_id: id.nullish(),
});
export type LmsMembership = z.output<typeof membership>;

/** Returns the categories of a place. @param of `courses/7` or `accounts/1` @throws CanvasError */
export function categoriesOf(reader: Reader, of: string): Promise<LmsCategory[]> {
  return listed(reader, `${of}/group_categories`, category);
}

/** Returns the groups of a place. @param of `courses/7`, `accounts/1` or `group_categories/5` @throws CanvasError */
export function groupsOf(reader: Reader, of: string): Promise<LmsGroup[]> {
  return listed(reader, `${of}/groups`, group);
}

/** Returns a category. @param segment its number, or its SIS ID from `sisSegment` @throws CanvasError */
export function categoryAt(reader: Reader, segment: string | number): Promise<LmsCategory> {
  return one(reader, `group_categories/${segment}`, category);
}

/** @throws CanvasError */
export function categoryBySisId(reader: Reader, sisId: string): Promise<LmsCategory> {
  return categoryAt(reader, sisSegment('group_category', sisId));
}

/** @throws CanvasError */
export function groupBySisId(reader: Reader, sisId: string): Promise<LmsGroup> {
  return one(reader, `groups/${sisSegment('group', sisId)}`, group);
}

/** Returns the people in a group. @param group its number, or its SIS ID from `sisSegment` @throws CanvasError */
export function membersOf(reader: Reader, group: string | number): Promise<LmsMember[]> {
  return listed(reader, `groups/${group}/users`, member);
}

/** Returns the accepted memberships of a group. @param group as for `membersOf` @throws CanvasError */
export async function membershipsOf(reader: Reader, group: string | number): Promise<LmsMembership[]> {
  const accepted = [['filter_states[]', 'accepted']] as const;
  const all = await listed(reader, `groups/${group}/memberships`, membership, accepted);
  return all.filter(({ workflow_state }) => workflow_state === 'accepted');
}

/**
 * Returns group numbers by person, with a call for each group. Only used if the course's list of people omits
 * `group_ids` (OP-84).
 * @throws CanvasError
 */
export async function groupsByPerson(
  reader: Reader,
  groups: readonly { id: number }[],
): Promise<Map<number, number[]>> {
  const of = new Map<number, number[]>();
  const all = await Promise.all(groups.map((one) => membershipsOf(reader, one.id)));
  for (const { user_id, group_id } of all.flat()) {
    const theirs = of.get(user_id);
    if (theirs) theirs.push(group_id);
    else of.set(user_id, [group_id]);
  }
  return of;
}

/**
 * Returns, by person, the number of the import that last wrote each member of a group, or null. Empty if the LMS does
 * not return it.
 * @param group its number, or a path segment with its SIS ID
 * @throws CanvasError
 */
export async function writersOf(
  reader: Reader,
  group: number | string,
): Promise<ReadonlyMap<number, number | null>> {
  const all = await membershipsOf(reader, group);
  return new Map(
    all.flatMap(({ user_id, sis_import_id: by }) => (by === undefined ? [] : [[user_id, by] as const])),
  );
}
