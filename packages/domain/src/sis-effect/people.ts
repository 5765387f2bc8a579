/** Effects of rows of users (LMS reference §9.1). */
import { shown } from '../sis-rows.ts';
import {
  begins,
  type Cells,
  changed,
  changeOf,
  type FieldChange,
  fails,
  keptFields,
  notThere,
  type SisEffect,
} from './effect.ts';

/** A person in the LMS. Fields that a list does not show are undefined. */
export interface HeldPerson {
  id: number;
  sisUserId: string | null;
  login: string | null;
  name: string;
  sortableName: string | null;
  shortName: string | null;
  email: string | null | undefined;
  pronouns?: string | null;
  integrationId: string | null | undefined;
}

/** A person with a deleted login. `login` is that login, if known. */
export interface FormerPerson extends HeldPerson {
  /** The person's other login; null for a deleted person. */
  keeps: string | null;
}

export interface PersonEffect extends SisEffect {
  /** The person affected; null for a new one. */
  person: HeldPerson | null;
  /** Whether the row affects a person other than the one it names: it must not be sent. */
  refused?: boolean;
}

const SAME = 'No change: name, address and login are already the same.';

/**
 * Evaluates a row about a person. The LMS uses the SIS ID first, then the login.
 * @param byId the person with the SIS ID
 * @param byLogin the person with the login
 * @param former the person whose login with the SIS ID was deleted
 */
export function personEffect(
  cell: Cells,
  byId: HeldPerson | null,
  byLogin: HeldPerson | null,
  former: FormerPerson | null = null,
): PersonEffect {
  const [id, login, status] = [cell('user_id') ?? '', cell('login_id') ?? '', cell('status') ?? ''];
  const deletes = begins(status, 'deleted');
  if (byId === null) {
    if (byLogin === null) {
      if (!deletes && former !== null) return restored(cell, former);
      if (!deletes) {
        return {
          does: 'creates',
          fields: [
            ['login_id', null, login],
            ...(begins(status, 'suspended') ? changed('status', null, 'suspended') : []),
            ...nameFields(cell, null),
            ...keptFields(cell, [
              [PROVIDER, null],
              [USER_TYPE, null, true],
            ]),
          ],
          person: null,
        };
      }
      const why = `No one in the LMS has the SIS ID ${shown(id)}, so no one is deleted. If a login with this ID is already deleted, nothing happens. If no one ever had the ID, the LMS creates a person with a deleted login, and the ID can no longer be used for anyone else. Check the ID.`;
      // If the login is already deleted, there is nothing to correct.
      if (former !== null) return { does: 'nothing', why, person: null };
      return { ...notThere('user_id', `No one in the LMS has the SIS ID ${shown(id)}.`, why), person: null };
    }
    // A person without an SIS ID counts as the person of the row: possibly intended, but not if the row deletes them.
    if (deletes || byLogin.sisUserId !== null) return claimed(id, login, byLogin);
    return named(cell, byLogin);
  }
  if (byLogin !== null && byLogin.id !== byId.id) return claimed(id, login, byLogin);
  const known = byLogin !== null || sameLogin(byId.login, login);
  if (deletes) {
    if (known) return { does: 'deletes', why: LOSES, fields: deletedFields(cell, byId), person: byId };
    const theirs = byId.login === null ? 'has another login' : `has the login ${shown(byId.login)}`;
    const why = `${shown(id)} is ${byId.name}, who ${theirs}, not ${shown(login)}. Correct the SIS ID or the login: LMS Admin does not delete a person by someone else’s login.`;
    return { ...failsForBoth(why), person: byId, refused: true };
  }
  // The LMS shows only one login of a person, with its SIS ID.
  const isTheirs = byId.sisUserId === id;
  if (isTheirs && byLogin !== null && !sameLogin(byId.login, login)) {
    const why = `${shown(login)} is another login of ${byId.name}, so ${shown(id)} cannot have it as its login.`;
    return { ...fails('login_id', why), person: byId };
  }
  const fields = [
    ...(isTheirs || (byLogin === null && !known) ? changed('login_id', byId.login, login) : []),
    ...nameFields(cell, byId),
  ];
  if (begins(status, 'suspended')) return { does: 'suspends', why: SUSPENDED, fields, person: byId };
  return { ...changeOf(fields, SAME), person: byId };
}

