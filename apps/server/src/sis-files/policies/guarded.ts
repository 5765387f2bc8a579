/** Accounts that no row may touch in such a way that somebody is locked out: the sender's own, and LMS Admin's in the LMS. */
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { NO_PROBLEMS, type RowCheck, type SisProblem } from '@lms-admin/domain/sis-rows';
import { z } from 'zod';
import type { Admin } from '../../auth/admin.ts';
import { type CanvasClient, CanvasError } from '../../canvas/types.ts';

/** Nobody saws off the branch they sit on. */
const OWN_ACCOUNT =
  'This is your own account: with it you would lose LMS Admin and the LMS. Ask a colleague if it is meant.';

/** Its token sends every import. */
const SERVICE_ACCOUNT =
  'This is the account by which LMS Admin itself works in the LMS: no file changes it. Ask IT Support if it is meant.';

/** Whose account it is. */
type Whose = 'own' | 'service';

/** By what rows may name the accounts, each in lower case. */
export interface GuardedAccounts {
  /** SIS ids and integration ids: a row may name a person by either. */
  ids: ReadonlyMap<string, Whose>;
  logins: ReadonlyMap<string, Whose>;
  /** Ids in the LMS. */
  canvasIds: ReadonlyMap<string, Whose>;
}

const logins = z.array(
  z.object({
    user_id: z.number().int(),
    unique_id: z.string(),
    sis_user_id: z.string().nullish(),
    integration_id: z.string().nullish(),
  }),
);

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
    for (const one of await loginsOf(canvas, admin, user, signal)) {
      canvasIds.set(String(one.user_id), whose);
      names.set(one.unique_id.toLowerCase(), whose);
      for (const id of [one.sis_user_id, one.integration_id]) if (id) ids.set(id.toLowerCase(), whose);
    }
  }
  return { ids, logins: names, canvasIds };
}

async function loginsOf(canvas: CanvasClient, admin: Admin, user: string, signal: AbortSignal) {
  try {
    return await canvas.list({
      token: admin.token,
      method: 'GET',
      path: `users/${user}/logins`,
      query: [['per_page', String(LMS_PAGE_SIZE)]],
      answer: logins,
      signal,
    });
  } catch (error) {
    if (error instanceof CanvasError && ['refused', 'not-found'].includes(error.kind)) return [];
    throw error;
  }
}

/** Columns by which rows of the tables of people name somebody who exists. */
const BY_ID = [
  'user_id',
  'integration_id',
  'old_id',
  'old_integration_id',
  'existing_user_id',
  'existing_integration_id',
];

/**
 * Refuses rows that delete, suspend or rename the sender's own account, and every row of LMS Admin's own: whoever sets its
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
