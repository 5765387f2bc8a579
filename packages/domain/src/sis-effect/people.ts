/** What rows of users do (LMS reference §9.1). */
import { shown } from '../sis-rows.ts';
import {
  begins,
  type Cells,
  changed,
  changeOf,
  type FieldChange,
  keptFields,
  type SisEffect,
} from './effect.ts';

/** Somebody whom the LMS knows. What a list does not show is undefined. */
export interface HeldPerson {
  id: number;
  sisUserId: string | null;
  login: string | null;
  name: string;
  sortableName: string | null;
  shortName: string | null;
  email: string | null | undefined;
  integrationId: string | null | undefined;
}

export interface PersonEffect extends SisEffect {
  /** Who is meant now; null for somebody new. */
  person: HeldPerson | null;
  /** The row means somebody else than it names: nobody may send it. */
  refused?: boolean;
}

const SAME = 'Name, address and login are these already.';

/**
 * The LMS goes by the SIS id, then by the login.
 * @param byId who has the SIS id
 * @param byLogin who has the login
 */
export function personEffect(cell: Cells, byId: HeldPerson | null, byLogin: HeldPerson | null): PersonEffect {
  const [id, login, status] = [cell('user_id') ?? '', cell('login_id') ?? '', cell('status') ?? ''];
  const deletes = begins(status, 'deleted');
  if (byId === null) {
    if (byLogin === null) {
      if (!deletes) {
        return {
          does: 'creates',
          fields: [['login_id', null, login], ...nameFields(cell, null)],
          person: null,
        };
      }
      const why = `Nobody in the LMS has the SIS id ${shown(id)}: nobody is deleted.`;
      return { does: 'nothing', why, person: null };
    }
    // Without a SIS id of their own somebody is taken for the person of the row: that may be meant, but not when it deletes them.
    if (deletes || byLogin.sisUserId !== null) return claimed(id, login, byLogin);
    return {
      does: 'changes',
      why: `${byLogin.name} has no SIS id and gets this one, since the login is theirs.`,
      fields: [['user_id', null, id], ...nameFields(cell, byLogin)],
      person: byLogin,
    };
  }
  if (byLogin !== null && byLogin.id !== byId.id) return claimed(id, login, byLogin);
  const known = byLogin !== null || sameLogin(byId.login, login);
  if (deletes) {
    if (known) return { does: 'deletes', why: LOSES, person: byId };
    const theirs = byId.login === null ? 'has another login' : `has the login ${shown(byId.login)}`;
    const why = `${shown(id)} is ${byId.name}, who ${theirs}, not ${shown(login)}. Correct the SIS id or the login: nobody is deleted by a login that is not theirs.`;
    return { does: 'fails', why, person: byId, refused: true };
  }
  const fields = [
    // Another login of theirs: the list shows one only.
    ...(byLogin === null && !known ? changed('login_id', byId.login, login) : []),
    ...nameFields(cell, byId),
  ];
  if (begins(status, 'suspended')) return { does: 'suspends', why: SUSPENDED, fields, person: byId };
  return { ...changeOf(fields, SAME), person: byId };
}

const LOSES = 'The login is deleted. Somebody without another one loses every enrolment.';
const SUSPENDED = 'The person cannot sign in any more; enrolments stay.';

function claimed(id: string, login: string, holder: HeldPerson): PersonEffect {
  const other = holder.sisUserId === null ? 'who has no SIS id' : `SIS id ${shown(holder.sisUserId)}`;
  const why = `The login ${shown(login)} belongs to ${holder.name} (${other}), not to ${shown(id)}. Correct the SIS id or the login.`;
  return { does: 'fails', why, person: holder, refused: true };
}

/** Names and address after the row. @param held null for somebody new: then what the row gives is all new */
function nameFields(cell: Cells, held: HeldPerson | null): FieldChange[] {
  const name = nameOf(cell, held?.name ?? null);
  const sortable = sortableOf(cell, held?.sortableName ?? null);
  const email = cell('email');
  return [
    ...changed('full_name', held?.name ?? null, name),
    ...(sortable === null ? [] : changed('sortable_name', held?.sortableName ?? null, sortable)),
    ...keptFields(cell, [['short_name', held?.shortName ?? null]]),
    ...(email && (held === null || held.email !== undefined) && !sameLogin(held?.email ?? null, email)
      ? changed('email', held?.email ?? null, email)
      : []),
    ...(held !== null && held.integrationId === undefined
      ? []
      : keptFields(cell, [['integration_id', held?.integrationId ?? null]])),
  ];
}

/** What somebody will be called: full name, else first and last, else what there is, else the other names, else the login. */
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

/** The LMS's guess at a sortable name. */
function lastNameFirst(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${last}, ${words.join(' ')}`;
}

/** Logins are the same without letter case. */
export function sameLogin(a: string | null, b: string): boolean {
  return a !== null && a.toLowerCase() === b.toLowerCase();
}
