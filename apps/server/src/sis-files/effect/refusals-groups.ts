/** Why the LMS rejects group categories, groups and members: names in use, wrong places, people outside the course. */
import { begins, type Cells } from '@lms-admin/domain/sis-effect';
import { isReservedName } from '@lms-admin/domain/sis-effect/groups';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import { z } from 'zod';
import { categoriesOf } from '../../canvas/resources/groups.ts';
import { answered, pages } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE, id } from './ask.ts';
import type { CourseRef } from './course-ref.ts';
import { courseIsThere, type Evaluation, type Refusal } from './evaluation.ts';
import { memberIdsOf } from './groups-of-lms.ts';

/** A category or group that was found. */
export interface Placed {
  id: number;
  course_id?: number | null | undefined;
  account_id?: number | null | undefined;
}
export interface PlacedGroup extends Placed {
  members_count?: number | undefined;
}

export interface GroupFacts {
  /** The item with an SIS ID; null if there is none, or if the LMS did not answer. */
  category: (sisId: string) => Placed | null;
  group: (sisId: string) => PlacedGroup | null;
}

const ROOT = 'account 1';

/** Identifies the course or account of a group or category, by number. */
const placed = ({ course_id, account_id }: Placed) =>
  course_id ? `course ${course_id}` : `account ${account_id ?? ''}`;

