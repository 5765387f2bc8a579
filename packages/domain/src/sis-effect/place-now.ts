/** The enrolments of a course while the rows of a file go through them. */
import { shown } from '../sis-rows.ts';
import {
  begins,
  changed,
  changedDate,
  type FieldChange,
  isLive,
  isTrue,
  losesAccess,
  type SisEffect,
} from './effect.ts';
import {
  byNobody,
  type EnrolmentEffect,
  type EnrolmentRow,
  type HeldEnrolment,
  type HeldPlace,
  mayRemove,
} from './held-place.ts';

const STATES = ['active', 'completed', 'inactive'] as const;
/** A default section that the LMS creates for the rows. */
const NEW_SECTION = Number.MIN_SAFE_INTEGER;

/** An enrolment while the rows go through it. */
interface Slot {
  held: HeldEnrolment | null;
  /** Number of the person; null for somebody of the same upload. */
  userId: number | null;
  sectionId: number;
  roleId: number;
  state: string | null;
  start: string | null;
  end: string | null;
  limited: boolean;
  /** Places of the rows about it, in the list of rows. */
  rows: number[];
}

export class PlaceNow {
  readonly #place: HeldPlace;
  readonly #slots = new Map<string, Slot>();
  readonly #ofUser = new Map<string, Map<string, Slot>>();
  readonly #ofStudent = new Map<number, Slot[]>();
  readonly #ofUserId = new Map<number, Slot[]>();
  readonly #userIds = new Map<string, number>();

  constructor(place: HeldPlace) {
    this.#place = place;
    for (const held of place.enrolments) {
      const slot: Slot = {
        held,
        userId: held.userId,
        sectionId: held.sectionId,
        roleId: held.roleId,
        state: held.state,
        start: held.start,
        end: held.end,
        limited: held.limited ?? false,
        rows: [],
      };
      const key = keyOf(held.user, held.sectionId, held.roleId, held.observes);
      this.#slots.set(key, slot);
      if (held.user !== '') this.#userIds.set(held.user, held.userId);
      listIn(this.#ofUserId, held.userId).push(slot);
      if (held.observes !== null) listIn(this.#ofStudent, held.observes).push(slot);
      this.#note(held.user, key, slot);
    }
  }

  #note(user: string, key: string, slot: Slot): void {
    const those = this.#ofUser.get(user) ?? new Map<string, Slot>();
    this.#ofUser.set(user, those);
    those.set(key, slot);
  }

  #idOf(user: string): number | null {
    return this.#userIds.get(user) ?? this.#place.userIdOf?.(user) ?? null;
  }

