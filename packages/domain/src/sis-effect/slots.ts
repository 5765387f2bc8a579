/** The enrolments of a course while rows are processed, found by the people and places in rows. */
import type { EnrolmentRow, HeldEnrolment, HeldPlace } from './held-place.ts';

/** An enrolment while the rows are processed. */
export interface Slot {
  held: HeldEnrolment | null;
  /** Number of the person; null for a person in the same upload. */
  userId: number | null;
  sectionId: number;
  roleId: number;
  state: string | null;
  start: string | null;
  end: string | null;
  limited: boolean;
  /** Whether the same upload deletes the person. */
  personGone?: boolean;
  /** Whether the LMS has deleted it, and rejects further rows about it because no one is left to enrol. */
  shut?: boolean;
  /** Positions of the enrolment's rows in the list of rows. */
  rows: number[];
}

export class Slots {
  readonly #place: HeldPlace;
  readonly #slots = new Map<string, Slot>();
  readonly #ofUser = new Map<string, Map<string, Slot>>();
  readonly #ofStudent = new Map<number, Slot[]>();
  readonly #ofUserId = new Map<number, Slot[]>();
  readonly #userIds = new Map<string, number>();
  /** Enrolments that ended before these rows. */
  readonly #ended = new Set<string>();

  constructor(place: HeldPlace) {
    this.#place = place;
    for (const { user, sectionId, roleId, observes } of place.ended ?? [])
      this.#ended.add(keyOf(user, sectionId, roleId, observes));
    for (const held of place.enrolments) {
      const { user, userId, sectionId, roleId, state, start, end, limited = false, observes } = held;
      const slot: Slot = { held, userId, sectionId, roleId, state, start, end, limited, rows: [] };
      if (user !== '') this.#userIds.set(user, userId);
      this.#add(user, keyOf(user, sectionId, roleId, observes), slot, observes);
    }
  }

  /** Returns the enrolments named by rows or the LMS. */
  all(): Iterable<Slot> {
    return new Set(this.#slots.values());
  }

  /** Yields all enrolments, including those of observers enrolled with students. */
  *ofEverybody(): Iterable<Slot> {
    for (const slots of this.#ofUserId.values()) yield* slots;
  }

  /** Returns the observers of a student. */
  ofStudent(student: number): readonly Slot[] {
    return this.#ofStudent.get(student) ?? [];
  }

  ofPerson(person: number): readonly Slot[] {
    return this.#ofUserId.get(person) ?? [];
  }

  /** Enrols an observer with a student. */
  enrolObserver(observer: number, student: number, sectionId: number): void {
    const slot = { ...newSlot(observer, sectionId, 0), state: 'active' };
    listIn(this.#ofStudent, student).push(slot);
    listIn(this.#ofUserId, observer).push(slot);
  }

  /** Returns the enrolment that a row affects; a new one if there is none. */
  of(row: EnrolmentRow, section: number): Slot {
    const student = this.#studentOf(row);
    for (const role of row.roles) {
      // Only observers have a student: the LMS ignores the column for all others.
      for (const observes of student === null ? [null] : [student, null]) {
        const found = this.#slots.get(keyOf(row.user, section, role, observes));
        if (found) return found;
      }
    }
    const role = row.roles[0] ?? 0;
    const created = newSlot(this.idOf(row.user), section, role);
    this.#add(row.user, keyOf(row.user, section, role, student), created, student);
    return created;
  }

  /** Returns whether a row affects an enrolment that ended before. */
  hasEnded(row: EnrolmentRow, section: number): boolean {
    const student = this.#studentOf(row);
    const keys = row.roles.flatMap((role) =>
      [student, null].map((observes) => keyOf(row.user, section, role, observes)),
    );
    return keys.some((key) => this.#ended.has(key));
  }

  /** Returns whether the person has another enrolment with the role in the course, and for the same student. */
  hasOther(row: EnrolmentRow, but: Slot | null): boolean {
    const userSlots = [...(this.#ofUser.get(row.user) ?? [])];
    const own = userSlots.find(([, one]) => one === but)?.[0];
    const student = own === undefined ? String(this.#studentOf(row) ?? '') : studentIn(own);
    return userSlots.some(
      ([key, one]) =>
        one !== but && one.state !== null && row.roles.includes(roleIn(key)) && studentIn(key) === student,
    );
  }

  /** Returns the person's enrolments with the role in the course that no row has ended. */
  heldOf({ user, roles }: EnrolmentRow): HeldEnrolment[] {
    return [...(this.#ofUser.get(user)?.values() ?? [])].flatMap(({ held, state }) =>
      held !== null && state !== null && roles.includes(held.roleId) ? held : [],
    );
  }

  /** Returns the number of a person, if known. */
  idOf(user: string): number | null {
    return this.#userIds.get(user) ?? this.#place.userIdOf?.(user) ?? null;
  }

  #studentOf({ student }: EnrolmentRow): number | null {
    return student === '' ? null : this.idOf(student);
  }

  #add(user: string, key: string, slot: Slot, observes: number | null): void {
    this.#slots.set(key, slot);
    const userSlots = this.#ofUser.get(user) ?? new Map<string, Slot>();
    this.#ofUser.set(user, userSlots.set(key, slot));
    // Another enrolment from the same file also keeps a person in the course.
    if (slot.userId !== null) listIn(this.#ofUserId, slot.userId).push(slot);
    if (observes !== null) listIn(this.#ofStudent, observes).push(slot);
  }
}

function newSlot(userId: number | null, sectionId: number, roleId: number): Slot {
  const nothing = { held: null, state: null, start: null, end: null, limited: false };
  return { ...nothing, userId, sectionId, roleId, rows: [] };
}

function keyOf(user: string, section: number, role: number, observes: number | null): string {
  return `${role} ${section} ${observes ?? ''} ${user}`;
}

function roleIn(key: string): number {
  return Number(key.slice(0, key.indexOf(' ')));
}

/** Returns the number of the student; empty for none. */
function studentIn(key: string): string {
  return key.split(' ', 3)[2] ?? '';
}

function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const userSlots = map.get(key) ?? [];
  map.set(key, userSlots);
  return userSlots;
}
