/** Rows of group categories, groups and their people. */
import type { SisEffect } from '@lms-admin/domain/sis-effect';
import { categoryEffect, groupEffect } from '@lms-admin/domain/sis-effect/groups';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import {
  categoryAt,
  categoryBySisId,
  groupBySisId,
  type LmsCategory,
  type LmsGroup,
} from '../../canvas/resources/groups.ts';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE } from './ask.ts';
import { endedWords } from './course-enrolments.ts';
import { categoryKey, heldIn, isThere, memberIdsOf, UNREAD } from './groups-of-lms.ts';
import { judgeMembers } from './judge-memberships.ts';
import { count, courseIsThere, type Judging, named, put, removes, unlessRefused } from './judging.ts';
import {
  categoryMoves,
  categoryRefusal,
  type GroupFacts,
  groupRefusal,
  type Placed,
} from './refusals-groups.ts';

const MISSING = {
  does: 'unknown',
  why: 'The LMS has nothing with this SIS id. If its answer was wrong, this row removes it, so it counts.',
} as const;

export async function judgeGroups(judging: Judging): Promise<void> {
  const { asking } = judging;
  const categories = await asked(
    judging,
    idsOf(judging, ['group_category', 'group'], 'group_category_id'),
    (sisId) => categoryBySisId(asking, sisId),
  );
  const groups = await asked(judging, idsOf(judging, ['group', 'group_membership'], 'group_id'), (sisId) =>
    groupBySisId(asking, sisId),
  );
  const facts: GroupFacts = {
    category: (sisId) => heldIn(categories.get(sisId)),
    group: (sisId) => heldIn(groups.get(sisId)),
  };
  judging.refusals.group_category = await categoryRefusal(judging, facts);
  await judgeCategories(judging, categories);
  judging.refusals.group = await groupRefusal(judging, facts);
  await judgeEach(judging, categories, groups);
  await judgeMembers(judging, { categories, groups });
}

function idsOf({ gathered }: Judging, kinds: readonly SisKind[], column: string): Set<string> {
  return new Set(kinds.flatMap((kind) => [...gathered.of(kind)].flatMap(({ cell }) => cell(column) ?? [])));
}

/** Each by its SIS id: lists of groups exist of courses only. */
async function asked<T>(
  { asking }: Judging,
  ids: ReadonlySet<string>,
  ask: (sisId: string) => Promise<T>,
): Promise<Map<string, Answer<T>>> {
  const found = await mapLimited([...ids], AT_ONCE, (sisId) => answered(asking, () => ask(sisId)));
  return new Map([...ids].map((sisId, at) => [sisId, found[at] ?? 'unread']));
}

async function judgeCategories(
  judging: Judging,
  categories: ReadonlyMap<string, Answer<LmsCategory>>,
): Promise<void> {
  const { gathered, made } = judging;
  const movedTo = await categoryMoves(judging);
  const moving = [...gathered.of('group_category')].flatMap(({ cell }) => {
    const held = heldIn(categories.get(cell('group_category_id') ?? ''));
    return held && movedTo(cell, held) !== null ? [held] : [];
  });
  const placeOf = await placesOf(judging, moving);
  for (const { cell, ...at } of gathered.of('group_category')) {
    const sisId = cell('group_category_id') ?? '';
    const found = categories.get(sisId) ?? 'unread';
    const [course, account] = [cell('course_id'), cell('account_id')];
    const held = heldIn(found);
    const moves = held !== null && movedTo(cell, held) !== null;
    const plain: SisEffect =
      found === 'unread'
        ? UNREAD
        : found === 'missing' && removes('group_category', cell)
          ? MISSING
          : categoryEffect(
              cell,
              held && { id: held.id, name: held.name, moves, ...placeOf(held) },
              course ? courseIsThere(judging, course) : null,
            );
    const effect = unlessRefused(judging, 'group_category', cell, plain);
    // Groups of one that moves go with it, as with a new one.
    if (effect.does === 'creates' || (moves && effect.does === 'changes'))
      made.set('group_category', sisId, true);
    else if (effect.does === 'deletes') made.set('group_category', sisId, false);
    count(judging, 'group_category', effect, sisId, removes('group_category', cell));
    await put(
      judging,
      'group_category',
      at,
      effect,
      named(sisId, held?.name ?? cell('category_name') ?? null),
      {
        in: course || account ? named(course || account) : null,
      },
    );
  }
}

