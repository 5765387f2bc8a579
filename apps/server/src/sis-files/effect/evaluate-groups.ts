/** Evaluates rows of group categories, groups and their members. */
import { notFound, type SisEffect } from '@lms-admin/domain/sis-effect';
import { categoryEffect, groupEffect } from '@lms-admin/domain/sis-effect/groups';
import { shown } from '@lms-admin/domain/sis-rows';
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
import { evaluateMembers } from './evaluate-memberships.ts';
import { count, courseIsThere, type Evaluation, named, put, removes, unlessRefused } from './evaluation.ts';
import { categoryKey, heldIn, isThere, memberIdsOf, UNREAD } from './groups-of-lms.ts';
import {
  categoryMoves,
  categoryRefusal,
  type GroupFacts,
  groupRefusal,
  type Placed,
} from './refusals-groups.ts';

const missing = (column: 'group_id' | 'group_category_id', sisId: string) =>
  notFound(
    column,
    `The LMS has no ${column === 'group_id' ? 'group' : 'group category'} ${shown(sisId)}.`,
    'The LMS has nothing with this SIS ID. If that answer was wrong, this row removes something, so it counts as a removal.',
  );

/** Evaluates the rows of groups. @returns as `evaluateMembers` */
export async function evaluateGroups(evaluation: Evaluation): Promise<() => Promise<void>> {
  const { asking } = evaluation;
  const categories = await answersTo(
    evaluation,
    idsOf(evaluation, ['group_category', 'group'], 'group_category_id'),
    (sisId) => categoryBySisId(asking, sisId),
  );
  const groups = await answersTo(
    evaluation,
    idsOf(evaluation, ['group', 'group_membership'], 'group_id'),
    (sisId) => groupBySisId(asking, sisId),
  );
  const facts: GroupFacts = {
    category: (sisId) => heldIn(categories.get(sisId)),
    group: (sisId) => heldIn(groups.get(sisId)),
  };
  evaluation.refusals.group_category = await categoryRefusal(evaluation, facts);
  await evaluateCategories(evaluation, categories);
  evaluation.refusals.group = await groupRefusal(evaluation, facts);
  await evaluateEach(evaluation, categories, groups);
  return evaluateMembers(evaluation, { categories, groups });
}

function idsOf({ uploadRows }: Evaluation, kinds: readonly SisKind[], column: string): Set<string> {
  return new Set(kinds.flatMap((kind) => [...uploadRows.of(kind)].flatMap(({ cell }) => cell(column) ?? [])));
}

/** Groups are looked up one by one: only courses have lists of groups. */
async function answersTo<T>(
  { asking }: Evaluation,
  ids: ReadonlySet<string>,
  ask: (sisId: string) => Promise<T>,
): Promise<Map<string, Answer<T>>> {
  const found = await mapLimited([...ids], AT_ONCE, (sisId) => answered(asking, () => ask(sisId)));
  return new Map([...ids].map((sisId, at) => [sisId, found[at] ?? 'unread']));
}