  /**
   * Applies a row. What it does to its enrolment is only known when all rows have been applied.
   * @param at its place in the list of rows
   */
  take(given: EnrolmentRow, at: number): EnrolmentEffect {
    const place = this.#place;
    const row = this.#called(given);
    const section =
      row.section === '' ? (place.defaultSection ?? NEW_SECTION) : place.sections.get(row.section);
    if (section === undefined)
      return {
        does: 'fails',
        why: `The ${place.name} has no section ${shown(row.section)}.${begins(row.status, 'deleted') ? NOTHING_LEFT : ''}`,
      };
    const exists = place.exists(given.user);
    if (exists === null)
      return {
        does: 'unknown',
        why: `LMS Admin could not confirm whether the SIS id ${shown(given.user)} belongs to a person.`,
      };
    if (!exists) return byNobody(given, place.mayBeFormer?.(given.user) ?? false);
    if (row.student !== '' && row.student === row.user)
      return { does: 'fails', why: 'Nobody can observe themselves.' };
    if (given.student !== '' && place.exists(given.student) === false && !place.hadLogin(given.student))
      return {
        does: 'fails',
        why: `Nobody in the LMS has the SIS id ${shown(given.student)}, whom they would observe. If it is that of a deleted login, they observe its owner.`,
      };
    if (section === NEW_SECTION && place.perhapsAway) return { does: 'unknown', why: PERHAPS_AWAY };
    if (section === NEW_SECTION && this.#sitsInMaybe(row)) return { does: 'unknown', why: WHICH_DEFAULT };
    const slot = this.#slotFor(row, section);
    // Whether there is an enrolment that was deleted decides what the LMS does then, and it does not show these.
    if (place.byDeletedLogin(given.user) && (slot.held === null || !mayRemove(row)))
      return { does: 'unknown', why: deletedLogin(given.user) };
    const status = row.status.toLowerCase();
    const before = slot.state;
    if (status.startsWith('deleted_last')) slot.state = this.#others(row, slot) ? null : 'completed';
    else if (status.startsWith('deleted')) slot.state = null;
    else slot.state = STATES.find((one) => status.startsWith(one)) ?? 'active';
    if (slot.state !== null) {
      slot.start = row.start || null;
      slot.end = row.end || null;
      if (row.limit) slot.limited = isTrue(row.limit);
    }
    slot.rows.push(at);
    return { ...PENDING, ...this.#follow(slot, before) };
  }

  #called(row: EnrolmentRow): EnrolmentRow {
    const { called } = this.#place;
    return called ? { ...row, user: called(row.user), student: row.student && called(row.student) } : row;
  }

  /** Says of each enrolment, in its last row, what becomes of it; rows before that one are without effect. */
  settle(rows: readonly EnrolmentRow[], effects: EnrolmentEffect[]): void {
    for (const slot of new Set(this.#slots.values())) {
      if (slot.rows.length === 0) continue;
      const last = slot.rows.at(-1) as number;
      for (const at of slot.rows.slice(0, -1)) {
        const { does: _does, why: _why, ...more } = effects[at] as EnrolmentEffect;
        effects[at] = {
          ...more,
          does: 'nothing',
          why: `Row ${rows[last]?.row ?? 0} of the file decides about this enrolment.`,
        };
      }
      const { does: _does, why: _why, ...more } = effects[last] as EnrolmentEffect;
      const outcome = this.#outcome(this.#called(rows[last] as EnrolmentRow), slot);
      const joins = this.#joining(slot);
      effects[last] = { ...(joins === 0 ? outcome : joinedBy(outcome, joins)), ...more };
    }
  }

  /** How many observers come in with a student. */
  #joining({ held, userId, sectionId, state }: Slot): number {
    if (state !== 'active' || held?.state === 'active' || userId === null) return 0;
    return (this.#ofStudent.get(userId) ?? []).filter(
      (one) =>
        one.sectionId === sectionId &&
        one.rows.length === 0 &&
        one.state === 'active' &&
        (one.held === null || !isLive(one.held.state)),
    ).length;
  }

  changedStates(): Map<number, string> {
    const after = new Map<number, string>();
    for (const slots of this.#ofUserId.values())
      for (const { held, state } of slots)
        if (held !== null && held.state !== state) after.set(held.id, state ?? 'deleted');
    return after;
  }

  #outcome(row: EnrolmentRow, slot: Slot): SisEffect {
    const { held, state } = slot;
    if (held === null) {
      if (state === null) return { does: 'nothing', why: this.#notThere(row) };
      const { defaultSection, maybeDefault } = this.#place;
      const open = row.section === '' && defaultSection === null;
      const why = open ? { why: maybeDefault.size > 0 ? IN_DEFAULT : NEW_DEFAULT } : {};
      const fields: FieldChange[] = [
        ...(state === 'active' ? [] : changed('status', null, state)),
        ...changedDate('start_date', null, slot.start),
        ...changedDate('end_date', null, slot.end),
        ...(slot.limited ? changed('limit_section_privileges', null, 'true') : []),
      ];
      return {
        does: 'creates',
        ...(fields.length > 0 ? { fields } : {}),
        ...why,
      };
    }
    if (state === null) return { does: 'removes', fields: [['status', held.state, 'deleted']] };
    const fields: FieldChange[] = [
      ...changed('status', held.state, state),
      ...changedDate('start_date', held.start, slot.start),
      ...changedDate('end_date', held.end, slot.end),
      ...changed('limit_section_privileges', String(held.limited ?? false), String(slot.limited)),
    ];
    if (begins(row.status, 'deleted_last'))
      return held.state === state
        ? { does: 'nothing', why: 'It is their last enrolment with this role, and is concluded already.' }
        : {
            does: kindOf(held.state, state),
            why: 'It is their last enrolment with this role, so it is concluded and not removed.',
            fields,
          };
    if (fields.length > 0) return { does: kindOf(held.state, state), fields };
    if (row.more) return { does: 'changes', why: 'The row gives more than could be compared.' };
    return { does: 'nothing', why: `They are in the ${this.#place.name} with this role and state already.` };
  }

  /** Sets the enrolments of linked observers, and finds who is left without a place in the course. */
  #follow(slot: Slot, before: string | null): Pick<EnrolmentEffect, 'leaves' | 'observers'> {
    const { userId, sectionId, state } = slot;
    if (userId === null || before === state) return {};
    const ended = [userId];
    let observers = 0;
    const isStudent = this.#place.isStudent?.(slot.roleId) ?? null;
    const linked = isStudent === false ? new Set<number>() : this.#place.observersOf(userId);
    const there = (this.#ofStudent.get(userId) ?? []).filter((one) => one.sectionId === sectionId);
    for (const other of there) {
      if (other.userId === null || (linked !== null && !linked.has(other.userId))) continue;
      if (other.held !== null && losesAccess(other.state ?? 'deleted', state ?? 'deleted')) observers++;
      other.state = state;
      ended.push(other.userId);
    }
    if (state === 'active' && isStudent === true)
      for (const observer of linked ?? [])
        if (!there.some((one) => one.userId === observer)) this.#enrol(observer, userId, sectionId);
    const leaves =
      state !== null || slot.held === null
        ? []
        : ended.filter((id) => (this.#ofUserId.get(id) ?? []).every(({ state }) => state === null));
    return { ...(leaves.length > 0 ? { leaves } : {}), ...(observers > 0 ? { observers } : {}) };
  }

  /** An observer comes in with a student. */
  #enrol(observer: number, student: number, sectionId: number): void {
    const slot = { ...newSlot(observer, sectionId, 0), state: 'active' };
    listIn(this.#ofStudent, student).push(slot);
    listIn(this.#ofUserId, observer).push(slot);
  }

  #slotFor(row: EnrolmentRow, section: number): Slot {
    const student = row.student === '' ? null : this.#idOf(row.student);
    for (const role of row.roles) {
      // Only observers have a student: of all others the LMS ignores the column.
      for (const observes of student === null ? [null] : [student, null]) {
        const found = this.#slots.get(keyOf(row.user, section, role, observes));
        if (found) return found;
      }
    }
    const made = newSlot(this.#idOf(row.user), section, row.roles[0] ?? 0);
    const key = keyOf(row.user, section, row.roles[0] ?? 0, student);
    this.#slots.set(key, made);
    this.#note(row.user, key, made);
    // A place of the same file keeps them in the course too.
    if (made.userId !== null) listIn(this.#ofUserId, made.userId).push(made);
    if (student !== null) listIn(this.#ofStudent, student).push(made);
    return made;
  }

  /** Whether they have another enrolment with the role in the course. */
  #others({ user, roles }: EnrolmentRow, but: Slot): boolean {
    return [...(this.#ofUser.get(user) ?? new Map<string, Slot>())].some(
      ([key, one]) => one !== but && one.state !== null && roles.includes(roleIn(key)),
    );
  }

  #sitsInMaybe({ user, roles }: EnrolmentRow): boolean {
    const { maybeDefault } = this.#place;
    return [...(this.#ofUser.get(user)?.values() ?? [])].some(
      ({ held, state }) =>
        held !== null && state !== null && roles.includes(held.roleId) && maybeDefault.has(held.sectionId),
    );
  }

  #notThere({ user, roles }: EnrolmentRow): string {
    const elsewhere = [...(this.#ofUser.get(user)?.values() ?? [])].some(
      ({ held, state }) => held !== null && state !== null && roles.includes(held.roleId),
    );
    return elsewhere
      ? `They are in another section of the ${this.#place.name}: nothing is removed. Give the section_id of that one.`
      : `They are not enrolled with this role in the ${this.#place.name}: nothing is removed.`;
  }
}

function newSlot(userId: number | null, sectionId: number, roleId: number): Slot {
  const nothing = { held: null, state: null, start: null, end: null, limited: false };
  return { ...nothing, userId, sectionId, roleId, rows: [] };
}

/** The effect on a student whose observers come in too. */
function joinedBy(effect: SisEffect, joins: number): EnrolmentEffect {
  const who = joins === 1 ? 'One linked observer is' : `${joins} linked observers are`;
  return { ...effect, joins, why: [effect.why ?? [], `${who} enrolled, too.`].flat().join(' ') };
}

const deletedLogin = (user: string): string =>
  `The login with the SIS id ${shown(user)} is deleted, and the person has another one. The LMS enrols them with a message, or refuses the row. Use the SIS id of the login that is in use.`;

const NOTHING_LEFT =
  ' If it was deleted, nothing is left to remove in it: the LMS does not show what was deleted.';
const PENDING: EnrolmentEffect = { does: 'nothing' };
const IN_DEFAULT =
  'In the default section, which the LMS does not show. Where there is none they are enrolled in a section that was cross-listed to another course, if there is one; else the LMS creates a new one.';
const NEW_DEFAULT =
  'In a new section: the course has no default section, so the LMS creates one. If a section of the course was cross-listed to another course, they are enrolled there instead. Give a section_id to decide it.';
const PERHAPS_AWAY =
  'The row gives no section_id, and LMS Admin cannot tell whether the default section is the one that is cross-listed to another course: then the row is carried out there. Give the section_id to have it compared.';
const WHICH_DEFAULT =
  'The row gives no section_id, and LMS Admin cannot tell which section is the default one. Give the section_id to have the row compared.';

/** What another state is: the end of access, or its return. */
function kindOf(before: string, after: string): SisEffect['does'] {
  if (before === after) return 'changes';
  if (isLive(before) && !isLive(after)) return after === 'completed' ? 'concludes' : 'suspends';
  return isLive(after) && !isLive(before) ? 'restores' : 'changes';
}

function keyOf(user: string, section: number, role: number, observes: number | null): string {
  return `${role} ${section} ${observes ?? ''} ${user}`;
}

function roleIn(key: string): number {
  return Number(key.slice(0, key.indexOf(' ')));
}

function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  const those = map.get(key) ?? [];
  map.set(key, those);
  return those;
}
