/** People created by hand: `POST /accounts/:id/users`. Errors are listed by record and field. */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { isTrue, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { zoneNamed } from '../../http/time-zones.ts';
import { baseUrl } from '../../http/urls.ts';
import { currentCaller, hasRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { findAccount } from '../http/find.ts';
import { viewOf } from '../http/view.ts';
import type { Pseudonym, User } from '../store/model.ts';
import { lastNameFirst } from '../store/names.ts';
import { uuidOf } from '../store/uuid.ts';
import type { World } from '../store/world.ts';
import { userOf, zoneFields } from './json/users.ts';
import { pathParam } from './lists.ts';
import { type FieldErrors, type LoginFields, loginErrors, providerOf, tooLong } from './login-fields.ts';

const LONGEST_NAME = 255;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** The parts of a request. */
type Asked = { person: Params; login: LoginFields & { unique_id: string }; channel: Params | null };

export function newUserRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.post('/accounts/:account_id/users', (request) => {
      findAccount(request, pathParam(request, 'account_id'));
      // People belong to the root account. Without permission, people could only register themselves, which is
      // switched off.
      if (!hasRight(request, world.rootAccount, 'manage_user_logins')) throw new ApiError(403, {});
      const params = paramsOf(request);
      const asked: Asked = {
        person: nested(params, 'user') ?? {},
        login: loginOf(request, nested(params, 'pseudonym') ?? {}),
        channel: nested(params, 'communication_channel'),
      };
      const held = isTrue(params['enable_sis_reactivation'])
        ? world.pseudonyms.by.sis.get(asked.login.sis_user_id)
        : undefined;
      const returning = held?.workflow_state === 'deleted' ? held : null;
      const login = loginErrors(world, asked.login, returning);
      const person = personErrors(asked.person);
      if (Object.keys(login).length > 0)
        person['pseudonyms'] = [{ attribute: 'pseudonyms', type: 'invalid', message: 'is invalid' }];
      if (Object.keys(person).length > 0)
        throw new ApiError(400, {
          errors: { user: person, pseudonym: login, observee: {}, pairing_code: {}, recaptcha: null },
        });
      const user = returning ? restored(world, returning, asked) : added(world, asked);
      return shown(request, user, asked);
    });
  };
}

/** @throws ApiError 404 for an authentication provider that does not exist */
function loginOf(request: FastifyRequest, given: Params): Asked['login'] {
  const { world } = currentCaller(request);
  // Without permission, IDs are ignored.
  const mayManageSis = hasRight(request, world.rootAccount, 'manage_sis');
  return {
    unique_id: text(given, 'unique_id')?.trim() ?? '',
    sis_user_id: (mayManageSis && text(given, 'sis_user_id')) || null,
    integration_id: (mayManageSis && text(given, 'integration_id')) || null,
    authentication_provider_id: providerOf(world, given) ?? null,
    password: text(given, 'password'),
  };
}

function shown(request: FastifyRequest, user: User, { person, channel }: Asked): Record<string, unknown> {
  const { world } = currentCaller(request);
  const withAddress = isTrue(channel?.['confirmation_url']) && isEmail(channel);
  const hasEmail = world.emailOf(user.id) !== null;
  return {
    ...userOf(viewOf(request, world.rootAccount), user),
    locale: user.locale,
    ...(withAddress
      ? { confirmation_url: hasEmail ? `${baseUrl(request)}/register/${uuidOf('channel', user.id)}` : null }
      : {}),
    ...('terms_of_use' in person ? { terms_of_use: isTrue(person['terms_of_use']) } : {}),
  };
}

/** Restores a deleted person together with the deleted login, which gets the fields of the request. */
function restored(world: World, login: Pseudonym, { person, login: fields, channel }: Asked): User {
  const { password: _unused, ...patch } = fields;
  world.pseudonyms.change(login, { ...patch, workflow_state: 'active' });
  // The former address is restored only if neither the person nor the address needs to be confirmed.
  if (text(person, 'skip_registration') !== null && text(channel ?? {}, 'skip_confirmation') !== null) {
    const former = world.channels.by.user.get(login.user_id).findLast((one) => one.path_type === 'email');
    if (former) world.channels.change(former, { workflow_state: 'active' });
  }
  const user = world.users.must(login.user_id);
  world.users.change(user, { ...detailsOf(person, user.name), workflow_state: 'registered' });
  addAddress(world, user, fields.unique_id, channel);
  return user;
}

function added(world: World, { person, login, channel }: Asked): User {
  const { password, ...fields } = login;
  const user = world.users.add({
    pronouns: null,
    time_zone: null,
    locale: null,
    avatar_url: null,
    title: null,
    bio: null,
    stuck_sis_fields: null,
    ...namesOf(person, text(person, 'name')?.trim() ?? login.unique_id),
    ...detailsOf(person, null),
    workflow_state: 'registered',
  });
  world.pseudonyms.add({
    user_id: user.id,
    sis_user_id: null,
    integration_id: null,
    workflow_state: 'active',
    authentication_provider_id: null,
    password_auto_generated: !password,
    declared_user_type: null,
    sis_communication_channel_id: null,
    sis_batch_id: null,
    last_request_at: null,
    stuck_sis_fields: null,
    ...fields,
  });
  addAddress(world, user, login.unique_id, channel);
  return user;
}

function namesOf(person: Params, name: string): Pick<User, 'name' | 'short_name' | 'sortable_name'> {
  return {
    name,
    sortable_name: text(person, 'sortable_name') ?? lastNameFirst(name),
    short_name: text(person, 'short_name') ?? name,
  };
}

/** Reads the fields of a person in a request. @param present the name of an existing person */
function detailsOf(person: Params, present: string | null): Partial<User> {
  const name = text(person, 'name')?.trim() ?? present;
  const zone = text(person, 'time_zone');
  return {
    ...('name' in person && name !== null ? namesOf(person, name) : {}),
    ...(zone ? zoneFields(zone) : {}),
    ...('locale' in person ? { locale: text(person, 'locale') || null } : {}),
  };
}

function isEmail(channel: Params | null): boolean {
  return (text(channel ?? {}, 'type') ?? 'email') === 'email';
}

/** Adds the address of the request, or the login if it is one; an address that cannot be one is ignored. */
function addAddress(world: World, user: User, uniqueId: string, channel: Params | null): void {
  const path = text(channel ?? {}, 'address') || uniqueId;
  if (!isEmail(channel) || !EMAIL.test(path)) return;
  const own = world.channels.by.user.get(user.id);
  const held = own.find((one) => one.path.toLowerCase() === path.toLowerCase());
  if (held) world.channels.change(held, { workflow_state: 'active' });
  else
    world.channels.add({
      user_id: user.id,
      path,
      path_type: 'email',
      workflow_state: 'active',
      position: own.length + 1,
    });
}

function personErrors(person: Params): FieldErrors {
  const errors: FieldErrors = {};
  for (const attribute of ['name', 'short_name', 'sortable_name']) {
    if ((text(person, attribute)?.length ?? 0) > LONGEST_NAME)
      errors[attribute] = [{ attribute, type: 'too_long', message: tooLong(LONGEST_NAME) }];
  }
  const zone = text(person, 'time_zone');
  if (zone && zoneNamed(zone) === null)
    errors['time_zone'] = [
      { attribute: 'time_zone', type: 'inclusion', message: 'is not included in the list' },
    ];
  return errors;
}
