/**
 * What is in the LMS now and not after the upload: each thing once, whichever rows and tables end it. These numbers are what the
 * review announces and what is typed; a thing that an earlier row ends and a later one restores is not lost.
 */
import { losesAccess } from '@lms-admin/domain/sis-effect';
import { SIS_KINDS, type SisKind } from '@lms-admin/domain/sis-tables';

/** An enrolment as it is before the upload. */
export interface EnrolmentBefore {
  /** Number of the enrolment. */
  id: number;
  /** Number of the course that it is in. */
  courseId: number;
  userId: number;
  state: string;
  /** Whether its section goes to another course by this upload. */
  moves?: boolean;
}

export interface LossesOfCourse {
  /** Number of the course. */
  id: number;
  sisId: string | null;
  name: string | null;
  enrolments: number;
  members: number;
  /** Live enrolments before the upload; null while they have not been counted. */
  active: number | null;
}

export class Losses {
  readonly #things = new Map<SisKind, Set<string>>();
  readonly #uncompared = new Map<SisKind, number>();
  /** States of enrolments after the rows so far, where rows change them. */
  readonly #states = new Map<number, string>();
  readonly #lost = new Set<number>();
  readonly #memberships = new Set<string>();
  readonly #courses = new Map<number, LossesOfCourse>();

  /** A thing of its own ends. @param key what tells it from others of its kind */
  lose(kind: SisKind, key: string | number): void {
    const those = this.#things.get(kind) ?? new Set<string>();
    this.#things.set(kind, those.add(String(key)));
  }

  /** A later row restores it. */
  keep(kind: SisKind, key: string | number): void {
    this.#things.get(kind)?.delete(String(key));
  }

  /** Things that may be lost, where it is not known whether they are there. */
  addUncompared(kind: SisKind, count = 1): void {
    if (count > 0) this.#uncompared.set(kind, this.uncompared(kind) + count);
  }

  uncompared(kind: SisKind): number {
    return this.#uncompared.get(kind) ?? 0;
  }

  /** State of an enrolment after the rows so far. */
  stateOf({ id, state }: Pick<EnrolmentBefore, 'id' | 'state'>): string {
    return this.#states.get(id) ?? state;
  }

  /** Sets the state of an enrolment after a row. */
  setEnrolment(before: EnrolmentBefore, state: string): void {
    const { id, courseId } = before;
    if (state === before.state) this.#states.delete(id);
    else this.#states.set(id, state);
    // Anyone who has concluded the course reads it: who is taken out of it loses that too.
    const lost = losesAccess(before.state, state) || before.moves === true;
    if (lost === this.#lost.has(id)) return;
    this.#courseOf(courseId).enrolments += lost ? 1 : -1;
    if (lost) this.#lost.add(id);
    else this.#lost.delete(id);
  }

  /** A membership of a group ends, and does not come back with the enrolment. @returns whether it had not ended before */
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

  /** A later row puts the person back into the group. */
  keepMembership(group: number, user: number, course: number | null): void {
    if (this.#memberships.delete(`${group} ${user}`) && course !== null) this.#courseOf(course).members--;
  }

  /** What is known of a course that loses something. */
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

  /** Certain losses of a kind. */
  certain(kind: SisKind): number {
    if (kind === 'enrollment') return this.#lost.size;
    return kind === 'group_membership' ? this.#memberships.size : (this.#things.get(kind)?.size ?? 0);
  }

  /** Certain and possible ones. */
  count(kind: SisKind): number {
    return this.certain(kind) + this.uncompared(kind);
  }

  get all(): number {
    return SIS_KINDS.reduce((sum, kind) => sum + this.count(kind), 0);
  }

  /** Courses that lose enrolments or group memberships, those that lose most first. */
  courses(): LossesOfCourse[] {
    return [...this.#courses.values()]
      .filter(({ enrolments, members }) => enrolments + members > 0)
      .sort((a, b) => b.enrolments - a.enrolments || b.members - a.members || a.id - b.id);
  }
}
