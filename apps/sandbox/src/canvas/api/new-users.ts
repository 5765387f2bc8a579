/** People created by hand: `POST /accounts/:id/users`. Errors are listed by record and field. */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { isTrue, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { currentCaller, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { findAccount } from '../http/find.ts';
import { liveLogin } from '../http/lookup.ts';
import { viewOf } from '../http/view.ts';
import type { Pseudonym, User } from '../store/model.ts';
import { lastNameFirst } from '../store/names.ts';
import type { World } from '../store/world.ts';
import { userOf } from './json/users.ts';
import { pathParam } from './lists.ts';

type FieldError = { attribute: string; type: string; message: string };
type FieldErrors = Record<string, FieldError[]>;

const LONGEST_NAME = 255;
const LONGEST_LOGIN = 100;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** Printable characters only, as in imports (§9.1). */
const LOGIN = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

export function newUserRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.post('/accounts/:account_id/users', (request) => {
      findAccount(request, pathParam(request, 'account_id'));
      // People belong to the root account.
      requireRight(request, world.rootAccount, 'manage_user_logins');
      const params = paramsOf(request);
      const person = nested(params, 'user') ?? {};
      const login = nested(params, 'pseudonym') ?? {};
      const returning = isTrue(params['enable_sis_reactivation'])
        ? world.pseudonyms.by.sis.get(text(login, 'sis_user_id') || null)
        : undefined;
      const channel = nested(params, 'communication_channel') ?? {};
      if (returning?.workflow_state === 'deleted')
        return shown(request, restored(world, returning, isTrue(channel['skip_confirmation'])));
      const uniqueId = text(login, 'unique_id')?.trim() ?? '';
      const wrong = { user: userErrors(person), pseudonym: loginErrors(world, login, uniqueId) };
      if (Object.keys(wrong.user).length + Object.keys(wrong.pseudonym).length > 0)
        throw new ApiError(400, { errors: { ...wrong, observee: {}, pairing_code: {}, recaptcha: null } });
      return shown(request, added(world, person, login, uniqueId, channel));
    });
  };
}

function shown(request: FastifyRequest, user: User): Record<string, unknown> {
  return { ...userOf(viewOf(request, currentCaller(request).world.rootAccount), user), locale: user.locale };
}

/**
 * A deleted person is restored together with the deleted login; the address only if it needs no confirmation.
 */
function restored(world: World, login: Pseudonym, withAddress: boolean): User {
  world.pseudonyms.change(login, { workflow_state: 'active' });
  const channel = world.channels.by.user.get(login.user_id).findLast((one) => one.path_type === 'email');
  if (withAddress && channel) world.channels.change(channel, { workflow_state: 'active' });
  return world.users.change(world.users.must(login.user_id), { workflow_state: 'registered' });
}

function added(world: World, person: Params, login: Params, uniqueId: string, channel: Params): User {
  const name = text(person, 'name')?.trim() || uniqueId;
  const user = world.users.add({
    name,
    sortable_name: text(person, 'sortable_name') ?? lastNameFirst(name),
    short_name: text(person, 'short_name') ?? name,
    workflow_state: 'registered',
    pronouns: null,
    time_zone: text(person, 'time_zone'),
    locale: text(person, 'locale'),
    avatar_url: null,
    title: null,
    bio: null,
    stuck_sis_fields: null,
  });
  world.pseudonyms.add({
    user_id: user.id,
    unique_id: uniqueId,
    sis_user_id: text(login, 'sis_user_id') || null,
    integration_id: text(login, 'integration_id') || null,
    workflow_state: 'active',
    authentication_provider_id: null,
    password_auto_generated: text(login, 'password') === null,
    declared_user_type: null,
    sis_communication_channel_id: null,
    sis_batch_id: null,
    last_request_at: null,
    stuck_sis_fields: null,
  });
  const address = text(channel, 'address') ?? (EMAIL.test(uniqueId) ? uniqueId : null);
  if (address)
    world.channels.add({
      user_id: user.id,
      path: address,
      path_type: 'email',
      workflow_state: 'active',
      position: 1,
    });
  return user;
}

function userErrors(person: Params): FieldErrors {
  const errors: FieldErrors = {};
  for (const field of ['name', 'short_name', 'sortable_name']) {
    if ((text(person, field)?.length ?? 0) > LONGEST_NAME) errors[field] = [tooLong(field, LONGEST_NAME)];
  }
  return errors;
}

function loginErrors(world: World, login: Params, uniqueId: string): FieldErrors {
  const errors: FieldErrors = {};
  const of = (attribute: string, type: string, message: string) => {
    errors[attribute] = [...(errors[attribute] ?? []), { attribute, type, message }];
  };
  if (uniqueId === '') of('unique_id', 'too_short', 'is too short (minimum is 1 character)');
  else if (uniqueId.length > LONGEST_LOGIN) errors['unique_id'] = [tooLong('unique_id', LONGEST_LOGIN)];
  else if (!LOGIN.test(uniqueId)) of('unique_id', 'invalid', 'is invalid');
  else if (liveLogin(world, uniqueId))
    of('unique_id', 'taken', 'ID already in use for this account and authentication provider');
  const sis = text(login, 'sis_user_id') || null;
  if (world.pseudonyms.by.sis.get(sis)) of('sis_user_id', 'taken', `SIS ID "${sis}" is already in use`);
  const integration = text(login, 'integration_id') || null;
  if (world.pseudonyms.by.integration.get(integration))
    of('integration_id', 'taken', `Integration ID "${integration}" is already in use`);
  return errors;
}

function tooLong(attribute: string, longest: number): FieldError {
  return { attribute, type: 'too_long', message: `is too long (maximum is ${longest} characters)` };
}