async function judgeEach(
  judging: Judging,
  categories: ReadonlyMap<string, Answer<LmsCategory>>,
  groups: ReadonlyMap<string, Answer<LmsGroup>>,
): Promise<void> {
  const { gathered, made, courses } = judging;
  // Those that rows without a category put into a course or account.
  const placed = [...gathered.of('group')].flatMap(({ cell }) =>
    !cell('group_category_id') && (cell('course_id') || cell('account_id'))
      ? (heldIn(groups.get(cell('group_id') ?? '')) ?? [])
      : [],
  );
  const placeOf = await placesOf(judging, placed);
  const sisIdOf = await categoriesLeft(judging, categories, groups);
  for (const { cell, ...at } of gathered.of('group')) {
    const sisId = cell('group_id') ?? '';
    const found = groups.get(sisId) ?? 'unread';
    const held = heldIn(found);
    const of = cell('group_category_id');
    const there = of ? (made.has('group_category', of) ?? isThere(categories.get(of))) : null;
    const present = held && {
      id: held.id,
      name: held.name,
      category: sisIdOf.get(held.group_category_id ?? 0) ?? null,
      ofCourse: Boolean(held.course_id),
      ...placeOf(held),
    };
    const plain: SisEffect =
      found === 'unread'
        ? UNREAD
        : found === 'missing' && removes('group', cell)
          ? MISSING
          : groupEffect(cell, present, there);
    const effect = unlessRefused(judging, 'group', cell, plain);
    if (effect.does === 'creates' || effect.does === 'deletes')
      made.set('group', sisId, effect.does === 'creates');
    if (effect.does === 'fails') made.refusedGroups.add(sisId);
    count(judging, 'group', effect, sisId, removes('group', cell));
    const moves = effect.fields?.some(([field]) => field === 'group_category_id') === true;
    if (of && held !== null && moves)
      made.categoryOfGroup.set(held.id, categoryKey(of, heldIn(categories.get(of))));
    const course = cell('course_id');
    const courseFound = courses.of(course ?? '');
    const takes = effect.does === 'deletes' && held !== null ? await endMembers(judging, held) : null;
    await put(
      judging,
      'group',
      at,
      effect,
      named(sisId, held?.name ?? cell('name') ?? null, held && `groups/${held.id}`),
      {
        in: of
          ? named(of, heldIn(categories.get(of))?.name ?? null)
          : course
            ? named(course, typeof courseFound === 'object' ? courseFound.name : null)
            : cell('account_id')
              ? named(cell('account_id'))
              : null,
        takes,
      },
    );
  }
}

/** SIS ids of categories by their numbers: those that rows name, and those that groups leave for them. */
async function categoriesLeft(
  { gathered, asking }: Judging,
  categories: ReadonlyMap<string, Answer<LmsCategory>>,
  groups: ReadonlyMap<string, Answer<LmsGroup>>,
): Promise<ReadonlyMap<number, string>> {
  const sisIdOf = new Map(
    [...categories].flatMap(([sisId, found]) => (typeof found === 'object' ? [[found.id, sisId]] : [])),
  );
  const left = new Set<number>();
  for (const { cell } of gathered.of('group')) {
    const number = heldIn(groups.get(cell('group_id') ?? ''))?.group_category_id;
    if (cell('group_category_id') && number && !sisIdOf.has(number)) left.add(number);
  }
  await mapLimited([...left], AT_ONCE, async (number) => {
    const found = await answered(asking, () => categoryAt(asking, number));
    if (typeof found === 'object' && found.sis_group_category_id !== null)
      sisIdOf.set(number, found.sis_group_category_id);
  });
  return sisIdOf;
}

/** SIS ids of where groups or categories are that rows move. */
async function placesOf(
  { around, courses }: Judging,
  moving: readonly Placed[],
): Promise<(one: Placed) => { course: string | null; account: string | null }> {
  const accounts = moving.some(({ account_id }) => account_id) ? await around.accounts() : null;
  const numbers = [...new Set(moving.flatMap(({ course_id }) => course_id ?? []))];
  const sisIds = new Map<number, string>();
  await mapLimited(numbers, AT_ONCE, async (number) => {
    const found = await courses.byNumber(number);
    if (typeof found === 'object') sisIds.set(number, found.sisId);
  });
  return ({ course_id, account_id }) => ({
    course: sisIds.get(course_id ?? 0) || null,
    account: accounts?.sisIds.get(account_id ?? 0) ?? null,
  });
}

/** Ends the memberships of a group that is deleted. @returns them in words */
async function endMembers(judging: Judging, group: LmsGroup): Promise<string | null> {
  const { tally, asking } = judging;
  const members = await memberIdsOf(asking, group);
  if (typeof members === 'string') {
    tally.untold = true;
    return 'with members who could not be counted';
  }
  const ended = members.filter((user) => tally.losses.endMembership(group.id, user, group.course_id ?? null));
  return endedWords({ enrolments: 0, members: ended.length });
}
