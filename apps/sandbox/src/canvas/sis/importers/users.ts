import type { Pseudonym, User } from '../../store/model.ts';
import { lastNameFirst } from '../../store/names.ts';
import { STICKY } from '../../store/sticky.ts';
import type { World } from '../../store/world.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';
import { deleteEnrollment } from './effects.ts';
import { type Importer, type Outcome, startsWithOne, tooLong, type Work } from './work.ts';

const COLUMNS = [
  'user_id',
  'login_id',
  'status',
  'integration_id',
  'authentication_provider_id',
  'password',
  'ssha_password',
  'first_name',
  'last_name',
  'full_name',
  'sortable_name',
  'short_name',
  'email',
  'pronouns',
  'declared_user_type',
  'canvas_password_notification',
  'home_account',
] as const;
type UserCells = Cells<(typeof COLUMNS)[number]>;

/** Users (§9.1). */
export const userImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'user',
  columns: COLUMNS,
  buffer: 100,

  check(row) {
    if (!row.user_id) return messages.user.noUserId;
    if (!row.login_id) return messages.user.noLoginId(row.user_id);
    if (!row.status) return messages.user.noStatus(row.user_id);
    if (!startsWithOne(row.status, 'active', 'suspended', 'deleted'))
      return messages.user.badStatus(row.user_id);
    return hasNul(row) ? messages.user.nul : undefined;
  },

  apply(row, work) {
    const userId = row.user_id as string;
    const loginId = row.login_id as string;
    const { pseudonyms, users } = work.world;
    const state = stateOf(row.status);
    const deleting = state === 'deleted';
    const byLogin = liveLogin(work.world, loginId, row.authentication_provider_id);
    let login = pseudonyms.by.sis.get(userId) ?? byLogin;
    const integrationHolder = deleting ? undefined : pseudonyms.by.integration.get(row.integration_id);
    if (integrationHolder && integrationHolder !== login)
      return messages.user.integrationClaimed(holderOf(integrationHolder), userId);
    const refused = loginRefusal(row, login, byLogin, deleting, work);
    if (refused) return refused;
    if (deleting && login && login.user_id === work.batch.user_id) return messages.user.yourself(userId);
    if (deleting && login?.workflow_state === 'deleted') return false;
    const provider = providerId(work.world, row.authentication_provider_id);
    if (provider === undefined) return messages.user.unknownProvider(row.authentication_provider_id, userId);
    const invalid = validate(row);
    if (invalid) return invalid;

    const user = login ? users.must(login.user_id) : users.add(newUser(row));
    if (login) updateUser(work, user, row);
    const fields = {
      unique_id: loginId,
      sis_user_id: userId,
      ...(row.integration_id ? { integration_id: row.integration_id } : {}),
      authentication_provider_id: provider,
      ...(row.declared_user_type ? { declared_user_type: orDeleted(row.declared_user_type) } : {}),
      workflow_state: state,
    } as const;
    if (login) work.update(pseudonyms, 'Pseudonym', login, fields, STICKY.login);
    else login = work.create(pseudonyms, 'Pseudonym', newLogin(user.id, fields));
    if (deleting && work.world.loginsOf(user.id).length === 0) removeFromAccount(work, user);
    return keepEmail(row, login, deleting, work);
  },
};

/** Returns the state that a status means; only the start of the value counts, as in the check (§8.3). */
function stateOf(status: string | null): Pseudonym['workflow_state'] {
  if (startsWithOne(status, 'deleted')) return 'deleted';
  return startsWithOne(status, 'suspended') ? 'suspended' : 'active';
}

/** Returns the cell's value; `<delete>` empties a field. */
const orDeleted = (cell: string): string | null => (cell === '<delete>' ? null : cell);

/**
 * Finds the login with this name, in any case, including suspended logins.
 * @param provider as in its cell: names are unique for each provider; null for any provider
 */
