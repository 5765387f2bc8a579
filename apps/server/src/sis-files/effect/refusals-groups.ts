/** What the LMS refuses of group categories, groups and their people: names in use, other places, who is not in the course. */
import { begins, type Cells } from '@lms-admin/domain/sis-effect';
import { isReservedName } from '@lms-admin/domain/sis-effect/groups';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import { z } from 'zod';
import { categoriesOf } from '../../canvas/resources/groups.ts';
import { answered, pages } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE, id } from './ask.ts';
import type { CourseRef } from './course-enrolments.ts';
import { courseIsThere, type Evaluation, type Refusal } from './evaluation.ts';
import { memberIdsOf } from './groups-of-lms.ts';

/** A category or group as it was found. */
export interface Placed {
  id: number;
  course_id?: number | null | undefined;
  account_id?: number | null | undefined;
}
export interface PlacedGroup extends Placed {
  members_count?: number | undefined;
}

export interface GroupFacts {
  /** What was found of an SIS ID; null for nothing, or where the LMS did not answer. */
  category: (sisId: string) => Placed | null;
  group: (sisId: string) => PlacedGroup | null;
}

const ROOT = 'account 1';

/** Course or account that a group or category is in, by its number. */
const placed = ({ course_id, account_id }: Placed) =>
  course_id ? `course ${course_id}` : `account ${account_id ?? ''}`;

/** Where the columns of a row put its group or category; null where they name nothing, undefined where it is not known. */
async function namedPlaces(evaluation: Evaluation): Promise<(cell: Cells) => string | null | undefined> {
  const { gathered, around, courses } = evaluation;
  const rows = [...gathered.of('group_category'), ...gathered.of('group')];
  const accounts = rows.some(({ cell }) => cell('account_id')) ? await around.accounts() : null;
  return (cell) => {
    const [inCourse, inAccount] = [cell('course_id'), cell('account_id')];
    if (inAccount && accounts === null) return undefined;
    if (inAccount) return `account ${accounts?.bySisId.get(inAccount)?.id ?? `new ${inAccount}`}`;
    if (!inCourse) return null;
    if (courseIsThere(evaluation, inCourse) !== true) return undefined;
    const found = courses.of(inCourse);
    return `course ${typeof found === 'object' ? found.id : `new ${inCourse}`}`;
  };
}

/** Where a row moves its category; null where it stays, or no one can say. A row that names nothing means the root account. */
export async function categoryMoves(
  evaluation: Evaluation,
): Promise<(cell: Cells, held: Placed) => string | null> {
  const placeOf = await namedPlaces(evaluation);
  return (cell, held) => {
    const to = placeOf(cell);
    if (to === undefined) return null;
    return placed(held) === (to ?? ROOT) ? null : (to ?? ROOT);
  };
}

async function noAccount({ around, gathered, made }: Evaluation): Promise<(cell: Cells) => SisProblem[]> {
  const rows = [...gathered.of('group_category'), ...gathered.of('group')];
  const all = rows.some(({ cell }) => cell('account_id')) ? await around.accounts() : null;
  return (cell) => {
    const given = cell('account_id');
    if (!given || all === null || (made.has('account', given) ?? all.bySisId.has(given))) return [];
    return [{ column: 'account_id', message: `The LMS has no account ${shown(given)}.` }];
  };
}

/** The names in use at each place, each with the SIS ID of its category; a place that could not be read is left out. */
async function namesByPlace(asking: Evaluation['asking'], places: ReadonlySet<string>) {
  const namesIn = new Map<string, Map<string, string>>();
  await mapLimited([...places], AT_ONCE, async (place) => {
    const [kind, number] = place.split(' ');
    // In those that the same upload creates no name is in use yet.
    if (number === 'new') {
      namesIn.set(place, new Map());
      return;
    }
    const read = await answered(asking, () => categoriesOf(asking, `${kind}s/${number}`));
    if (typeof read === 'string') return;
    namesIn.set(place, new Map(read.map((one) => [one.name, one.sis_group_category_id ?? `#${one.id}`])));
  });
  return namesIn;
}

/** Whether a category has groups; a reason where the LMS does not say. */
function hasGroups(asking: Evaluation['asking'], category: number) {
  return answered(asking, async () => {
    for await (const { data } of pages(asking, `group_categories/${category}/groups`, z.object({ id })))
      return data.length > 0;
    return false;
  });
}

