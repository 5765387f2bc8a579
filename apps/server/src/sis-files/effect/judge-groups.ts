/** Rows of group categories, groups and their people. */
import type { SisEffect } from '@lms-admin/domain/sis-effect';
import { categoryEffect, GroupNow, groupEffect } from '@lms-admin/domain/sis-effect/groups';
import { shown } from '@lms-admin/domain/sis-rows';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';
import { sisSegment } from '../../canvas/sis-path.ts';
import { mapLimited } from '../../platform/limited.ts';
import { counted } from '../../platform/text.ts';
import { type Answer, AT_ONCE, answered, id, one, pages, text } from './ask.ts';
import { count, courseIsThere, type Judging, named, put, removes } from './judging.ts';

const category = z.object({ id, name: z.string(), sis_group_category_id: text });
const group = z.object({
  id,
  name: z.string(),
  members_count: z.number().int().nonnegative(),
  group_category_id: z.number().int().nullish(),
});
const member = z.object({ id, sis_user_id: text });
type Category = z.output<typeof category>;
type Group = z.output<typeof group>;

const UNREAD = { does: 'unknown', why: 'The LMS did not tell about it.' } as const;

export async function judgeGroups(judging: Judging): Promise<void> {
  const categories = await asked(
    judging,
    idsOf(judging, ['group_category', 'group'], 'group_category_id'),
    'group_categor',
    'group_category',
    category,
  );
  const groups = await asked(
    judging,
    idsOf(judging, ['group', 'group_membership'], 'group_id'),
    'group',
    'group',
    group,
  );
  await judgeCategories(judging, categories);
  await judgeEach(judging, categories, groups);
  await judgeMembers(judging, groups);
}

function idsOf({ gathered }: Judging, kinds: readonly SisKind[], column: string): Set<string> {
  return new Set(kinds.flatMap((kind) => [...gathered.of(kind)].flatMap(({ cell }) => cell(column) ?? [])));
}

/** Each by its SIS id: lists of groups exist of courses only. */
async function asked<T>(
  { asking }: Judging,
  ids: ReadonlySet<string>,
  path: 'group_categor' | 'group',
  kind: string,
  answer: z.ZodType<T>,
): Promise<Map<string, Answer<T>>> {
  const folder = path === 'group' ? 'groups' : 'group_categories';
  const found = await mapLimited([...ids], AT_ONCE, (sisId) =>
    answered(asking, () => one(asking, `${folder}/${sisSegment(kind, sisId)}`, answer)),
  );
  return new Map([...ids].map((sisId, at) => [sisId, found[at] ?? 'unread']));
}

const heldIn = <T>(found: Answer<T> | undefined) =>
  found === 'missing' || found === 'unread' || found === undefined ? null : found;

async function judgeCategories(
  judging: Judging,
  categories: ReadonlyMap<string, Answer<Category>>,
): Promise<void> {
  const { gathered, made } = judging;
  for (const { cell, ...at } of gathered.of('group_category')) {
    const sisId = cell('group_category_id') ?? '';
    const found = categories.get(sisId) ?? 'unread';
    const course = cell('course_id');
    const effect: SisEffect =
      found === 'unread'
        ? UNREAD
        : categoryEffect(cell, heldIn(found), course ? courseIsThere(judging, course) : null);
    if (effect.does === 'creates' || effect.does === 'deletes')
      made.set('group_category', sisId, effect.does === 'creates');
    count(judging, 'group_category', effect, removes('group_category', cell));
    await put(
      judging,
      'group_category',
      at,
      effect,
      named(sisId, heldIn(found)?.name ?? cell('category_name') ?? null),
      {
        in: course ? named(course) : null,
      },
    );
  }
}

