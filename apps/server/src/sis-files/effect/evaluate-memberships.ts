/** Rows of group memberships: who joins a group, and which group they leave for it. */
import { fails, notFound, orRefused, type SisEffect } from '@lms-admin/domain/sis-effect';
import { MembershipsNow } from '@lms-admin/domain/sis-effect/groups';
import { shown } from '@lms-admin/domain/sis-rows';
import { categoryAt, groupsOf, type LmsCategory, type LmsGroup } from '../../canvas/resources/groups.ts';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import { type Evaluation, named, put, removes } from './evaluation.ts';
import type { CellsRow } from './gathered.ts';
import { categoryKey, heldIn, isThere, memberIdsOf, UNREAD } from './groups-of-lms.ts';
import { memberRefusal } from './refusals-groups.ts';

export interface GroupsOfLms {
  categories: ReadonlyMap<string, Answer<LmsCategory>>;
  groups: ReadonlyMap<string, Answer<LmsGroup>>;
}

/** A row with whom and which group it means. */
interface Meant extends CellsRow {
  effect: SisEffect | null;
  /** Where it was taken, among the rows that were. */
  at: number;
  group: string;
  person: string;
  /** Whether the upload deletes the group. */
  gone: boolean;
}

export async function evaluateMembers(evaluation: Evaluation, known: GroupsOfLms): Promise<void> {
  const { gathered, people, made, tally, asking } = evaluation;
  if (gathered.count('group_membership') === 0) return;
  const rows = [...gathered.of('group_membership')];
  const byId = await people.byId(rows.flatMap(({ cell }) => cell('user_id') ?? []));
  const whoIs = (user: string) =>
    made.people.get(user) ??
    people.besides(user) ??
    // The LMS goes by a login that the upload deletes, too.
    heldIn(byId(user));
  const found = new FoundGroups(evaluation, known);
  const outsideOf = await memberRefusal(
    evaluation,
    {
      category: (sisId) => heldIn(known.categories.get(sisId)),
      group: (sisId) => heldIn(known.groups.get(sisId)),
    },
    (user) => String(whoIs(user)?.id ?? made.whose(user)),
  );
  const meant: Meant[] = [];
  let taken = 0;
  for (const row of rows) {
    const { cell } = row;
    const [group, user] = [cell('group_id') ?? '', cell('user_id') ?? ''];
    const who = whoIs(user);
    // A deleted login of someone who has another one still means them.
    const exists = who !== null ? true : (made.has('user', user) ?? isThere(byId(user)));
    const there = await found.take(group);
    const isNew = who === null && made.has('user', user) === true;
    const first = refusal(cell, exists, there, { isNew, mayBeFormer: people.mayBeFormer(user) });
    const outside = orRefused(first ?? { does: 'nothing' }, outsideOf(cell));
    const open = first === null && outside.does === 'nothing' ? null : outside;
    const key = found.keyOf(group);
    const person = who === null ? made.whose(user) : String(who.id);
    if (open === null) found.now.take(key, person, cell('status'), row.row, evaluation.fileOf(row.part));
    const at = open === null ? taken++ : -1;
    meant.push({ ...row, effect: open, at, group: key, person, gone: there === 'gone' });
  }
  for (const { cell, effect: open, at, group: key, person, gone, part, row } of meant) {
    const [group, user] = [cell('group_id') ?? '', cell('user_id') ?? ''];
    const left = open === null ? found.now.leaves(at, key, person) : [];
    const effect = open ?? (gone ? inDeleted(group, left.length > 0) : found.now.effect(at, key, person));
    // Anyone who joins a group leaves another one of its category: any row may take something away.
    if (effect.does === 'unknown') tally.uncompared('group_membership');
    const held = heldIn(known.groups.get(group));
    const who = whoIs(user);
    if (who !== null) tally.numbers.set(user, who.id);
    await put(
      evaluation,
      'group_membership',
      { part, row },
      effect,
      named(user, who?.name ?? null, who && `users/${who.id}`),
      {
        in: named(group, held?.name ?? null, held && `groups/${held.id}`),
        takes:
          left.length === 0 ? null : `leaves the group${left.length === 1 ? '' : 's'} ${left.join(', ')}`,
      },
    );
  }
  found.countSettled();
  asking.signal.throwIfAborted();
}