export function liveLogin(world: World, loginId: string, provider: string | null): Pseudonym | undefined {
  const id = provider === null ? undefined : (providerId(world, provider) ?? null);
  return world.pseudonyms.by.login
    .get(loginId.toLowerCase())
    .find((p) => p.workflow_state !== 'deleted' && (id === undefined || p.authentication_provider_id === id));
}

export function holderOf(login: Pseudonym): string {
  return login.sis_user_id === null
    ? messages.user.byCanvasId(login.user_id)
    : messages.user.bySisId(login.sis_user_id);
}

/**
 * Finds the provider that a cell names by ID or by type, such as `canvas`. Returns null for none, undefined
 * for an unknown one.
 */
export function providerId(world: World, given: string | null): number | null | undefined {
  if (given === null) return null;
  for (const { id, auth_type, workflow_state } of world.authenticationProviders.values())
    if (workflow_state === 'active' && (String(id) === given || auth_type === given)) return id;
  return undefined;
}

/** Creates a login with the fields that the CSV kinds for people share. */
export function newLogin(
  userId: number,
  fields: Partial<Pseudonym> & Pick<Pseudonym, 'unique_id' | 'sis_user_id' | 'workflow_state'>,
): Omit<Pseudonym, 'id' | 'created_at' | 'updated_at'> {
  return {
    user_id: userId,
    integration_id: null,
    authentication_provider_id: null,
    password_auto_generated: true,
    declared_user_type: null,
    sis_communication_channel_id: null,
    sis_batch_id: null,
    last_request_at: null,
    stuck_sis_fields: null,
    ...fields,
  };
}

function loginRefusal(
  row: UserCells,
  login: Pseudonym | undefined,
  byLogin: Pseudonym | undefined,
  deleting: boolean,
  work: Work,
): string | undefined {
  if (!login || !byLogin) return undefined;
  const claimable = work.options.update_sis_id_if_login_claimed;
  if (login.sis_user_id !== null && login.sis_user_id !== row.user_id)
    return claimable ? undefined : messages.user.loginClaimed(holderOf(login), row.user_id);
  // A login can be deleted by its own name, even if another login now has that name.
  const isOwnName = login.unique_id.toLowerCase() === row.login_id?.toLowerCase();
  if (login !== byLogin && !(deleting && isOwnName))
    return messages.user.loginClaimed(holderOf(byLogin), row.user_id);
  return undefined;
}

// Printable characters only, as in Canvas.
const LOGIN_FORM = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
const LONGEST_LOGIN = 100;

function validate(row: UserCells): string | undefined {
  const long = tooLong([
    ['name', nameOf(row, null)],
    ['sortable_name', sortableOf(row, null)],
    ['short_name', row.short_name],
  ]);
  const declared = row.declared_user_type;
  const unknown = declared && declared !== '<delete>' && !DECLARED_TYPES.includes(declared);
  const reason = long ?? (unknown ? messages.user.badDeclaredType : undefined);
  return invalidLogin(row) ?? (reason && messages.user.notSaved(row.user_id, reason));
}

const DECLARED_TYPES = ['administrative', 'observer', 'staff', 'student', 'student_other', 'teacher'];

/**
 * Returns the message that a login's name has characters that Canvas does not accept, or that the name or an
 * ID is too long.
 */
export function invalidLogin(
  row: Pick<UserCells, 'user_id' | 'integration_id' | 'login_id'>,
): string | undefined {
  const { user_id: userId, login_id: loginId } = row;
  if (!LOGIN_FORM.test(loginId ?? '')) return messages.user.badLogin(userId, loginId);
  const isLong = Array.from(loginId ?? '').length > LONGEST_LOGIN;
  const long =
    tooLong([
      ['sis_user_id', userId],
      ['integration_id', row.integration_id],
    ]) ?? (isLong ? messages.tooLong('unique_id', LONGEST_LOGIN) : undefined);
  return long && messages.user.notSaved(userId, long);
}

/**
 * Returns whether a cell that is read contains a NUL. Canvas reports it for people and logins; in other files
 * it causes a crash.
 */
export function hasNul(row: Readonly<Record<string, unknown>>): boolean {
  return Object.values(row).some((cell) => typeof cell === 'string' && cell.includes('\0'));
}