/** Evaluates a row for a person without an SIS ID, who gets the row's. */
function named(cell: Cells, held: HeldPerson): PersonEffect {
  const [id, login, email] = [cell('user_id') ?? '', cell('login_id') ?? '', cell('email')];
  const suspends = begins(cell('status'), 'suspended');
  // The LMS keeps an address that did not come from a file, and adds the row's address.
  const added = email && held.email?.toLowerCase() !== email.toLowerCase();
  return {
    does: suspends ? 'suspends' : 'changes',
    why: [
      `${held.name} has no SIS ID and gets this one, because the login belongs to them.`,
      ...(suspends ? [SUSPENDED] : []),
      ...(added ? [`The email address ${shown(email)} is added to their addresses.`] : []),
    ].join(' '),
    fields: [
      ['user_id', null, id],
      // The LMS shows only one of several logins.
      ...(sameLogin(held.login, login) ? changed('login_id', held.login, login) : []),
      ...nameFields(cell, { ...held, email: undefined }),
    ],
    person: held,
  };
}

/** Returns the effect on a person who is already suspended. */
export function suspendedAlready(effect: PersonEffect): PersonEffect {
  const { fields = [], person } = effect;
  return { ...changeOf(fields, 'The login is already suspended.'), person };
}

/** Returns the effect on a person whose suspended login the row activates. */
export function letIn(effect: PersonEffect): PersonEffect {
  const fields: FieldChange[] = [['status', 'suspended', 'active'], ...(effect.fields ?? [])];
  // The sentence that nothing changes no longer applies.
  const why = effect.does === 'nothing' ? [] : (effect.why ?? []);
  return { ...effect, does: 'restores', why: [why, LET_IN].flat().join(' '), fields };
}

/** Returns the effect with the login's authentication provider, which an empty cell and a missing column remove. */
export function withProvider(
  effect: PersonEffect,
  before: string | null,
  after: string | null,
): PersonEffect {
  const fields = changed(PROVIDER, before, after);
  if (fields.length === 0) return effect;
  const { why: _why, ...rest } = effect;
  const all = [...(effect.fields ?? []), ...fields];
  return effect.does === 'nothing' ? { ...rest, does: 'changes', fields: all } : { ...effect, fields: all };
}

/** Column for the type of user, such as student, which the LMS does not show. */
const USER_TYPE = 'declared_user_type';

/** Returns the effect with fields that the LMS does not show, so that a change is unknown. */
export function withUnseen(cell: Cells, effect: PersonEffect): PersonEffect {
  const { person, does, why } = effect;
  if (person === null || ['fails', 'unknown'].includes(does)) return effect;
  const [email, type, integration] = [cell('email'), cell(USER_TYPE), cell('integration_id')];
  if (does === 'deletes')
    return email ? { ...effect, why: [why ?? [], NO_ADDRESS].flat().join(' ') } : effect;
  const unseen = [
    ...(integration && person.integrationId === undefined
      ? [`The integration_id is set to ${shown(integration)}.`]
      : []),
    ...(email && person.email === undefined ? [`The email address is set to ${shown(email)}.`] : []),
    ...(type
      ? [type === '<delete>' ? `The ${USER_TYPE} is removed.` : `The ${USER_TYPE} is set to ${shown(type)}.`]
      : []),
  ];
  if (unseen.length === 0) return effect;
  const note = `${unseen.join(' ')} The LMS does not show the previous value, so LMS Admin could not compare it.`;
  if (does === 'nothing') return { ...effect, does: 'changes', why: note };
  return { ...effect, why: [why ?? [], note].flat().join(' ') };
}

const NO_ADDRESS = 'The LMS no longer uses the email address of this login.';

/** Column of the provider with which a person signs in. */
export const PROVIDER = 'authentication_provider_id';

/** Returns the effect if the LMS was not asked whether the login is suspended. */
export function perhapsLetIn(effect: PersonEffect): PersonEffect {
  return { ...effect, why: [effect.why ?? [], MAY_BE_LET_IN].flat().join(' ') };
}

const LET_IN =
  'The login was suspended. After this row the person can sign in again. Enrolments stay as they are.';
const MAY_BE_LET_IN =
  'If the login is suspended, this row lets the person sign in again. LMS Admin did not check this in the LMS, and did not compare the authentication provider.';