/** Why a row cannot be carried out or compared; null where it is applied. */
function refusal(
  cell: CellsRow['cell'],
  exists: boolean | null,
  group: 'there' | 'missing' | 'unread' | 'gone',
  { isNew, mayBeFormer }: { isNew: boolean; mayBeFormer: boolean },
): SisEffect | null {
  const user = cell('user_id') ?? '';
  const nobody = fails('user_id', `No person in the LMS has the SIS ID ${shown(user)}.`);
  if (exists === false && mayBeFormer)
    return { does: 'unknown', why: `${nobody.why ?? ''} ${FORMER}`.trim() };
  if (exists === false)
    return group === 'missing' && !removes('group_membership', cell)
      ? orRefused(noGroup(cell), nobody.problems ?? [])
      : nobody;
  if (exists === null)
    return {
      does: 'unknown',
      why: `LMS Admin could not confirm whether the SIS ID ${shown(user)} belongs to a person.`,
    };
  const removing = removes('group_membership', cell);
  const none = `The LMS has no group ${shown(cell('group_id') ?? '')}.`;
  if (group === 'gone')
    return removing
      ? { does: 'nothing', why: 'The membership ends with its group, which is deleted by this upload.' }
      : null;
  if (group === 'missing')
    return removing
      ? notFound(
          'group_id',
          none,
          `${none} If its answer was wrong, this row removes the member, so it counts.`,
        )
      : isNew
        ? noGroup(cell)
        : notFound('group_id', none, `${none} ${HIDDEN} So the row counts.`);
  return group === 'unread' ? UNREAD : null;
}

function noGroup(cell: CellsRow['cell']): SisEffect {
  return fails('group_id', `The LMS has no group ${shown(cell('group_id') ?? '')}. ${HIDDEN}`);
}

const FORMER =
  'If it is that of a deleted login, the row is about its owner, who may leave a group by it, so it counts.';
const HIDDEN =
  'If one with this SIS ID was deleted, the row adds the person to that one, where no one sees it, and removes them from the other groups of its category. The LMS does not show what was deleted.';

/** The LMS puts people into deleted groups too. */
function inDeleted(group: string, leaves: boolean): SisEffect {
  const why = `The group ${shown(group)} is deleted by this upload: the LMS adds the person to it, where no one sees it.`;
  return { does: leaves ? 'changes' : 'nothing', why };
}

const NOBODY: { members: string[]; gone: string[] } = { members: [], gone: [] };

/** The groups that rows name, with the other groups of their categories: a person is in one group of a category. */
class FoundGroups {
  readonly now = new MembershipsNow();
  readonly #evaluation: Evaluation;
  readonly #known: GroupsOfLms;
  readonly #found = new Map<string, Promise<'there' | 'missing' | 'unread' | 'gone'>>();
  readonly #categories = new Map<string, Promise<string | null>>();
  /** Courses of groups, by the number of the group. */
  readonly #courses = new Map<number, number | null>();
  /** Category that rows of groups give a group. */
  readonly #given = new Map<string, string>();

  constructor(evaluation: Evaluation, known: GroupsOfLms) {
    this.#evaluation = evaluation;
    this.#known = known;
    for (const { cell } of evaluation.gathered.of('group')) {
      const [group, category] = [cell('group_id'), cell('group_category_id')];
      if (group && category && !evaluation.made.refusedGroups.has(group)) this.#given.set(group, category);
    }
  }

