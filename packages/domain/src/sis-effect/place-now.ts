/** The enrolments of a course while the rows of a file are processed. */
import { shown } from '../sis-rows.ts';
import { begins, fails, isTrue, rowName } from './effect.ts';
import {
  byNobody,
  type EnrolmentEffect,
  type EnrolmentRow,
  type HeldPlace,
  mayRemove,
  noStudent,
} from './held-place.ts';
import { comingIn, observersFollow, observersLeave } from './observers-follow.ts';
import {
  deletedLogin,
  ENDED_WITH_PERSON,
  joinedBy,
  MAY_REFUSE,
  NOT_ENROLLED,
  NOTHING_LEFT,
  PERHAPS_AWAY,
  PERSON_GONE,
  RESTORED_EMPTY,
  restoredSection,
  WHICH_DEFAULT,
  WHICH_LAST,
  WITH_SECTION,
  withGonePerson,
  withReturning,
} from './place-words.ts';
import { slotOutcome } from './slot-outcome.ts';
import { type Slot, Slots } from './slots.ts';

const STATES = ['active', 'completed', 'inactive'] as const;
/** A default section that the LMS creates for the rows. */
const NEW_SECTION = Number.MIN_SAFE_INTEGER;

export class PlaceNow {
  readonly #place: HeldPlace;
  readonly #slots: Slots;
  /** People and roles in rows that could not be compared. */
  readonly #open = new Set<string>();

  constructor(place: HeldPlace) {
    this.#place = place;
    this.#slots = new Slots(place);
  }

  /**
   * Applies a row. Its effect on the enrolment is known only after all rows.
   * @param at its position in the list of rows
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
        why: `LMS Admin could not confirm whether the SIS ID ${shown(given.user)} belongs to a person.`,
      };
    const mayBeFormer = place.mayBeFormer?.(given.user) ?? false;
    const personGone = !exists && place.hadLogin(given.user) && !mayBeFormer;
    if (!exists && !personGone) return byNobody(given, mayBeFormer);
    const unfit = this.#studentUnfit(given, row);
    if (unfit !== null) return { does: 'fails', why: unfit };
    if (section === undefined) return this.#inRestored(row);
    if (personGone && this.#slots.hasEnded(row, section)) return fails('user_id', ENDED_WITH_PERSON);
    if (gone !== undefined) return this.#inGoneSection(given, row, personGone);
    if (section === NEW_SECTION && (place.perhapsAway || this.#sitsInMaybe(row))) {
      for (const role of row.roles) this.#open.add(`${role} ${row.user}`);
      return {
        does: 'unknown',
        why: place.perhapsAway ? PERHAPS_AWAY : WHICH_DEFAULT,
        ...(mayRemove(row) ? observersLeave(place, this.#slots, row) : {}),
      };
    }
    // A row that was not compared may give the person another enrolment with the role, or remove one.
    if (begins(row.status, 'deleted_last') && row.roles.some((role) => this.#open.has(`${role} ${row.user}`)))
      return { does: 'unknown', why: WHICH_LAST, ...observersLeave(place, this.#slots, row) };
    const slot = this.#slots.of(row, section);
    // The LMS's behaviour depends on a deleted enrolment, which it does not show.
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
    const left = slot.state === null ? this.#leftBy(slot.userId) : {};
    return { ...PENDING, ...left, ...observersFollow(place, this.#slots, slot, before) };
  }

  /** Returns the problem with an observer's student; null if there is none. */
  #studentUnfit(given: EnrolmentRow, row: EnrolmentRow): string | null {
    if (row.student !== '' && row.student === row.user) return 'People cannot observe themselves.';
    return noStudent(given.student, this.#place);
  }

