/** Accounts that rows must not lock out: the sender's own, and LMS Admin's in the LMS. */
import { NO_PROBLEMS, type RowCheck, type SisProblem } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../../auth/admin.ts';
import { isDefinite } from '../../canvas/resources/reading.ts';
import { type LmsLogin, loginsOf } from '../../canvas/resources/users.ts';
import type { CanvasClient } from '../../canvas/types.ts';

/** Admins must not remove their own access. */
const OWN_ACCOUNT =
  'This is your own account. The row would end your access to LMS Admin and the LMS. Ask a colleague if you want this.';

/** The login is how LMS Admin finds the sender's access record. */
const OWN_LOGIN =
  'This is your own account, and LMS Admin recognises you by your login. Ask a colleague if you want to change it.';

/** The token of this account sends every import. */
const SERVICE_ACCOUNT =
  'This is the account that LMS Admin uses in the LMS. Files cannot change it. Ask IT Support if you want this.';

/** Owner of a guarded account. */
type AccountOwner = 'own' | 'service';

/** Names of these accounts in rows, all in lower case. */
export interface GuardedAccounts {
  /** SIS IDs and integration ids: a row can name a person by either. */
  ids: ReadonlyMap<string, AccountOwner>;
  logins: ReadonlyMap<string, AccountOwner>;
  /** Ids in the LMS. */
  canvasIds: ReadonlyMap<string, AccountOwner>;
}

/** Reads every id and login of the two accounts. @throws CanvasError */
export async function guardedAccounts(
  canvas: CanvasClient,
  admin: Admin,
  signal: AbortSignal,
): Promise<GuardedAccounts> {
  const ids = new Map<string, AccountOwner>();
  const names = new Map<string, AccountOwner>();
  const canvasIds = new Map<string, AccountOwner>();
  const accounts: [AccountOwner, string][] = [['own', String(admin.canvasUserId)]];
  if (admin.token.owner === 'service') accounts.push(['service', 'self']);
  // If the LMS does not show the person, at least the login is known.
  names.set(admin.login.toLowerCase(), 'own');
  canvasIds.set(String(admin.canvasUserId), 'own');
  for (const [owner, user] of accounts) {
    for (const one of await loginsInReach(canvas, admin, user, signal)) {
      canvasIds.set(String(one.user_id), owner);
      names.set(one.unique_id.toLowerCase(), owner);
      for (const id of [one.sis_user_id, one.integration_id]) if (id) ids.set(id.toLowerCase(), owner);
    }
  }
  return { ids, logins: names, canvasIds };
}

async function loginsInReach(
  canvas: CanvasClient,
  { token }: Admin,
  user: string,
  signal: AbortSignal,
): Promise<LmsLogin[]> {
  try {
    return await loginsOf({ canvas, token, signal }, user);
  } catch (error) {
    if (isDefinite(error) && error.kind !== 'rejected') return [];
    throw error;
  }
}

/** Columns that name an existing person, in the tables of people. */
const BY_ID = [
  'user_id',
  'integration_id',
  'old_id',
  'old_integration_id',
  'existing_user_id',
  'existing_integration_id',
];

/**
 * Rejects rows that delete, suspend or rename the sender's own account or change its login, and all rows of LMS
 * Admin's account: its login or password would give all its permissions.
 */
export function guardedCheck(
  { ids, logins: names, canvasIds }: GuardedAccounts,
  header: readonly string[],
): RowCheck {
  const columns = header.flatMap((name, at) => {
    const known = BY_ID.includes(name) ? ids : name === 'login_id' ? names : null;
    return known
      ? [{ name, at, known }]
      : name === 'existing_canvas_user_id'
        ? [{ name, at, known: canvasIds }]
        : [];
  });
  const at = {
    status: header.indexOf('status'),
    type: header.indexOf('type'),
    user: header.indexOf('user_id'),
    login: header.indexOf('login_id'),
  };
  const addsLogins = header.some((name) => name.startsWith('existing_'));
  const renames = header.includes('old_id') || header.includes('old_integration_id');
  return (cells) => {
    // Ids of courses may be the same as those of people.
    if (renames && (cells[at.type] ?? '').trim().toLowerCase() !== 'user') return NO_PROBLEMS;
    const problems: SisProblem[] = [];
    const cell = (place: number) => (cells[place] ?? '').trim().toLowerCase();
    for (const { name, at: place, known } of columns) {
      const owner = known.get((cells[place] ?? '').trim().toLowerCase());
      if (owner === 'service') problems.push({ column: name, message: SERVICE_ACCOUNT });
      else if (owner === 'own' && renames) problems.push({ column: name, message: OWN_ACCOUNT });
      else if (owner === 'own' && /^(deleted|suspended)/i.test(cells[at.status] ?? ''))
        return [{ column: 'status', message: OWN_ACCOUNT }];
    }
    const isOther = cell(at.login) !== '' && names.get(cell(at.login)) !== 'own';
    if (!addsLogins && ids.get(cell(at.user)) === 'own' && isOther)
      problems.push({ column: 'login_id', message: OWN_LOGIN });
    return problems;
  };
}
