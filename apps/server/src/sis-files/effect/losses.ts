/**
 * Items that are in the LMS now but not after the upload, each counted once, whichever rows and tables end it. The
 * review shows these numbers, and the admin types them to confirm; an item that one row ends and a later one restores
 * is not lost.
 */
import { losesAccess } from '@lms-admin/domain/sis-effect';
import { SIS_KINDS, type SisKind } from '@lms-admin/domain/sis-tables';

/** An enrolment before the upload. */
export interface EnrolmentBefore {
  id: number;
  /** Number of the enrolment's course. */
  courseId: number;
  userId: number;
  state: string;
  /** Whether this upload moves its section to another course. */
  moves?: boolean;
}

export interface LossesOfCourse {
  id: number;
  sisId: string | null;
  name: string | null;
  enrolments: number;
  members: number;
  /** Active enrolments before the upload; null until they have been counted. */
  active: number | null;
}

export class Losses {
  readonly #objects = new Map<SisKind, Set<string>>();
  readonly #uncompared = new Map<SisKind, number>();
  /** States of enrolments that rows so far have changed. */
  readonly #states = new Map<number, string>();
  readonly #lost = new Set<number>();
  readonly #memberships = new Set<string>();
  /** Items that end if the LMS applies rows whose outcome is unknown: courses by enrolment, and by membership. */
  readonly #maybe = new Map<number, number>();
  readonly #maybeMembers = new Map<string, number>();
  readonly #courses = new Map<number, LossesOfCourse>();

  /** Records that an independent item ends. @param key identifies it within its kind */
  lose(kind: SisKind, key: string | number): void {
    const keys = this.#objects.get(kind) ?? new Set<string>();
    this.#objects.set(kind, keys.add(String(key)));
  }

  /** Records that a later row restores an item. */
  keep(kind: SisKind, key: string | number): void {
    this.#objects.get(kind)?.delete(String(key));
  }

  /** Adds items that may be lost, if their existence is unknown. */
  addUncompared(kind: SisKind, count = 1): void {
    if (count > 0) this.#uncompared.set(kind, (this.#uncompared.get(kind) ?? 0) + count);
  }

  /** Counts items that may be lost: known ones once each, without those that are certainly lost. */
  uncompared(kind: SisKind): number {
    const known =
      kind === 'enrollment'
        ? [...this.#maybe.keys()].filter((id) => !this.#lost.has(id)).length
        : kind === 'group_membership'
          ? [...this.#maybeMembers.keys()].filter((key) => !this.#memberships.has(key)).length
          : 0;
    return (this.#uncompared.get(kind) ?? 0) + known;
  }

  /**
   * Records that an enrolment ends if the LMS applies an uncertain row.
   * @returns whether this is the first such row for it
   */
  mayEnd(before: EnrolmentBefore): boolean {
    if (this.#maybe.has(before.id) || this.stateOf(before) === 'deleted') return false;
    this.#maybe.set(before.id, before.courseId);
    return true;
  }

  /** Records that a group membership ends if the LMS applies an uncertain row. */
  mayEndMembership(group: number, user: number, course: number): boolean {
    const key = `${group} ${user}`;
    if (this.#maybeMembers.has(key) || this.#memberships.has(key)) return false;
    this.#maybeMembers.set(key, course);
    return true;
  }

  /** Returns the state of an enrolment after the rows so far. */
  stateOf({ id, state }: Pick<EnrolmentBefore, 'id' | 'state'>): string {
    return this.#states.get(id) ?? state;
  }

  /** Sets the state of an enrolment after a row. */
  setEnrolment(before: EnrolmentBefore, state: string): void {
    const { id, courseId } = before;
    if (state === before.state) this.#states.delete(id);
    else this.#states.set(id, state);
    // A person who has concluded a course can read it, and loses that too when removed.
    const lost = losesAccess(before.state, state) || before.moves === true;
    if (lost === this.#lost.has(id)) return;
    this.#courseOf(courseId).enrolments += lost ? 1 : -1;
    if (lost) this.#lost.add(id);
    else this.#lost.delete(id);
  }

  /** Ends a group membership, which does not return with the enrolment. @returns whether it had not ended before */
  endMembership(group: number, user: number, course: number | null): boolean {
    const key = `${group} ${user}`;
    if (this.#memberships.has(key)) return false;
    this.#memberships.add(key);
    if (course !== null) this.#courseOf(course).members++;
    return true;
  }

  hasEnded(group: number, user: number): boolean {
    return this.#memberships.has(`${group} ${user}`);
  }

  /** Records that a later row puts the person back into the group. */
  keepMembership(group: number, user: number, course: number | null): void {
    if (this.#memberships.delete(`${group} ${user}`) && course !== null) this.#courseOf(course).members--;
  }

  /** Records known figures of a course with losses. */
  describe(id: number, known: Partial<Omit<LossesOfCourse, 'id' | 'enrolments' | 'members'>>): void {
    Object.assign(this.#courseOf(id), known);
  }

  #courseOf(id: number): LossesOfCourse {
    let course = this.#courses.get(id);
    if (!course) {
      course = { id, sisId: null, name: null, enrolments: 0, members: 0, active: null };
      this.#courses.set(id, course);
    }
    return course;
  }

  /** Counts the certain losses of a kind. */
  certain(kind: SisKind): number {
    if (kind === 'enrollment') return this.#lost.size;
    return kind === 'group_membership' ? this.#memberships.size : (this.#objects.get(kind)?.size ?? 0);
  }

  /** Counts certain and possible losses. */
  count(kind: SisKind): number {
    return this.certain(kind) + this.uncompared(kind);
  }

  get all(): number {
    return SIS_KINDS.reduce((sum, kind) => sum + this.count(kind), 0);
  }

  /** Returns the courses that lose, or may lose, enrolments or group memberships, with the largest losses first. */
  courses(): LossesOfCourse[] {
    const all = new Map([...this.#courses].map(([id, course]) => [id, { ...course }]));
    const of = (id: number) => all.get(id) ?? { ...this.#courseOf(id) };
    for (const [id, course] of this.#maybe) {
      if (this.#lost.has(id)) continue;
      const known = of(course);
      all.set(course, { ...known, enrolments: known.enrolments + 1 });
    }
    for (const [key, course] of this.#maybeMembers) {
      if (this.#memberships.has(key)) continue;
      const known = of(course);
      all.set(course, { ...known, members: known.members + 1 });
    }
    return [...all.values()]
      .filter(({ enrolments, members }) => enrolments + members > 0)
      .sort((a, b) => b.enrolments - a.enrolments || b.members - a.members || a.id - b.id);
  }
}
