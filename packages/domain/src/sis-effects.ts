/** What the rows of a SIS file do to what the LMS holds, before they are sent. Pure. */

/** A row of an enrolments file, reduced to what decides its effect. */
export interface EnrolmentRow {
  row: number;
  /** SIS id of the person; any other name of them where the row gives none. */
  user: string;
  /** Roles that the row may mean. */
  roles: readonly number[];
  /** SIS id of the section; empty for the default section. */
  section: string;
  /** In lower case. */
  status: string;
  /** Whether the row gives dates or anything else beside the state: then it may change what is there already. */
  more: boolean;
}

/** An enrolment that the LMS holds. */
export interface HeldEnrolment {
  /** SIS id of the person. */
  user: string;
  roleId: number;
  sectionId: number;
  /** Never `deleted`. */
  state: string;
  /** Whether it has dates of its own, which a row without dates takes away. */
  dated: boolean;
}

/** What the LMS holds in a course, or in a section that a row names alone. */
export interface HeldPlace {
  enrolments: readonly HeldEnrolment[];
  /** Numbers of the sections by SIS id. */
  sections: ReadonlyMap<string, number>;
  /** Number of the default section; null where nobody knows which it is. */
  defaultSection: number | null;
  /** Whether nobody can say who a person is, so that nothing can be said about their rows. */
  unsure: (user: string) => boolean;
}

/** `removes` an enrolment that is there, `works` otherwise, or changes nothing for a reason. */
export type RowEffect =
  | { does: 'removes' | 'works' }
  | { does: 'nothing'; why: 'repeated'; first: number }
  | { does: 'nothing'; why: 'not-enrolled' | 'elsewhere' | 'same' | 'no-section' };

/**
 * The effect of each row on its place, in the order of the rows: the later one finds what the earlier one left.
 * @param place null where it was not read: then a row only counts once
 */
export function enrolmentEffects(rows: readonly EnrolmentRow[], place: HeldPlace | null): RowEffect[] {
  const last = new Map<string, { row: number; status: string }>();
  const held = new HeldNow(place?.enrolments ?? []);
  return rows.map((one) => {
    const name = JSON.stringify([one.user, one.section, one.roles]);
    const before = last.get(name);
    if (before?.status === one.status && !one.more) {
      return { does: 'nothing', why: 'repeated', first: before.row };
    }
    last.set(name, one);
    if (place === null || place.unsure(one.user)) return { does: takesAway(one) ? 'removes' : 'works' };
    return effectIn(place, held, one);
  });
}

function takesAway({ status }: EnrolmentRow): boolean {
  return status.startsWith('deleted');
}

function effectIn(place: HeldPlace, held: HeldNow, row: EnrolmentRow): RowEffect {
  const section = row.section === '' ? place.defaultSection : place.sections.get(row.section);
  if (section === undefined) return { does: 'nothing', why: 'no-section' };
  const found = held.find(row, section);
  if (takesAway(row)) {
    if (found === null) {
      return { does: 'nothing', why: held.find(row, null) === null ? 'not-enrolled' : 'elsewhere' };
    }
    held.remove(found);
    return { does: 'removes' };
  }
  if (found !== null && found.state === row.status && !row.more && !found.dated) {
    return { does: 'nothing', why: 'same' };
  }
  if (section !== null) held.put(row, section, found);
  return { does: 'works' };
}

/** The enrolments of a place as the rows go through them. */
class HeldNow {
  readonly #ofUser = new Map<string, HeldEnrolment[]>();

  constructor(enrolments: readonly HeldEnrolment[]) {
    for (const one of enrolments) this.#of(one.user).push(one);
  }

  /** @param section null for any */
  find({ user, roles }: EnrolmentRow, section: number | null): HeldEnrolment | null {
    const fits = (one: HeldEnrolment) =>
      roles.includes(one.roleId) && (section === null || one.sectionId === section);
    return this.#ofUser.get(user)?.find(fits) ?? null;
  }

  remove(one: HeldEnrolment): void {
    const those = this.#of(one.user);
    those.splice(those.indexOf(one), 1);
  }

  put({ user, roles, status }: EnrolmentRow, sectionId: number, before: HeldEnrolment | null): void {
    if (before) this.remove(before);
    this.#of(user).push({ user, roleId: roles[0] ?? 0, sectionId, state: status, dated: false });
  }

  #of(user: string): HeldEnrolment[] {
    const those = this.#ofUser.get(user) ?? [];
    this.#ofUser.set(user, those);
    return those;
  }
}

/** Somebody whom the LMS knows. */
export interface HeldPerson {
  id: number;
  sisUserId: string | null;
  login: string | null;
}

/** What a row of a users file does to whom. */
export type PersonEffect<P extends HeldPerson = HeldPerson> =
  | { does: 'creates' }
  | { does: 'changes' | 'suspends' | 'deletes' | 'gives-id'; person: P }
  /** A deletion of nobody. */
  | { does: 'nothing' }
  /** The login is another person's, or not that of the person who would be deleted. */
  | { does: 'refused'; why: 'login-taken' | 'other-login'; person: P };

/**
 * What a row of a users file does: the LMS goes by the SIS id, then by the login.
 * @param byId who has the SIS id
 * @param byLogin who has the login
 */
export function personEffect<P extends HeldPerson>(
  row: { status: string; login: string },
  byId: P | null,
  byLogin: P | null,
): PersonEffect<P> {
  const deletes = row.status.startsWith('deleted');
  if (byId === null) {
    if (byLogin === null) return { does: deletes ? 'nothing' : 'creates' };
    // Without a SIS id of their own somebody is taken for the person of the row: that may be meant, but not when it deletes them.
    if (deletes || byLogin.sisUserId !== null)
      return { does: 'refused', why: 'login-taken', person: byLogin };
    return { does: 'gives-id', person: byLogin };
  }
  if (byLogin !== null && byLogin.id !== byId.id) {
    return { does: 'refused', why: 'login-taken', person: byLogin };
  }
  const known = byLogin !== null || sameLogin(byId.login, row.login);
  if (deletes) {
    return known ? { does: 'deletes', person: byId } : { does: 'refused', why: 'other-login', person: byId };
  }
  return { does: row.status.startsWith('suspended') ? 'suspends' : 'changes', person: byId };
}

/** Logins are the same without letter case. */
export function sameLogin(a: string | null, b: string): boolean {
  return a !== null && a.toLowerCase() === b.toLowerCase();
}
