/** The enrolments of a course while the rows of a file go through them. */
import { shown } from '../sis-rows.ts';
import {
  begins,
  changed,
  changedDate,
  type FieldChange,
  fails,
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
import {
  deletedLogin,
  ENDED_WITH_PERSON,
  IN_DEFAULT,
  joinedBy,
  MAY_REFUSE,
  NEW_DEFAULT,
  NOT_ENROLLED,
  NOTHING_LEFT,
  PERHAPS_AWAY,
  PERSON_GONE,
  RESTORED_DEFAULT,
  RESTORED_EMPTY,
  restoredSection,
  WHICH_DEFAULT,
  WHICH_LAST,
  WITH_SECTION,
  withGonePerson,
  withReturning,
} from './place-words.ts';

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
  /** Whether the same upload deletes the person. */
  personGone?: boolean;
  /** Whether the LMS has deleted it, and refuses all further rows about it: nobody is left to enrol. */
  shut?: boolean;
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
  /** People and roles about whom a row could not be compared. */
  readonly #open = new Set<string>();
  /** Enrolments that ended before these rows. */
  readonly #ended = new Set<string>();

  constructor(place: HeldPlace) {
    this.#place = place;
    for (const { user, sectionId, roleId, observes } of place.ended ?? [])
      this.#ended.add(keyOf(user, sectionId, roleId, observes));
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
    const gone = place.goneSections?.get(row.section);
    const section =
      row.section === '' ? (place.defaultSection ?? NEW_SECTION) : (gone ?? place.sections.get(row.section));
    if (section === undefined && !place.restored)
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
    const mayBeFormer = place.mayBeFormer?.(given.user) ?? false;
    const personGone = !exists && place.hadLogin(given.user) && !mayBeFormer;
    if (!exists && !personGone) return byNobody(given, mayBeFormer);
    if (row.student !== '' && row.student === row.user)
      return { does: 'fails', why: 'Nobody can observe themselves.' };
    if (given.student !== '' && place.exists(given.student) === false && !place.hadLogin(given.student))
      return {
        does: 'fails',
        why: `Nobody in the LMS has the SIS id ${shown(given.student)}, whom they would observe. If it is that of a deleted login, they observe its owner.`,
      };
    if (section === undefined) return this.#inRestored(row);
    if (personGone && this.#hasEnded(row, section)) return fails('user_id', ENDED_WITH_PERSON);
    if (gone !== undefined) return this.#inGoneSection(given, row, personGone);
    if (section === NEW_SECTION && (place.perhapsAway || this.#sitsInMaybe(row))) {
      for (const role of row.roles) this.#open.add(`${role} ${row.user}`);
      return { does: 'unknown', why: place.perhapsAway ? PERHAPS_AWAY : WHICH_DEFAULT };
    }
    // A row that was not compared may give them another enrolment with the role, or take it away.
    if (begins(row.status, 'deleted_last') && row.roles.some((role) => this.#open.has(`${role} ${row.user}`)))
      return { does: 'unknown', why: WHICH_LAST };
    const slot = this.#slotFor(row, section);
    // Whether there is an enrolment that was deleted decides what the LMS does then, and it does not show these.
    if (place.byDeletedLogin(given.user) && (slot.held === null || !mayRemove(row)))
      return { does: 'unknown', why: deletedLogin(given.user) };
    const status = row.status.toLowerCase();
    const before = slot.state;
    if (personGone) {
      const shut = slot.shut === true;
      const active = status.startsWith('active');
      slot.personGone = true;
      slot.shut ||= active || (status.startsWith('deleted') && !this.#staysCompleted(row, slot));
      if (active) slot.state = null;
      if (shut || active) return fails('user_id', shut ? ENDED_WITH_PERSON : NOT_ENROLLED);
    }
    if (this.#staysCompleted(row, slot)) slot.state = 'completed';
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

  /** A section that may come back with the course, without anybody in it. */
  #inRestored(row: EnrolmentRow): EnrolmentEffect {
    if (begins(row.status, 'deleted') && !begins(row.status, 'deleted_last'))
      return { does: 'nothing', why: RESTORED_EMPTY };
    for (const role of row.roles) this.#open.add(`${role} ${row.user}`);
    return { does: 'unknown', why: restoredSection(row.section) };
  }

  /** Whether a row ends the last enrolment with its role, which is concluded and not removed. */
  #staysCompleted(row: EnrolmentRow, slot: Slot | null): boolean {
    return begins(row.status, 'deleted_last') && !this.#others(row, slot);
  }

  /** Whether a row is about an enrolment that ended before. */
  #hasEnded(row: EnrolmentRow, section: number): boolean {
    const student = row.student === '' ? null : this.#idOf(row.student);
    const keys = row.roles.flatMap((role) =>
      [student, null].map((observes) => keyOf(row.user, section, role, observes)),
    );
    return keys.some((key) => this.#ended.has(key));
  }

  /** Nothing is left to end in a section that the upload deletes, and the LMS refuses all but that. */
  #inGoneSection(given: EnrolmentRow, row: EnrolmentRow, personGone: boolean): EnrolmentEffect {
    if (this.#place.byDeletedLogin(given.user)) return { does: 'unknown', why: deletedLogin(given.user) };
    if (!begins(row.status, 'deleted') || this.#staysCompleted(row, null))
      return fails('section_id', 'The section is deleted by this upload.');
    return {
      does: 'nothing',
      why: personGone ? `${WITH_SECTION} ${PERSON_GONE} ${MAY_REFUSE}` : WITH_SECTION,
    };
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
      const gone = slot.personGone ? withGonePerson(outcome) : outcome;
      const told = more.mayReturn && outcome.does !== 'nothing' ? withReturning(gone) : gone;
      effects[last] = { ...(joins === 0 ? told : joinedBy(told, joins)), ...more };
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
      if (state === null) return { does: 'nothing', why: this.#notThere(row, slot.sectionId) };
      const { defaultSection, maybeDefault, restored } = this.#place;
      const open = row.section === '' && (restored || defaultSection === null);
      const told = restored ? RESTORED_DEFAULT : maybeDefault.size > 0 ? IN_DEFAULT : NEW_DEFAULT;
      const why = open ? { why: told } : {};
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
  #follow(slot: Slot, before: string | null): Pick<EnrolmentEffect, 'leaves' | 'observers' | 'mayReturn'> {
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
    const outside = [...(linked ?? [])].filter((one) => !there.some(({ userId: id }) => id === one)).length;
    const mayReturn = state !== null && state !== 'active' && isStudent === true ? outside : 0;
    const leaves =
      state !== null || slot.held === null
        ? []
        : ended.filter((id) => (this.#ofUserId.get(id) ?? []).every(({ state }) => state === null));
    return {
      ...(leaves.length > 0 ? { leaves } : {}),
      ...(observers > 0 ? { observers } : {}),
      ...(mayReturn > 0 ? { mayReturn } : {}),
    };
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
  #others({ user, roles }: EnrolmentRow, but: Slot | null): boolean {
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

  #notThere({ user, roles }: EnrolmentRow, section: number): string {
    const others = [...(this.#ofUser.get(user)?.values() ?? [])].flatMap(({ held, state }) =>
      held !== null && state !== null && roles.includes(held.roleId) ? held : [],
    );
    if (others.some((held) => held.sectionId === section && held.observes !== null))
      return `They are there as the observer of a student: nothing is removed. Give the student in the column associated_user_id.`;
    return others.length > 0
      ? `They are in another section of the ${this.#place.name}: nothing is removed. Give the section_id of that one.`
      : `They are not enrolled with this role in the ${this.#place.name}: nothing is removed.`;
  }
}

function newSlot(userId: number | null, sectionId: number, roleId: number): Slot {
  const nothing = { held: null, state: null, start: null, end: null, limited: false };
  return { ...nothing, userId, sectionId, roleId, rows: [] };
}

const PENDING: EnrolmentEffect = { does: 'nothing' };

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