/** Returns the place that a row's columns give its group or category; null if they are empty, undefined if not known. */
async function namedPlaces(evaluation: Evaluation): Promise<(cell: Cells) => string | null | undefined> {
  const { uploadRows, around, courses } = evaluation;
  const rows = [...uploadRows.of('group_category'), ...uploadRows.of('group')];
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

/**
 * Finds the new place of a row's category; null if it stays, or if that is unknown. Empty columns mean the root
 * account.
 */
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

async function noAccount({
  around,
  uploadRows,
  uploadState,
}: Evaluation): Promise<(cell: Cells) => SisProblem[]> {
  const rows = [...uploadRows.of('group_category'), ...uploadRows.of('group')];
  const all = rows.some(({ cell }) => cell('account_id')) ? await around.accounts() : null;
  return (cell) => {
    const given = cell('account_id');
    if (!given || all === null || (uploadState.has('account', given) ?? all.bySisId.has(given))) return [];
    return [{ column: 'account_id', message: `The LMS has no account ${shown(given)}.` }];
  };
}

/** Lists the names in use at each place, with the SIS IDs of their categories; unreadable places are omitted. */
async function namesByPlace(asking: Evaluation['asking'], places: ReadonlySet<string>) {
  const namesIn = new Map<string, Map<string, string>>();
  await mapLimited([...places], AT_ONCE, async (place) => {
    const [kind, number] = place.split(' ');
    // A place created by the same upload has no names in use yet.
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

/** Returns whether a category has groups; the reason if the LMS does not return them. */
function hasGroups(asking: Evaluation['asking'], category: number) {
  return answered(asking, async () => {
    for await (const { data } of pages(asking, `group_categories/${category}/groups`, z.object({ id })))
      return data.length > 0;
    return false;
  });
}

/** Checks group categories: their name in the course or account, and whether they can move. */
export async function categoryRefusal(evaluation: Evaluation, facts: GroupFacts): Promise<Refusal> {
  const { uploadRows, asking } = evaluation;
  const rows = [...uploadRows.of('group_category')];
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
    const where = cell('course_id') ? 'course' : 'account';
    if (isReservedName(name, where))
      problems.push({ column: 'category_name', message: reserved(name, where) });
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

const reserved = (name: string, where: 'course' | 'account'): string =>
  `${shown(name)} is a name that the LMS reserves for its own group category in ${where === 'course' ? 'a course' : 'an account'}. Choose another name.`;

/** Checks groups: their course or account, the course of their category, and whether they can move. */
export async function groupRefusal(evaluation: Evaluation, facts: GroupFacts): Promise<Refusal> {
  const { uploadRows, uploadState, tally } = evaluation;
  const rows = [...uploadRows.of('group')];
  if (rows.length === 0) return () => [];
  const account = await noAccount(evaluation);
  const namedPlace = await namedPlaces(evaluation);
  // Rows of categories were evaluated before, so that the new places of categories are known.
  const newPlaces = new Map<string, string | undefined>();
  for (const { cell } of uploadRows.of('group_category')) {
    const sisId = cell('group_category_id') ?? '';
    const to = namedPlace(cell);
    if (uploadState.has('group_category', sisId) === true) newPlaces.set(sisId, to === null ? ROOT : to);
  }
  const categoryPlace = (sisId: string | null | undefined): string | null | undefined => {
    if (!sisId) return null;
    if (newPlaces.has(sisId)) return newPlaces.get(sisId);
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
    // Between accounts, members move with their group.
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
    // The row names a category that the same upload deletes, which is already a problem.
    if (of && uploadState.has('group_category', of) === false) return problems;
    const [category, place] = [categoryPlace(of), namedPlace(cell)];
    if (of && category && place && category !== place) {
      const where = course ? `The course ${shown(course)}` : `The account ${shown(cell('account_id') ?? '')}`;
      add('group_category_id', `${where} has no group category ${shown(of)}.`);
    }
    const held = moves(cell);
    // Rows of enrolments are applied first: a person who leaves the course through them is not a member any more.
    const has = held && members.get(held.id)?.some((user) => !tally.losses.hasEnded(held.id, user));
    if (has && problems.length === 0)
      add(
        category ? 'group_category_id' : course ? 'course_id' : 'account_id',
        `The group ${shown(sisId)} has members, so it cannot move to another course or account. Remove them first.`,
      );
    return problems;
  };
}

/** Whether the people in rows are in the courses of their groups. */
export interface InCourse {
  /** Why the LMS rejects a row: the person is not in the course after the earlier rows. */
  outside: Refusal;
  /** Whether the membership of a person in the course depends on a row that could not be compared. */
  uncertain: (cell: Cells) => boolean;
  /** The course of a group after the rows of the upload; null if it has none, or if it is not known. */
  courseOf: (group: string) => CourseRef | null;
}

/** Checks whether group members are in the group's course after the earlier rows. @throws CanvasError */
export async function membersInCourse(
  evaluation: Evaluation,
  facts: GroupFacts,
  keyOf: (user: string) => string,
): Promise<InCourse> {
  const { uploadRows, courseEnrolments, tally, uploadState, courses } = evaluation;
  const { comings } = courseEnrolments;
  const rows = [...uploadRows.of('group_membership')];
  const courseOf = coursesOfGroups(evaluation, facts);
  const mayBeGone = new Set<string>();
  const inside = new Map<string, ReadonlySet<string> | null>();
  const groups = new Set(rows.map(({ cell }) => cell('group_id') ?? ''));
  await mapLimited([...groups], AT_ONCE, async (sisId) => {
    const course = courseOf(sisId);
    if (!course) return;
    const named = course.sisId === '' && course.id !== null ? await courses.byNumber(course.id) : null;
    if (uploadState.mayBeGone(typeof named === 'object' && named !== null ? named.sisId : course.sisId))
      mayBeGone.add(sisId);
    const found = await courseEnrolments.now(course);
    if (typeof found === 'string') return;
    const there = found.filter((one) => tally.losses.stateOf(one) !== 'deleted');
    inside.set(sisId, new Set(there.map(({ userId }) => String(userId))));
  });
  const presence = (cell: Cells): 'inside' | 'outside' | 'perhaps' => {
    const [sisId, user] = [cell('group_id') ?? '', cell('user_id') ?? ''];
    const [course, people, person] = [courseOf(sisId), inside.get(sisId), keyOf(user)];
    if (!course || !people) return 'inside';
    const joins = comings.joins(course, person);
    const within = people.has(person);
    if (!within && joins === 'no') return 'outside';
    const certain = !mayBeGone.has(sisId) && !(within && comings.mayHaveLeft(course, person));
    return joins === 'yes' || (within && certain) ? 'inside' : 'perhaps';
  };
  return {
    courseOf,
    uncertain: (cell) => presence(cell) === 'perhaps',
    outside(cell) {
      if (presence(cell) !== 'outside') return [];
      const [sisId, user] = [cell('group_id') ?? '', cell('user_id') ?? ''];
      const message = `${shown(user)} is not in the course of the group ${shown(sisId)}. Enrol the person first, or skip the row.`;
      return [{ column: 'user_id', message }];
    },
  };
}

/** Finds the course of each group after the upload's rows; null if there is none, or if it is not known. */
function coursesOfGroups(evaluation: Evaluation, facts: GroupFacts): (group: string) => CourseRef | null {
  const { uploadRows, courses, uploadState } = evaluation;
  const named = (sisId: string | null | undefined): CourseRef | null => {
    if (!sisId) return null;
    const found = courses.of(sisId);
    if (typeof found === 'object' && found.state !== 'deleted') return { id: found.id, sisId };
    return uploadState.has('course', sisId) === true ? { id: null, sisId } : null;
  };
  const numbered = (id: number | null | undefined): CourseRef | null => (id ? { id, sisId: '' } : null);
  const categories = new Map<string, CourseRef | null>();
  for (const { cell } of uploadRows.of('group_category'))
    if (uploadState.has('group_category', cell('group_category_id') ?? '') === true)
      categories.set(cell('group_category_id') ?? '', named(cell('course_id')));
  const groups = new Map<string, CourseRef | null>();
  for (const { cell } of uploadRows.of('group')) {
    const [group, category] = [cell('group_id') ?? '', cell('group_category_id')];
    const held = facts.group(group);
    if (held === null && uploadState.has('group', group) !== true) continue;
    // A rejected group stays where it is.
    if (uploadState.refusedGroups.has(group)) continue;
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