/** Evaluates a row for a deleted login, which is restored, together with the person if it was their last login. */
function restored(cell: Cells, former: FormerPerson): PersonEffect {
  const state = begins(cell('status'), 'suspended') ? 'suspended' : 'active';
  const { keeps, name } = former;
  return {
    does: 'restores',
    why:
      keeps === null
        ? COMES_BACK
        : `The login was deleted and is restored. It belongs to ${name}, who also has the login ${shown(keeps)}.`,
    fields: [
      ['status', 'deleted', state],
      ...(former.login === null ? [] : changed('login_id', former.login, cell('login_id') ?? null)),
      ...nameFields(cell, former),
      ...keptFields(cell, [[PROVIDER, null]]),
    ],
    person: former,
  };
}

const LOSES =
  'This is their last login, so they lose every enrolment and group membership. They also lose any administrator roles, and memberships in groups of courses that they are not enrolled in. LMS Admin does not count these roles and memberships.';
const COMES_BACK = 'The person was deleted and is restored, without their former enrolments and groups.';
const SUSPENDED = 'The person can no longer sign in. Enrolments stay.';

function claimed(id: string, login: string, holder: HeldPerson): PersonEffect {
  const other = holder.sisUserId === null ? 'who has no SIS ID' : `SIS ID ${shown(holder.sisUserId)}`;
  const why = `The login ${shown(login)} belongs to ${holder.name} (${other}), not to ${shown(id)}. Correct the SIS ID or the login.`;
  return { ...failsForBoth(why), person: holder, refused: true };
}

/** Rejects a row that names two people: either cell may be the wrong one. */
const failsForBoth = (message: string) =>
  ({
    does: 'fails',
    why: message,
    problems: ['user_id', 'login_id'].map((column) => ({ column, message })),
  }) satisfies SisEffect;

/**
 * Lists the names and the address after the row.
 * @param held null for a new person: all the row's fields are then new
 */
function nameFields(cell: Cells, held: HeldPerson | null): FieldChange[] {
  const name = nameOf(cell, held?.name ?? null);
  const sortable = sortableOf(cell, held?.sortableName ?? null);
  const email = cell('email');
  return [
    ...changed('full_name', held?.name ?? null, name),
    ...(sortable === null ? [] : changed('sortable_name', held?.sortableName ?? null, sortable)),
    ...keptFields(cell, [
      ['short_name', held?.shortName ?? null],
      ['pronouns', held?.pronouns ?? null, true],
    ]),
    // An address is written even if only its case differs.
    ...(email && (held === null || held.email !== undefined)
      ? changed('email', held?.email ?? null, email)
      : []),
    ...(held !== null && held.integrationId === undefined
      ? []
      : keptFields(cell, [['integration_id', held?.integrationId ?? null]])),
  ];
}

/** Returns the fields written by a row that deletes a login: they apply again if the login is restored. */
function deletedFields(cell: Cells, held: HeldPerson): FieldChange[] {
  const login = cell('login_id') ?? '';
  return [
    ...(sameLogin(held.login, login) ? changed('login_id', held.login, login) : []),
    // A deleted person has no address in the LMS.
    ...nameFields(cell, { ...held, email: undefined }),
  ];
}

/** Returns the new name: the full name, or first and last, or the current name, or the other names, or the login. */
export function nameOf(cell: Cells, present: string | null): string {
  const full = cell('full_name');
  if (full) return full;
  const parts = [cell('first_name'), cell('last_name')].filter(Boolean);
  if (parts.length > 0) return parts.join(' ');
  return present ?? cell('sortable_name') ?? cell('short_name') ?? cell('login_id') ?? '';
}

function sortableOf(cell: Cells, present: string | null): string | null {
  const given = cell('sortable_name');
  if (given) return given;
  const full = cell('full_name');
  if (full) return lastNameFirst(full);
  const parts = [cell('last_name'), cell('first_name')].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : present;
}

/** Returns the LMS's guess at a sortable name. */
function lastNameFirst(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${last}, ${words.join(' ')}`;
}

/** Returns whether two logins are the same, ignoring case. */
export function sameLogin(a: string | null, b: string): boolean {
  return a !== null && a.toLowerCase() === b.toLowerCase();
}