  /**
   * Reports a person who is not in the course: a deleting row ends their group memberships there, even if no enrolment
   * matches it.
   */
  #leftBy(person: number | null): Pick<EnrolmentEffect, 'leaves'> {
    const out = person !== null && this.#slots.ofPerson(person).every(({ state }) => state === null);
    return out ? { leaves: [person] } : {};
  }

  /** Evaluates a row for a section that may be restored with the course, without people. */
  #inRestored(row: EnrolmentRow): EnrolmentEffect {
    if (begins(row.status, 'deleted') && !begins(row.status, 'deleted_last'))
      return { does: 'nothing', why: RESTORED_EMPTY };
    for (const role of row.roles) this.#open.add(`${role} ${row.user}`);
    return { does: 'unknown', why: restoredSection(row.section) };
  }

  /** Returns whether a row ends the last enrolment with its role, which is concluded instead of removed. */
  #staysCompleted(row: EnrolmentRow, slot: Slot | null): boolean {
    return begins(row.status, 'deleted_last') && !this.#slots.hasOther(row, slot);
  }

  /**
   * Evaluates a row for a section that the upload deletes: nothing is left to end, and the LMS rejects everything else.
   */
  #inGoneSection(given: EnrolmentRow, row: EnrolmentRow, personGone: boolean): EnrolmentEffect {
    if (this.#place.byDeletedLogin(given.user)) return { does: 'unknown', why: deletedLogin(given.user) };
    if (!begins(row.status, 'deleted') || this.#staysCompleted(row, null))
      return fails('section_id', 'The section is deleted by this upload.');
    return {
      does: 'nothing',
      why: personGone ? `${WITH_SECTION} ${PERSON_GONE} ${MAY_REFUSE}` : WITH_SECTION,
      onlyGroups: true,
      ...this.#leftBy(this.#slots.idOf(row.user) ?? this.#place.userIdOf?.(given.user) ?? null),
    };
  }

  #called(row: EnrolmentRow): EnrolmentRow {
    const { called } = this.#place;
    return called ? { ...row, user: called(row.user), student: row.student && called(row.student) } : row;
  }

  /** Sets the result of each enrolment in its last row; earlier rows have no effect. */
  settle(rows: readonly EnrolmentRow[], effects: EnrolmentEffect[]): void {
    for (const slot of this.#slots.all()) {
      if (slot.rows.length === 0) continue;
      const last = slot.rows.at(-1) as number;
      for (const at of slot.rows.slice(0, -1)) {
        const { does: _does, why: _why, ...more } = effects[at] as EnrolmentEffect;
        const { row, file = null } = rows[last] as EnrolmentRow;
        const why = `${rowName(row, file)} is about the same enrolment and overrides this row.`;
        effects[at] = { ...more, does: 'nothing', why };
      }
      const { does: _does, why: _why, ...more } = effects[last] as EnrolmentEffect;
      const row = this.#called(rows[last] as EnrolmentRow);
      const outcome = slotOutcome(this.#place, row, slot, this.#slots.heldOf(row));
      const joining = comingIn(this.#slots, slot);
      const gone = slot.personGone ? withGonePerson(outcome) : outcome;
      const remaining = more.mayReturn && outcome.does !== 'nothing' ? withReturning(gone) : gone;
      const onlyGroups = outcome.does === 'nothing' && more.leaves !== undefined;
      effects[last] = {
        ...(joining.length === 0 ? remaining : joinedBy(remaining, joining)),
        ...more,
        ...(onlyGroups && { onlyGroups }),
      };
    }
  }

  changedStates(): Map<number, string> {
    const after = new Map<number, string>();
    for (const { held, state } of this.#slots.ofEverybody())
      if (held !== null && held.state !== state) after.set(held.id, state ?? 'deleted');
    return after;
  }

  #sitsInMaybe(row: EnrolmentRow): boolean {
    const { maybeDefault } = this.#place;
    return this.#slots.heldOf(row).some(({ sectionId }) => maybeDefault.has(sectionId));
  }
}

const PENDING: EnrolmentEffect = { does: 'nothing' };
