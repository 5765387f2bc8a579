/** The groups in rows of memberships, with their members and the other groups of their categories. */
import { MembershipsNow } from '@lms-admin/domain/sis-effect/groups';
import { shown } from '@lms-admin/domain/sis-rows';
import { categoryAt, groupsOf, type LmsCategory, type LmsGroup } from '../../canvas/resources/groups.ts';
import { type Answer, answered } from '../../canvas/resources/reading.ts';
import type { Evaluation } from './evaluation.ts';
import { categoryKey, heldIn, memberIdsOf } from './groups-of-lms.ts';

export interface GroupsOfLms {
  categories: ReadonlyMap<string, Answer<LmsCategory>>;
  groups: ReadonlyMap<string, Answer<LmsGroup>>;
}

/**
 * Whether a group exists, or is deleted by the upload; `shut`: in a deleted course, whose people the LMS does not
 * show.
 */
export type Presence = 'there' | 'missing' | 'unread' | 'gone' | 'shut';

const NOBODY: { members: string[]; gone: string[] } = { members: [], gone: [] };

/** A person is in only one group of a category, so one who joins a group leaves another. */
export class FoundGroups {
  readonly now = new MembershipsNow();
  readonly #evaluation: Evaluation;
  readonly #known: GroupsOfLms;
  readonly #found = new Map<string, Promise<Presence>>();
  readonly #categories = new Map<string, Promise<string | null>>();
  /** Member limits for groups without their own, by category; Infinity if there is no limit. */
  readonly #limits = new Map<string, number>();
  /** Courses of groups, by group number. */
  readonly #courses = new Map<number, number | null>();
  /** Categories that rows of groups set. */
  readonly #given = new Map<string, string>();

  constructor(evaluation: Evaluation, known: GroupsOfLms) {
    this.#evaluation = evaluation;
    this.#known = known;
    for (const { cell } of evaluation.uploadRows.of('group')) {
      const [group, category] = [cell('group_id'), cell('group_category_id')];
      if (group && category && !evaluation.uploadState.refusedGroups.has(group))
        this.#given.set(group, category);
    }
  }

  /** Returns the key of a group: its number, or its SIS ID if the same upload creates it. */
  keyOf(sisId: string): string {
    const held = heldIn(this.#known.groups.get(sisId));
    return held === null ? `new ${sisId}` : String(held.id);
  }

  /** Prepares for rows of a group. */
  take(sisId: string): Promise<Presence> {
    const promise = this.#found.get(sisId) ?? this.#ask(sisId);
    this.#found.set(sisId, promise);
    return promise;
  }

  async #ask(sisId: string) {
    const { uploadState } = this.#evaluation;
    const here = uploadState.has('group', sisId);
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
    if (typeof members === 'string') return members === 'missing' ? 'shut' : 'unread';
    const limit = this.#limitOf(held, this.#categoryKeyOf(sisId, held));
    this.now.add({ key: this.keyOf(sisId), name: held?.name ?? shown(sisId), category, limit, ...members });
    return 'there';
  }

