import type { Pseudonym } from '../../store/model.ts';
import type { World } from '../../store/world.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';
import { hasNul, holderOf, invalidLogin, keepEmail, liveLogin, newLogin, providerId } from './users.ts';
import type { Importer } from './work.ts';

const COLUMNS = [
  'user_id',
  'login_id',
  'existing_user_id',
  'existing_integration_id',
  'existing_canvas_user_id',
  'root_account',
  'email',
  'password',
  'ssha_password',
  'integration_id',
  'authentication_provider_id',
] as const;
type LoginCells = Cells<(typeof COLUMNS)[number]>;
const say = messages.login;

/** An additional login for a person who has one (§9.2). */
export const loginImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'login',
  columns: COLUMNS,
  buffer: 100,

  check(row) {
    if (!row.user_id) return messages.user.noUserId;
    if (!row.login_id) return messages.user.noLoginId(row.user_id);
    if (!row.existing_user_id && !row.existing_integration_id && !row.existing_canvas_user_id)
      return say.noExisting(row.user_id);
    return hasNul(row) ? messages.user.nul : undefined;
  },

  apply(row, work) {
    if (row.root_account) return false;
    const { world } = work;
    const { pseudonyms } = world;
    const taken =
      pseudonyms.by.sis.get(row.user_id) ??
      liveLogin(world, row.login_id as string, row.authentication_provider_id);
    const integrationHolder = pseudonyms.by.integration.get(row.integration_id);
    if (integrationHolder && integrationHolder !== taken)
      return messages.user.integrationClaimed(holderOf(integrationHolder), row.user_id);
    if (taken) return say.taken(row.user_id, row.login_id);
    const existing = findExisting(row, world);
    if (!existing) return say.notFound(row.user_id);
    if (!matches(row, existing)) return say.noMatch(row.user_id);
    const invalid = invalidLogin(row);
    if (invalid) return invalid;
    const provider = providerId(world, row.authentication_provider_id);
    if (provider === undefined)
      return messages.user.unknownProvider(row.authentication_provider_id, row.user_id);
    const login = work.create(
      pseudonyms,
      'Pseudonym',
      newLogin(existing.user_id, {
        unique_id: row.login_id as string,
        sis_user_id: row.user_id,
        integration_id: row.integration_id,
        authentication_provider_id: provider,
        workflow_state: 'active',
      }),
    );
    return keepEmail(row, login, false, work);
  },
};

/** Finds the existing login by the first given ID that finds a person; the other IDs must agree. */
function findExisting(row: LoginCells, world: World): Pseudonym | undefined {
  const live = (login: Pseudonym | undefined) => (login?.workflow_state === 'deleted' ? undefined : login);
  const { sis, integration, user } = world.pseudonyms.by;
  return (
    live(sis.get(row.existing_user_id)) ??
    live(integration.get(row.existing_integration_id)) ??
    user.get(Number(row.existing_canvas_user_id)).find((login) => live(login))
  );
}

function matches(row: LoginCells, login: Pseudonym): boolean {
  return (
    (!row.existing_user_id || login.sis_user_id === row.existing_user_id) &&
    (!row.existing_integration_id || login.integration_id === row.existing_integration_id) &&
    (!row.existing_canvas_user_id || String(login.user_id) === row.existing_canvas_user_id)
  );
}