/** Of categories: their name in the course or account, and whether they may move. */
export async function categoryRefusal(evaluation: Evaluation, facts: GroupFacts): Promise<Refusal> {
  const { gathered, asking } = evaluation;
  const rows = [...gathered.of('group_category')];
  if (rows.length === 0) return () => [];
  const [account, placeOf, movedTo] = await Promise.all([
    noAccount(evaluation),
    namedPlaces(evaluation),
    categoryMoves(evaluation),
  ]);
  const targetOf = (cell: Cells) => {
    const to = placeOf(cell);
    return to === undefined ? null : (to ?? ROOT);
  };
  const namesIn = await namesByPlace(asking, new Set(rows.flatMap(({ cell }) => targetOf(cell) ?? [])));
  const full = new Set<number>();
  await mapLimited(rows, AT_ONCE, async ({ cell }) => {
    const held = facts.category(cell('group_category_id') ?? '');
    if (held === null || movedTo(cell, held) === null) return;
    if ((await hasGroups(asking, held.id)) === true) full.add(held.id);
  });
  return (cell) => {
    const problems = [...account(cell)];
    const [sisId, name, place] = [
      cell('group_category_id') ?? '',
      cell('category_name') ?? '',
      targetOf(cell),
    ];
    const held = facts.category(sisId);
    if (held && full.has(held.id) && movedTo(cell, held) !== null)
      problems.push({
        column: cell('account_id') ? 'account_id' : 'course_id',
        message: `The group category ${shown(sisId)} has groups, so it cannot move to another course or account.`,
      });
    const names = place === null ? undefined : namesIn.get(place);
    const deletes = begins(cell('status'), 'deleted');
    const holder = names?.get(name);
    if (cell('course_id') && isReservedName(name))
      problems.push({ column: 'category_name', message: reserved(name) });
    else if (!deletes && holder !== undefined && holder !== sisId) {
      const message = `The course or account already has a group category called ${shown(name)}. Choose another name.`;
      problems.push({ column: 'category_name', message });
    } else if (names && problems.length === 0) {
      for (const all of namesIn.values()) for (const [other, of] of all) if (of === sisId) all.delete(other);
      if (!deletes) names.set(name, sisId);
    }
    return problems;
  };
}

const reserved = (name: string): string =>
  `${shown(name)} is a name that the LMS keeps for its own group category of a course. Choose another name.`;

/** Of groups: their course or account, the course of their category, and whether they may move. */
export async function groupRefusal(evaluation: Evaluation, facts: GroupFacts): Promise<Refusal> {
  const { gathered, made, tally } = evaluation;
  const rows = [...gathered.of('group')];
  if (rows.length === 0) return () => [];
  const account = await noAccount(evaluation);
  const namedPlace = await namedPlaces(evaluation);
  // Rows of categories were judged before: what they make or move is where they put it.
  const placesMade = new Map<string, string | undefined>();
  for (const { cell } of gathered.of('group_category')) {
    const sisId = cell('group_category_id') ?? '';
    const to = namedPlace(cell);
    if (made.has('group_category', sisId) === true) placesMade.set(sisId, to === null ? ROOT : to);
  }
  const categoryPlace = (sisId: string | null | undefined): string | null | undefined => {
    if (!sisId) return null;
    if (placesMade.has(sisId)) return placesMade.get(sisId);
    const held = facts.category(sisId);
    return held && placed(held);
  };
  const target = (cell: Cells): string | null | undefined => {
    const place = categoryPlace(cell('group_category_id'));
    return place === null ? namedPlace(cell) : place;
  };
  const moves = (cell: Cells): PlacedGroup | null => {
    const [held, to] = [facts.group(cell('group_id') ?? ''), target(cell)];
    if (held === null || !to || placed(held) === to) return null;
    // Between accounts members go with their group.
    return to.startsWith('course') || held.course_id ? held : null;
  };
  const members = new Map<number, readonly number[]>();
  await mapLimited(rows, AT_ONCE, async ({ cell }) => {
    const held = moves(cell);
    if (held === null || !held.members_count) return;
    const found = await memberIdsOf(evaluation.asking, held);
    if (typeof found !== 'string') members.set(held.id, found);
  });
  return (cell) => {
    const problems = [...account(cell)];
    const add = (column: string, message: string) => problems.push({ column, message });
    const [sisId, of, course] = [cell('group_id') ?? '', cell('group_category_id'), cell('course_id')];
    if (course && courseIsThere(evaluation, course) === false)
      add('course_id', `The LMS has no course ${shown(course)}.`);
    // The row names a category that the same upload deletes: that is said of it already.
    if (of && made.has('group_category', of) === false) return problems;
    const [category, place] = [categoryPlace(of), namedPlace(cell)];
    if (of && category && place && category !== place) {
      const where = course ? `The course ${shown(course)}` : `The account ${shown(cell('account_id') ?? '')}`;
      add('group_category_id', `${where} has no group category ${shown(of)}.`);
    }
    const held = moves(cell);
    // Rows of enrolments are applied first: anyone who leaves the course by them is no longer a member.
    const has = held && members.get(held.id)?.some((user) => !tally.losses.hasEnded(held.id, user));
    if (has && problems.length === 0)
      add(
        category ? 'group_category_id' : course ? 'course_id' : 'account_id',
        `The group ${shown(sisId)} has members, so it cannot move to another course or account. Remove them first.`,
      );
    return problems;
  };
}

