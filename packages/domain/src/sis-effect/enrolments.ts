/** What rows of enrolments do in a course or section (LMS reference §9.5). */
import { shown } from '../sis-rows.ts';
import { begins, changed, changedDate, type FieldChange, type SisEffect } from './effect.ts';

/** A row of an enrolments file, reduced to what decides its effect. */
export interface EnrolmentRow {
  row: number;
  /** SIS id of the person. */
  user: string;
  /** Roles that the row may mean. */
  roles: readonly number[];
  /** SIS id of the section; empty for the default section. */
  section: string;
  status: string;
  /** Dates of the row; empty ones take away those that are there. */
  start: string;
  end: string;
  /** Whether the row says more than is compared: then it may change what is there. */
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
  start: string | null;
  end: string | null;
}

/** What the LMS holds in a course, or in a section that a row names alone. */
export interface HeldPlace {
  /** `course "C1"`, for sentences. */
  name: string;
  enrolments: readonly HeldEnrolment[];
  /** Numbers of the sections by SIS id; new ones of the same upload have numbers below zero. */
  sections: ReadonlyMap<string, number>;
  /** Number of the default section; null where nobody knows which it is. */
  defaultSection: number | null;
  /** Whether there is somebody with the SIS id; null where nobody can say. */
  exists: (user: string) => boolean | null;
}

/** The effect of each row on its place, in the order of the rows: the later one finds what the earlier one left. */
export function enrolmentEffects(
  rows: readonly EnrolmentRow[],
  place: HeldPlace | 'missing' | 'unread',
): SisEffect[] {
  const last = new Map<string, EnrolmentRow>();
  const held = new HeldNow(typeof place === 'object' ? place.enrolments : []);
  return rows.map((one) => {
    const name = JSON.stringify([one.user, one.section, one.roles]);
    const before = last.get(name);
    if (
      before &&
      before.status === one.status &&
      before.start === one.start &&
      before.end === one.end &&
      !one.more
    ) {
      return { does: 'nothing', why: `Row ${before.row} says the same already.` };
    }
    last.set(name, one);
    if (place === 'missing') return { does: 'fails', why: 'The LMS has no such course or section.' };
    if (place === 'unread') return { does: 'unknown', why: UNREAD };
    return effectIn(place, held, one);
  });
}

/** Whether a row takes an enrolment away where nobody could find out what it meets. */
export function mayRemove({ status }: Pick<EnrolmentRow, 'status'>): boolean {
  return begins(status, 'deleted');
}

const UNREAD = 'The LMS did not tell who is there.';

function effectIn(place: HeldPlace, held: HeldNow, row: EnrolmentRow): SisEffect {
  const section = row.section === '' ? place.defaultSection : place.sections.get(row.section);
  if (section === undefined) {
    return { does: 'fails', why: `The ${place.name} has no section ${shown(row.section)}.` };
  }
  const exists = place.exists(row.user);
  if (exists === null) {
    return {
      does: 'unknown',
      why: `Whether somebody has the SIS id ${shown(row.user)} could not be found out.`,
    };
  }
  if (!exists) return { does: 'fails', why: `Nobody in the LMS has the SIS id ${shown(row.user)}.` };
  const found = held.find(row, section);
  const status = row.status.toLowerCase();
  if (mayRemove(row)) return removal(place, held, row, found, status);
  const state = STATES.find((one) => status.startsWith(one)) ?? 'active';
  if (found === null) {
    if (section !== null) held.put(row, section, state);
    return { does: 'creates', ...(state === 'active' ? {} : { fields: [['status', null, state]] as const }) };
  }
  const fields: FieldChange[] = [
    ...changed('status', found.state, state),
    ...changedDate('start_date', found.start, row.start || null),
    ...changedDate('end_date', found.end, row.end || null),
  ];
  const before = found.state;
  held.change(found, { state, start: row.start || null, end: row.end || null });
  if (fields.length === 0) {
    if (row.more) return { does: 'changes', why: 'The row gives more than could be compared.' };
    return { does: 'nothing', why: `They are in the ${place.name} with this role and state already.` };
  }
  return { does: kindOf(before, state), fields };
}

const STATES = ['active', 'completed', 'inactive'] as const;

/** What another state is: the end of access, or its return. */
function kindOf(before: string, after: string): SisEffect['does'] {
  if (before === after) return 'changes';
  if (after === 'completed') return 'concludes';
  if (after === 'inactive') return before === 'completed' ? 'changes' : 'suspends';
  return before === 'completed' || before === 'inactive' || before === 'rejected' ? 'restores' : 'changes';
}

function removal(
  place: HeldPlace,
  held: HeldNow,
  row: EnrolmentRow,
  found: HeldEnrolment | null,
  status: string,
): SisEffect {
  if (found === null) {
    const why =
      held.find(row, null) === null
        ? `They are not enrolled with this role in the ${place.name}: nothing is removed.`
        : `They are in another section of the ${place.name}: nothing is removed. Give the section_id of that one.`;
    return { does: 'nothing', why };
  }
  if (status.startsWith('deleted_last') && !held.others(row, found)) {
    if (found.state === 'completed') {
      return { does: 'nothing', why: 'It is their last enrolment with this role, and is concluded already.' };
    }
    const before = found.state;
    held.change(found, { state: 'completed' });
    return {
      does: 'concludes',
      why: 'It is their last enrolment with this role, so it is concluded and not removed.',
      fields: [['status', before, 'completed']],
    };
  }
  held.remove(found);
  return { does: 'removes', fields: [['status', found.state, 'deleted']] };
}

/** The enrolments of a place as the rows go through them. */
class HeldNow {
  readonly #ofUser = new Map<string, HeldEnrolment[]>();

  constructor(enrolments: readonly HeldEnrolment[]) {
    for (const one of enrolments) this.#of(one.user).push({ ...one });
  }

  /** @param section null for any */
  find({ user, roles }: EnrolmentRow, section: number | null): HeldEnrolment | null {
    const fits = (one: HeldEnrolment) =>
      roles.includes(one.roleId) && (section === null || one.sectionId === section);
    return this.#ofUser.get(user)?.find(fits) ?? null;
  }

  /** Whether they have another active enrolment with the role. */
  others({ user, roles }: EnrolmentRow, but: HeldEnrolment): boolean {
    return this.#of(user).some((one) => one !== but && one.state === 'active' && roles.includes(one.roleId));
  }

  remove(one: HeldEnrolment): void {
    const those = this.#of(one.user);
    those.splice(those.indexOf(one), 1);
  }

  change(one: HeldEnrolment, patch: Partial<HeldEnrolment>): void {
    Object.assign(one, patch);
  }

  put({ user, roles, start, end }: EnrolmentRow, sectionId: number, state: string): void {
    const roleId = roles[0] ?? 0;
    this.#of(user).push({ user, roleId, sectionId, state, start: start || null, end: end || null });
  }

  #of(user: string): HeldEnrolment[] {
    const those = this.#ofUser.get(user) ?? [];
    this.#ofUser.set(user, those);
    return those;
  }
}