async function judgeEach(
  judging: Judging,
  categories: ReadonlyMap<string, Answer<Category>>,
  groups: ReadonlyMap<string, Answer<Group>>,
): Promise<void> {
  const { gathered, made, tally } = judging;
  const sisIdOf = new Map(
    [...categories].flatMap(([sisId, found]) => (typeof found === 'object' ? [[found.id, sisId]] : [])),
  );
  for (const { cell, ...at } of gathered.of('group')) {
    const sisId = cell('group_id') ?? '';
    const found = groups.get(sisId) ?? 'unread';
    const held = heldIn(found);
    const of = cell('group_category_id');
    const there = of ? (made.has('group_category', of) ?? isThere(categories.get(of))) : null;
    const present = held && {
      id: held.id,
      name: held.name,
      // One that no row names has a SIS id that was not asked for.
      category: sisIdOf.get(held.group_category_id ?? 0) ?? null,
    };
    const effect: SisEffect = found === 'unread' ? UNREAD : groupEffect(cell, present, there);
    if (effect.does === 'creates' || effect.does === 'deletes')
      made.set('group', sisId, effect.does === 'creates');
    count(judging, 'group', effect, removes('group', cell));
    const members = effect.does === 'deletes' ? (held?.members_count ?? 0) : 0;
    tally.take('group_membership', members);
    await put(
      judging,
      'group',
      at,
      effect,
      named(sisId, held?.name ?? cell('name') ?? null, held && `groups/${held.id}`),
      {
        in: of ? named(of, heldIn(categories.get(of))?.name ?? null) : null,
        takes: members > 0 ? `with ${counted(members, 'member')}` : null,
      },
    );
  }
}

function isThere(found: object | 'missing' | 'unread' | undefined): boolean | null {
  return found === undefined || found === 'unread' ? null : found !== 'missing';
}

async function judgeMembers(judging: Judging, groups: ReadonlyMap<string, Answer<Group>>): Promise<void> {
  const { gathered, people, made, asking } = judging;
  if (gathered.count('group_membership') === 0) return;
  const rows = [...gathered.of('group_membership')];
  const byId = await people.byId(rows.flatMap(({ cell }) => cell('user_id') ?? []));
  const ids = [...new Set(rows.map(({ cell }) => cell('group_id') ?? ''))];
  const now = new Map<string, GroupNow | 'missing' | 'unread'>();
  await mapLimited(ids, AT_ONCE, async (sisId) => {
    const found = groups.get(sisId) ?? 'unread';
    const here = made.has('group', sisId);
    if (here === true) now.set(sisId, new GroupNow(`the group ${shown(sisId)}`, []));
    else if (here === false || typeof found === 'string')
      now.set(sisId, here === false ? 'missing' : found === 'missing' ? 'missing' : 'unread');
    else now.set(sisId, await membersOf(judging, found));
  });
  for (const { cell, ...at } of rows) {
    const [sisId, user] = [cell('group_id') ?? '', cell('user_id') ?? ''];
    const where = now.get(sisId) ?? 'unread';
    const person = byId(user);
    const exists = made.has('user', user) ?? isThere(person);
    const effect: SisEffect =
      where === 'missing'
        ? { does: 'fails', why: `The LMS has no group ${shown(sisId)}.` }
        : where === 'unread'
          ? UNREAD
          : where.effect(cell, exists);
    count(judging, 'group_membership', effect, removes('group_membership', cell));
    const found = heldIn(groups.get(sisId));
    const who = heldIn(person);
    await put(
      judging,
      'group_membership',
      at,
      effect,
      named(user, who?.name ?? null, who && `users/${who.id}`),
      {
        in: named(sisId, found?.name ?? null, found && `groups/${found.id}`),
      },
    );
  }
  asking.signal.throwIfAborted();
}

async function membersOf({ asking }: Judging, found: Group): Promise<GroupNow | 'unread'> {
  const all = await answered(asking, async () => {
    const members: string[] = [];
    for await (const { data } of pages(asking, `groups/${found.id}/users`, member))
      for (const { sis_user_id } of data) if (sis_user_id !== null) members.push(sis_user_id);
    return members;
  });
  return typeof all === 'string' ? 'unread' : new GroupNow(found.name, all);
}