  /** Returns the key of a group's category; null if people can be in several of its groups. */
  #categoryOf(sisId: string, held: LmsGroup | null): Promise<string | null> {
    const key = this.#categoryKeyOf(sisId, held);
    if (key === null) return Promise.resolve(null);
    const promise = this.#categories.get(key) ?? this.#readCategory(key, held);
    this.#categories.set(key, promise);
    return promise;
  }

  #categoryKeyOf(sisId: string, held: LmsGroup | null): string | null {
    const { uploadState } = this.#evaluation;
    const given = this.#given.get(sisId);
    const named = given === undefined ? null : categoryKey(given, heldIn(this.#known.categories.get(given)));
    const present = held?.group_category_id ? String(held.group_category_id) : null;
    return held === null ? named : (uploadState.categoryOfGroup.get(held.id) ?? present);
  }

  /** Returns the member limit of a group: its own takes precedence over that of its category. */
  #limitOf(held: LmsGroup | null, category: string | null): number | null {
    const limit = this.#limits.get(category ?? '') ?? null;
    return limit === Number.POSITIVE_INFINITY ? null : (held?.max_membership ?? limit);
  }

  /** Records the groups of a category with their members, after the rows of groups. */
  async #readCategory(key: string, held: LmsGroup | null): Promise<string | null> {
    const { asking, tally, uploadState } = this.#evaluation;
    const given = /^\d+$/.test(key) ? Number(key) : null;
    const category = given === null ? 'missing' : await answered(asking, () => categoryAt(asking, given));
    if (typeof category === 'object') {
      const limit = category.role === 'student_organized' ? Number.POSITIVE_INFINITY : category.group_limit;
      if (limit !== null) this.#limits.set(key, limit);
    }
    if (typeof category === 'object' && category.allows_multiple_memberships === true) return null;
    const course = (typeof category === 'object' ? category : held)?.course_id ?? null;
    // Groups of a deleted category stay, and a person is still in only one of them.
    const gone = category === 'missing' && course !== null;
    const of = gone ? `courses/${course}` : `group_categories/${given}`;
    const groups =
      given === null ? [] : await answered(asking, () => this.#groupsIn(of, gone ? given : null));
    if (typeof groups === 'string') tally.untold = true;
    const stay = (typeof groups === 'string' ? [] : groups).filter(({ id: number }) => {
      const to = uploadState.categoryOfGroup.get(number);
      return to === undefined || to === key;
    });
    const into = [...this.#known.groups.values()].flatMap((found) => {
      const group = heldIn(found);
      const comes = group !== null && uploadState.categoryOfGroup.get(group.id) === key;
      return comes && !stay.some((one) => one.id === group.id) ? [group] : [];
    });
    for (const group of [...stay, ...into]) {
      const members = this.#isDeleted(group.id) ? NOBODY : await this.#membersOf(group.id, course);
      const known = typeof members === 'string' ? null : members;
      if (known === null) tally.untold = true;
      const limit = known === null ? null : this.#limitOf(group, key);
      this.now.add({ key: String(group.id), name: group.name, category: key, limit, ...(known ?? NOBODY) });
    }
    return key;
  }

  /** @param only category of the wanted groups; null for all */
  async #groupsIn(of: string, only: number | null): Promise<LmsGroup[]> {
    const all = await groupsOf(this.#evaluation.asking, of);
    return all.filter(({ group_category_id }) => only === null || group_category_id === only);
  }

  /** Returns whether the upload deletes a group: people whom it adds lose that membership anyway. */
  #isDeleted(number: number): boolean {
    const { uploadState } = this.#evaluation;
    return [...this.#known.groups].some(
      ([sisId, found]) => heldIn(found)?.id === number && uploadState.has('group', sisId) === false,
    );
  }

  /** Returns the numbers of the people in a group, and of those who left it by rows of earlier tables. */
  async #membersOf(
    group: number,
    course: number | null,
  ): Promise<Answer<{ members: string[]; gone: string[] }>> {
    const { asking, tally } = this.#evaluation;
    this.#courses.set(group, course);
    const all =
      course === null ? await memberIdsOf(asking, { id: group }) : await this.#inCourse(group, course);
    if (typeof all === 'string') return all;
    const members = new Set(all);
    const gone = [...members].filter((user) => tally.losses.hasEnded(group, user));
    for (const user of gone) members.delete(user);
    return { members: [...members].map(String), gone: gone.map(String) };
  }

  /** Returns the members of a group of a course. */
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

  /** Records the memberships that a row ends if the LMS applies it. @param groups keys of the groups */
  mayEnd(groups: readonly string[], person: string): void {
    const { tally } = this.#evaluation;
    for (const group of groups) {
      tally.losses.mayEndMembership(Number(group), Number(person), this.#courses.get(Number(group)) ?? 0);
      tally.untold = true;
    }
  }

  /** Counts the memberships that end, without those that are restored. */
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
