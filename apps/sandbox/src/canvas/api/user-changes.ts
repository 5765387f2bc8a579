/** People changed by hand; imports then leave their names alone (reference §10). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { nested, type Params, paramsOf, text } from '../../http/params.ts';
import { zoneNamed } from '../../http/time-zones.ts';
import { currentUser, hasRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { forbidden, invalid } from '../http/errors.ts';
import { findUser } from '../http/find.ts';
import { viewOf } from '../http/view.ts';
import type { User } from '../store/model.ts';
import { lastNameFirst } from '../store/names.ts';
import { changeByHand, STICKY } from '../store/sticky.ts';
import type { World } from '../store/world.ts';
import { tooLong } from './changes.ts';
import { avatarUrl, userOf, zoneFields, zoneNameOf } from './json/users.ts';
import { pathParam } from './lists.ts';

const NAMES = ['name', 'short_name', 'sortable_name'] as const;
/** Fields that people may change about themselves. `birthdate` is a former field. */
const OWN: ReadonlySet<string> = new Set([
  ...NAMES,
  'title',
  'avatar',
  'avatar_image',
  'birthdate',
  'terms_of_use',
]);
/** Fields that administrators may change. Any other field makes the whole change forbidden. */
const PERMITTED: ReadonlySet<string> = new Set([
  ...OWN,
  'time_zone',
  'locale',
  'event',
  'email',
  'pronouns',
  'bio',
]);

export function userChangeRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.put('/users/:id', (request) => {
      const user = findUser(request, pathParam(request, 'id'));
      const isSelf = user.id === currentUser(request).id;
      const mayManage = hasRight(request, world.rootAccount, 'manage_user_logins');
      if (!isSelf && !mayManage) throw forbidden();
      const fields = nested(paramsOf(request), 'user') ?? {};
      const permitted = mayManage ? PERMITTED : OWN;
      if (Object.keys(fields).some((name) => !permitted.has(name))) throw forbidden();
      const names = namesOf(user, fields);
      const zone = text(fields, 'time_zone');
      if (zone && zoneNamed(zone) === null)
        throw invalid('time_zone', 'is not included in the list', 'inclusion');
      changeByHand(world.users, user, names, STICKY.user);
      world.users.change(user, {
        ...(zone === null ? {} : zoneFields(zone)),
        ...('locale' in fields ? { locale: text(fields, 'locale') || null } : {}),
        ...('title' in fields ? { title: text(fields, 'title') } : {}),
        ...('bio' in fields ? { bio: text(fields, 'bio') } : {}),
      });
      if (!isSelf) suspend(world, user, text(fields, 'event'));
      const email = text(fields, 'email');
      if (email) setEmail(world, user, email);
      return shown(request, user, fields);
    });
  };

  function shown(request: FastifyRequest, user: User, fields: Params): Record<string, unknown> {
    const view = viewOf(request, world.rootAccount);
    const mayManage = hasRight(request, world.rootAccount, 'manage_user_logins');
    return {
      ...userOf(view, user),
      avatar_url: avatarUrl(view, user),
      ...(mayManage ? { avatar_state: user.avatar_url === null ? 'none' : 'approved' } : {}),
      ...(view.emails ? { email: world.emailOf(user.id) } : {}),
      ...('title' in fields ? { title: user.title } : {}),
      ...('bio' in fields ? { bio: user.bio } : {}),
      locale: user.locale,
      time_zone: zoneNameOf(world, user),
    };
  }
}

/**
 * Reads the names that a request changes. Names derived from the full name follow it.
 * @throws ApiError 400
 */
function namesOf(
  user: User,
  fields: Params,
): Partial<Pick<User, 'name' | 'short_name' | 'sortable_name' | 'pronouns'>> {
  const patch: Partial<Pick<User, 'name' | 'short_name' | 'sortable_name' | 'pronouns'>> = {};
  for (const name of NAMES) {
    const value = text(fields, name);
    if (value === null) continue;
    if (value.length > 255) throw tooLong(name);
    patch[name] = value;
  }
  if (patch.name !== undefined && patch.name !== user.name) {
    if (user.short_name === user.name) patch.short_name ??= patch.name;
    if (user.sortable_name === lastNameFirst(user.name)) patch.sortable_name ??= lastNameFirst(patch.name);
  }
  if ('pronouns' in fields) patch.pronouns = text(fields, 'pronouns') || null;
  return patch;
}

/** Suspends all of a person's logins, or makes them active again. */
function suspend(world: World, user: User, event: string | null): void {
  if (event !== 'suspend' && event !== 'unsuspend') return;
  const workflow_state = event === 'suspend' ? 'suspended' : 'active';
  for (const login of world.loginsOf(user.id))
    changeByHand(world.pseudonyms, login, { workflow_state }, STICKY.login);
}

/** Makes an address a person's first one. */
function setEmail(world: World, user: User, path: string): void {
  const channels = world.channels.by.user.get(user.id);
  const held = channels.find((one) => one.path.toLowerCase() === path.toLowerCase());
  for (const [at, other] of channels.filter((one) => one !== held).entries())
    world.channels.change(other, { position: at + 2 });
  if (held) world.channels.change(held, { workflow_state: 'active', position: 1 });
  else
    world.channels.add({ user_id: user.id, path, path_type: 'email', workflow_state: 'active', position: 1 });
}
