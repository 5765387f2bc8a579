/** Accounts that no row may touch in such a way that someone is locked out: the sender's own, and LMS Admin's in the LMS. */
import { NO_PROBLEMS, type RowCheck, type SisProblem } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../../auth/admin.ts';
import { isDefinite } from '../../canvas/resources/reading.ts';
import { type LmsLogin, loginsOf } from '../../canvas/resources/users.ts';
import type { CanvasClient } from '../../canvas/types.ts';

/** No one saws off the branch they sit on. */
const OWN_ACCOUNT =
  'This is your own account. The row would end your access to LMS Admin and the LMS. Ask a colleague if you want this.';

/** Its token sends every import. */
const SERVICE_ACCOUNT =
  'This is the account that LMS Admin uses in the LMS. Files cannot change it. Ask IT Support if you want this.';

/** Whose account it is. */
type Whose = 'own' | 'service';

/** By what rows may name the accounts, each in lower case. */
export interface GuardedAccounts {
  /** SIS IDs and integration ids: a row may name a person by either. */
  ids: ReadonlyMap<string, Whose>;
  logins: ReadonlyMap<string, Whose>;
  /** Ids in the LMS. */
  canvasIds: ReadonlyMap<string, Whose>;
}

/** Every id and login of the two accounts. @throws CanvasError */
export async function guardedAccounts(
  canvas: CanvasClient,
  admin: Admin,
  signal: AbortSignal,
): Promise<GuardedAccounts> {
  const ids = new Map<string, Whose>();
  const names = new Map<string, Whose>();
  const canvasIds = new Map<string, Whose>();
  const asked: [Whose, string][] = [['own', String(admin.canvasUserId)]];
  if (admin.token.owner === 'service') asked.push(['service', 'self']);
  // What may not be read is known by its login at least.
  names.set(admin.login.toLowerCase(), 'own');
  canvasIds.set(String(admin.canvasUserId), 'own');
  for (const [whose, user] of asked) {
    for (const one of await loginsInReach(canvas, admin, user, signal)) {
      canvasIds.set(String(one.user_id), whose);
      names.set(one.unique_id.toLowerCase(), whose);
      for (const id of [one.sis_user_id, one.integration_id]) if (id) ids.set(id.toLowerCase(), whose);
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

/** Columns by which rows of the tables of people name someone who exists. */
const BY_ID = [
  'user_id',
  'integration_id',
  'old_id',
  'old_integration_id',
  'existing_user_id',
  'existing_integration_id',
];

/**
 * Refuses rows that delete, suspend or rename the sender's own account, and every row of LMS Admin's own: anyone who sets its
 * login or password has its rights.
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
  const at = { status: header.indexOf('status'), type: header.indexOf('type') };
  const renames = header.includes('old_id') || header.includes('old_integration_id');
  return (cells) => {
    // Ids of courses may be the same as those of people.
    if (renames && (cells[at.type] ?? '').trim().toLowerCase() !== 'user') return NO_PROBLEMS;
    const problems: SisProblem[] = [];
    for (const { name, at: place, known } of columns) {
      const whose = known.get((cells[place] ?? '').trim().toLowerCase());
      if (whose === 'service') problems.push({ column: name, message: SERVICE_ACCOUNT });
      else if (whose === 'own' && renames) problems.push({ column: name, message: OWN_ACCOUNT });
      else if (whose === 'own' && /^(deleted|suspended)/i.test(cells[at.status] ?? ''))
        return [{ column: 'status', message: OWN_ACCOUNT }];
    }
    return problems;
  };
}