/** Of members: whether they are in the course of the group, as the rows before leave both. @throws CanvasError */
export async function memberRefusal(
  evaluation: Evaluation,
  facts: GroupFacts,
  keyOf: (user: string) => string,
): Promise<Refusal> {
  const { gathered, courseEnrolments, tally } = evaluation;
  const rows = [...gathered.of('group_membership')];
  if (rows.length === 0) return () => [];
  const courseOf = coursesOfGroups(evaluation, facts);
  const inside = new Map<string, ReadonlySet<string> | null>();
  const groups = new Set(rows.map(({ cell }) => cell('group_id') ?? ''));
  await mapLimited([...groups], AT_ONCE, async (sisId) => {
    const course = courseOf(sisId);
    if (!course) return;
    const found = await courseEnrolments.now(course);
    if (typeof found === 'string') return;
    const there = found.filter((one) => tally.losses.stateOf(one) !== 'deleted');
    inside.set(sisId, new Set(there.map(({ userId }) => String(userId))));
  });
  return (cell) => {
    const [sisId, user] = [cell('group_id') ?? '', cell('user_id') ?? ''];
    const [course, people, person] = [courseOf(sisId), inside.get(sisId), keyOf(user)];
    if (!course || !people) return [];
    if (people.has(person) || courseEnrolments.hasJoined(course, person)) return [];
    const message = `${shown(user)} is not in the course of the group ${shown(sisId)}. Enrol the person first, or skip the row.`;
    return [{ column: 'user_id', message }];
  };
}

/** The course of each group, as the rows of the upload leave it; null for none, or where it is not known. */
function coursesOfGroups(evaluation: Evaluation, facts: GroupFacts): (group: string) => CourseRef | null {
  const { gathered, courses, made } = evaluation;
  const named = (sisId: string | null | undefined): CourseRef | null => {
    if (!sisId) return null;
    const found = courses.of(sisId);
    if (typeof found === 'object' && found.state !== 'deleted') return { id: found.id, sisId };
    return made.has('course', sisId) === true ? { id: null, sisId } : null;
  };
  const numbered = (id: number | null | undefined): CourseRef | null => (id ? { id, sisId: '' } : null);
  const categories = new Map<string, CourseRef | null>();
  for (const { cell } of gathered.of('group_category'))
    if (made.has('group_category', cell('group_category_id') ?? '') === true)
      categories.set(cell('group_category_id') ?? '', named(cell('course_id')));
  const groups = new Map<string, CourseRef | null>();
  for (const { cell } of gathered.of('group')) {
    const [group, category] = [cell('group_id') ?? '', cell('group_category_id')];
    const held = facts.group(group);
    if (held === null && made.has('group', group) !== true) continue;
    // It stays where it is.
    if (made.refusedGroups.has(group)) continue;
    const of = category
      ? (categories.get(category) ?? numbered(facts.category(category)?.course_id))
      : cell('account_id')
        ? null
        : (named(cell('course_id')) ?? numbered(held?.course_id));
    groups.set(group, of);
  }
  return (group) =>
    groups.has(group) ? (groups.get(group) ?? null) : numbered(facts.group(group)?.course_id);
}