/**
 * Returns the name (§9.1): the full name, or first and last, or the existing name, or the other names, or the
 * login.
 */
function nameOf(row: UserCells, present: string | null): string {
  if (row.full_name) return row.full_name;
  if (row.first_name || row.last_name) return [row.first_name, row.last_name].filter(Boolean).join(' ');
  return present ?? row.sortable_name ?? row.short_name ?? row.login_id ?? '';
}

function sortableOf(row: UserCells, present: string | null): string | null {
  if (row.sortable_name) return row.sortable_name;
  if (row.full_name) return lastNameFirst(row.full_name);
  if (row.first_name || row.last_name) return [row.last_name, row.first_name].filter(Boolean).join(', ');
  return present;
}

function newUser(row: UserCells): Omit<User, 'id' | 'created_at' | 'updated_at'> {
  const name = nameOf(row, null);
  return {
    name,
    sortable_name: sortableOf(row, null) ?? lastNameFirst(name),
    short_name: row.short_name ?? name,
    workflow_state: 'registered',
    pronouns: row.pronouns && orDeleted(row.pronouns),
    time_zone: null,
    locale: null,
    avatar_url: null,
    title: null,
    bio: null,
    stuck_sis_fields: null,
  };
}

function updateUser(work: Work, user: User, row: UserCells): void {
  const patch: Partial<User> = {
    name: nameOf(row, user.name),
    sortable_name: sortableOf(row, user.sortable_name) ?? user.sortable_name,
    workflow_state: 'registered',
  };
  if (row.short_name) patch.short_name = row.short_name;
  if (row.pronouns) patch.pronouns = orDeleted(row.pronouns);
  work.update(work.world.users, null, user, patch, STICKY.user);
}

/** Removes a person without a login from the account, where they lose everything (§9.1). */
function removeFromAccount(work: Work, user: User): void {
  const { world } = work;
  for (const enrollment of world.enrollments.by.user.get(user.id))
    if (enrollment.workflow_state !== 'deleted') deleteEnrollment(work, enrollment);
  for (const membership of world.groupMemberships.by.user.get(user.id))
    if (membership.workflow_state !== 'deleted')
      work.update(world.groupMemberships, 'GroupMembership', membership, { workflow_state: 'deleted' });
  for (const admin of world.accountUsers.by.user.get(user.id))
    if (admin.workflow_state !== 'deleted')
      work.update(world.accountUsers, 'AccountUser', admin, { workflow_state: 'deleted' });
}

const EMAIL_FORM = /^[^\s@,;<>()[\]\\"]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

/**
 * Sets the row's email for the login; an invalid address causes a warning, and the row is not counted (§9.1).
 */
export function keepEmail(
  row: { user_id: string | null; email: string | null },
  login: Pseudonym,
  deleting: boolean,
  work: Work,
): Outcome {
  if (!row.email) return true;
  if (!EMAIL_FORM.test(row.email)) return messages.user.badEmail(row.user_id, row.email);
  const { channels, pseudonyms } = work.world;
  const state = deleting ? 'retired' : 'active';
  const own = channels.by.user.get(login.user_id);
  const address = row.email.toLowerCase();
  const wanted = own.find((channel) => channel.path.toLowerCase() === address);
  const held = channels.get(login.sis_communication_channel_id);
  // If the person already has the new address, the login's old one is retired.
  if (wanted && held && held !== wanted)
    work.update(channels, 'CommunicationChannel', held, { workflow_state: 'retired' });
  let channel = wanted ?? held;
  if (channel)
    work.update(channels, 'CommunicationChannel', channel, { path: row.email, workflow_state: state });
  else
    channel = work.create(channels, 'CommunicationChannel', {
      user_id: login.user_id,
      path: row.email,
      path_type: 'email',
      workflow_state: state,
      position: own.length + 1,
    });
  if (login.sis_communication_channel_id !== channel.id)
    pseudonyms.change(login, { sis_communication_channel_id: channel.id });
  return true;
}