async function evaluateCategories(
  evaluation: Evaluation,
  categories: ReadonlyMap<string, Answer<LmsCategory>>,
): Promise<void> {
  const { uploadRows, uploadState } = evaluation;
  const movedTo = await categoryMoves(evaluation);
  const moving = [...uploadRows.of('group_category')].flatMap(({ cell }) => {
    const held = heldIn(categories.get(cell('group_category_id') ?? ''));
    return held && movedTo(cell, held) !== null ? [held] : [];
  });
  const placeOf = await placesOf(evaluation, moving);
  for (const { cell, ...at } of uploadRows.of('group_category')) {
    const sisId = cell('group_category_id') ?? '';
    const found = categories.get(sisId) ?? 'unread';
    const [course, account] = [cell('course_id'), cell('account_id')];
    const held = heldIn(found);
    const moves = held !== null && movedTo(cell, held) !== null;
    const plain: SisEffect =
      found === 'unread'
        ? UNREAD
        : found === 'missing' && removes('group_category', cell)
          ? missing('group_category_id', sisId)
          : categoryEffect(
              cell,
              held && { id: held.id, name: held.name, moves, ...placeOf(held) },
              course ? courseIsThere(evaluation, course) : null,
            );
    const effect = unlessRefused(evaluation, 'group_category', cell, plain);
    // Groups in a moving category move with it, as groups in a new one do.
    if (effect.does === 'creates' || (moves && effect.does === 'changes'))
      uploadState.set('group_category', sisId, true);
    else if (effect.does === 'deletes') uploadState.set('group_category', sisId, false);
    else if (effect.does === 'unknown' && held === null && !removes('group_category', cell))
      uploadState.perhapsThere.add(sisId);
    count(evaluation, 'group_category', effect, sisId, removes('group_category', cell));
    await put(
      evaluation,
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

async function evaluateEach(
  evaluation: Evaluation,
  categories: ReadonlyMap<string, Answer<LmsCategory>>,
  groups: ReadonlyMap<string, Answer<LmsGroup>>,
): Promise<void> {
  const { uploadRows, uploadState, courses } = evaluation;
  // Groups that rows without a category put into a course or account.
  const placed = [...uploadRows.of('group')].flatMap(({ cell }) =>
    !cell('group_category_id') && (cell('course_id') || cell('account_id'))
      ? (heldIn(groups.get(cell('group_id') ?? '')) ?? [])
      : [],
  );
  const placeOf = await placesOf(evaluation, placed);
  const sisIdOf = await categoriesLeft(evaluation, categories, groups);
  for (const { cell, ...at } of uploadRows.of('group')) {
    const sisId = cell('group_id') ?? '';
    const found = groups.get(sisId) ?? 'unread';
    const held = heldIn(found);
    const of = cell('group_category_id');
    const there = !of
      ? null
      : (uploadState.has('group_category', of) ??
        (uploadState.perhapsThere.has(of) ? null : isThere(categories.get(of))));
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
          ? missing('group_id', sisId)
          : groupEffect(cell, present, there);
    const effect = unlessRefused(evaluation, 'group', cell, plain);
    if (effect.does === 'creates' || effect.does === 'deletes')
      uploadState.set('group', sisId, effect.does === 'creates');
    if (effect.does === 'fails') uploadState.refusedGroups.add(sisId);
    count(evaluation, 'group', effect, sisId, removes('group', cell));
    const moves = effect.fields?.some(([field]) => field === 'group_category_id') === true;
    if (of && held !== null && moves)
      uploadState.categoryOfGroup.set(held.id, categoryKey(of, heldIn(categories.get(of))));
    const course = cell('course_id');
    const courseFound = courses.of(course ?? '');
    const takes = effect.does === 'deletes' && held !== null ? await endMembers(evaluation, held) : null;
    await put(
      evaluation,
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

/** Returns the SIS IDs of categories by number: the categories in rows, and those that groups leave for them. */
async function categoriesLeft(
  { uploadRows, asking }: Evaluation,
  categories: ReadonlyMap<string, Answer<LmsCategory>>,
  groups: ReadonlyMap<string, Answer<LmsGroup>>,
): Promise<ReadonlyMap<number, string>> {
  const sisIdOf = new Map(
    [...categories].flatMap(([sisId, found]) => (typeof found === 'object' ? [[found.id, sisId]] : [])),
  );
  const left = new Set<number>();
  for (const { cell } of uploadRows.of('group')) {
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

/** Returns the SIS IDs of the places of moved groups or categories. */
async function placesOf(
  { around, courses }: Evaluation,
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

/** Ends the memberships of a deleted group. @returns a description of them */
async function endMembers(evaluation: Evaluation, group: LmsGroup): Promise<string | null> {
  const { tally, asking } = evaluation;
  const members = await memberIdsOf(asking, group);
  if (typeof members === 'string') {
    tally.untold = true;
    return 'with members who could not be counted';
  }
  const ended = members.filter((user) => tally.losses.endMembership(group.id, user, group.course_id ?? null));
  return endedWords({ enrolments: 0, members: ended.length });
}