  /** What tells a group from others: its number, or the SIS ID of one of the same upload. */
  keyOf(sisId: string): string {
    const held = heldIn(this.#known.groups.get(sisId));
    return held === null ? `new ${sisId}` : String(held.id);
  }

  /** Gets ready for rows of a group. */
  take(sisId: string): Promise<'there' | 'missing' | 'unread' | 'gone'> {
    const asked = this.#found.get(sisId) ?? this.#ask(sisId);
    this.#found.set(sisId, asked);
    return asked;
  }

  async #ask(sisId: string) {
    const { made } = this.#evaluation;
    const here = made.has('group', sisId);
    const gone = heldIn(this.#known.groups.get(sisId));
    if (here === false) {
      const category = gone === null ? null : await this.#categoryOf(sisId, gone);
      this.now.add({ key: this.keyOf(sisId), name: gone?.name ?? shown(sisId), category, members: [] });
      return 'gone';
    }
    const answer = this.#known.groups.get(sisId) ?? 'unread';
    if (here !== true && typeof answer === 'string') return answer;
    const held = heldIn(answer);
    const category = await this.#categoryOf(sisId, held);
    const members = held === null ? NOBODY : await this.#membersOf(held.id, held.course_id ?? null);
    if (members === null) return 'unread';
    this.now.add({ key: this.keyOf(sisId), name: held?.name ?? shown(sisId), category, ...members });
    return 'there';
  }

  /** What tells the category of a group from others; null where people may be in several groups of it. */
  #categoryOf(sisId: string, held: LmsGroup | null): Promise<string | null> {
    const { made } = this.#evaluation;
    const given = this.#given.get(sisId);
    const named = given === undefined ? null : categoryKey(given, heldIn(this.#known.categories.get(given)));
    const present = held?.group_category_id ? String(held.group_category_id) : null;
    const key = held === null ? named : (made.categoryOfGroup.get(held.id) ?? present);
    if (key === null) return Promise.resolve(null);
    const asked = this.#categories.get(key) ?? this.#readCategory(key, held);
    this.#categories.set(key, asked);
    return asked;
  }

  /** Notes the groups of a category with their people, as rows of groups leave them. */
  async #readCategory(key: string, held: LmsGroup | null): Promise<string | null> {
    const { asking, tally, made } = this.#evaluation;
    const given = /^\d+$/.test(key) ? Number(key) : null;
    const category = given === null ? 'missing' : await answered(asking, () => categoryAt(asking, given));
    if (typeof category === 'object' && category.allows_multiple_memberships === true) return null;
    const course = (typeof category === 'object' ? category : held)?.course_id ?? null;
    // The groups of a category that was deleted stay, and a person is still in one of them only.
    const gone = category === 'missing' && course !== null;
    const of = gone ? `courses/${course}` : `group_categories/${given}`;
    const groups =
      given === null ? [] : await answered(asking, () => this.#groupsIn(of, gone ? given : null));
    if (typeof groups === 'string') tally.untold = true;
    const stay = (typeof groups === 'string' ? [] : groups).filter(({ id: number }) => {
      const to = made.categoryOfGroup.get(number);
      return to === undefined || to === key;
    });
    const into = [...this.#known.groups.values()].flatMap((found) => {
      const group = heldIn(found);
      const comes = group !== null && made.categoryOfGroup.get(group.id) === key;
      return comes && !stay.some((one) => one.id === group.id) ? [group] : [];
    });
    for (const group of [...stay, ...into]) {
      const members = this.#isDeleted(group.id) ? NOBODY : await this.#membersOf(group.id, course);
      if (members === null) tally.untold = true;
      this.now.add({ key: String(group.id), name: group.name, category: key, ...(members ?? NOBODY) });
    }
    return key;
  }

  /** @param only category of the groups that are wanted; null for all */
  async #groupsIn(of: string, only: number | null): Promise<LmsGroup[]> {
    const all = await groupsOf(this.#evaluation.asking, of);
    return all.filter(({ group_category_id }) => only === null || group_category_id === only);
  }

  /** Whether the upload deletes a group: anyone who it puts into it then is lost to it anyway. */
  #isDeleted(number: number): boolean {
    const { made } = this.#evaluation;
    return [...this.#known.groups].some(
      ([sisId, found]) => heldIn(found)?.id === number && made.has('group', sisId) === false,
    );
  }

  /** Numbers of the people of a group, and of those who left it by rows of the tables before; null where the LMS does not answer. */
  async #membersOf(
    group: number,
    course: number | null,
  ): Promise<{ members: string[]; gone: string[] } | null> {
    const { asking, tally } = this.#evaluation;
    this.#courses.set(group, course);
    const all =
      course === null ? await memberIdsOf(asking, { id: group }) : await this.#inCourse(group, course);
    if (typeof all === 'string') return null;
    const members = new Set(all);
    const gone = [...members].filter((user) => tally.losses.hasEnded(group, user));
    for (const user of gone) members.delete(user);
    return { members: [...members].map(String), gone: gone.map(String) };
  }

  /** Numbers of the people of a group of a course. */
  async #inCourse(group: number, course: number): Promise<Answer<number[]>> {
    const { courseEnrolments, courseMembers } = this.#evaluation;
    const members = await courseMembers.of(course);
    if (typeof members === 'object')
      return [...members].flatMap(([user, groups]) => (groups.some(({ id }) => id === group) ? [user] : []));
    const read = await courseEnrolments.read(course);
    return typeof read === 'string'
      ? read
      : read.flatMap(({ userId, groups }) => (groups.includes(group) ? [userId] : []));
  }

  /** Counts the memberships that end, and no longer those that are back. */
  countSettled(): void {
    const { losses } = this.#evaluation.tally;
    for (const [group, person, state] of this.now.settled()) {
      const [number, user] = [Number(group), Number(person)];
      const course = this.#courses.get(number) ?? null;
      if (state === 'back') losses.keepMembership(number, user, course);
      else losses.endMembership(number, user, course);
    }
  }
}
