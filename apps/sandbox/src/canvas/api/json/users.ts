import type { FastifyRequest } from 'fastify';
import { zoneNamed } from '../../../http/time-zones.ts';
import { currentCaller } from '../../http/auth.ts';
import { type View, viewOf } from '../../http/view.ts';
import type { Pseudonym, User } from '../../store/model.ts';
import { uuidOf } from '../../store/uuid.ts';
import type { World } from '../../store/world.ts';

/** Returns the User object as the caller can see it at the root account (§6.6). */
export function userJson(request: FastifyRequest, user: User): Record<string, unknown> {
  return userOf(viewOf(request, currentCaller(request).world.rootAccount), user);
}

/** Returns the User object (§6.6), without the includes. */
export function userOf(view: View, user: User): Record<string, unknown> {
  const login = mainLogin(view, user.id);
  return {
    id: user.id,
    name: user.name,
    created_at: user.created_at,
    sortable_name: user.sortable_name,
    short_name: user.short_name,
    ...(user.pronouns === null ? {} : { pronouns: user.pronouns }),
    ...(view.sis
      ? { sis_user_id: login?.sis_user_id ?? null, integration_id: login?.integration_id ?? null }
      : {}),
    ...(view.manageSis ? { sis_import_id: login?.sis_batch_id ?? null } : {}),
    ...(view.logins && login ? { login_id: login.unique_id } : {}),
  };
}

/**
 * Returns the login whose IDs are shown: the oldest with an SIS ID, or just the oldest; never a deleted one.
 */
export function mainLogin(view: View, userId: number): Pseudonym | undefined {
  let best: Pseudonym | undefined;
  for (const login of view.world.pseudonyms.by.user.get(userId)) {
    if (login.workflow_state === 'deleted') continue;
    if (!best || (best.sis_user_id === null && login.sis_user_id !== null)) best = login;
  }
  return best;
}

/** Returns a person's time zone as it was given, or that of the account. */
export function zoneNameOf(world: World, user: User): string {
  return user.time_zone_name ?? user.time_zone ?? world.rootAccount.default_time_zone;
}

/** Returns the fields that a request writes for a person's time zone. */
export function zoneFields(given: string): Pick<User, 'time_zone' | 'time_zone_name'> {
  const zone = zoneNamed(given);
  return { time_zone: zone, time_zone_name: zone === null || zone === given ? null : given };
}

/** Returns the latest moment at which a person used one of their logins. */
export function lastLogin(world: World, userId: number): string | null {
  const moments = world.loginsOf(userId).flatMap(({ last_request_at: at }) => at ?? []);
  return moments.sort().at(-1) ?? null;
}

/**
 * Returns whether a person matches a lower-cased term: in name, login, IDs and address, as far as the caller
 * sees them.
 */
export function userMatches(view: View, user: User, term: string): boolean {
  if (String(user.id) === term) return true;
  const texts = [user.name, user.short_name];
  for (const login of view.world.loginsOf(user.id)) {
    if (view.logins && login.workflow_state === 'active') texts.push(login.unique_id);
    if (view.sis) texts.push(login.sis_user_id ?? '', login.integration_id ?? '');
  }
  if (view.emails)
    for (const { path, workflow_state } of view.world.channels.by.user.get(user.id))
      if (workflow_state !== 'retired') texts.push(path);
  return texts.some((value) => value.toLowerCase().includes(term));
}

/** Returns the address of a person's picture, served by the sandbox itself. */
export function avatarUrl(view: View, user: User): string {
  const path = user.avatar_url ?? `/images/avatars/${user.id}.svg`;
  return path.startsWith('/') ? view.base + path : path;
}

/**
 * Returns a person as shown beside one of their objects.
 * @param place where they are shown, such as `groups/7`
 */
export function userDisplay(view: View, user: User, place: string): Record<string, unknown> {
  return {
    id: user.id,
    display_name: user.short_name,
    avatar_image_url: avatarUrl(view, user),
    html_url: `${view.base}/${place}/users/${user.id}`,
  };
}

/** Adds the includes of user lists (§6.6). */
export function addUserIncludes(
  view: View,
  json: Record<string, unknown>,
  user: User,
  includes: ReadonlySet<string>,
): void {
  if (includes.has('email') && view.emails) json['email'] = view.world.emailOf(user.id);
  if (includes.has('avatar_url')) json['avatar_url'] = avatarUrl(view, user);
  if (includes.has('last_login')) json['last_login'] = lastLogin(view.world, user.id);
  if (includes.has('time_zone')) json['time_zone'] = zoneNameOf(view.world, user);
  if (includes.has('uuid')) json['uuid'] = uuidOf('user', user.id);
  if (includes.has('bio')) json['bio'] = user.bio;
}

/** Returns the Profile object (§6.11). */
export function profileJson(view: View, user: User): Record<string, unknown> {
  const login = mainLogin(view, user.id);
  return {
    id: user.id,
    name: user.name,
    short_name: user.short_name,
    sortable_name: user.sortable_name,
    title: user.title,
    bio: user.bio,
    pronunciation: null,
    primary_email: view.world.emailOf(user.id),
    login_id: login?.unique_id ?? null,
    ...(view.sis
      ? { sis_user_id: login?.sis_user_id ?? null, integration_id: login?.integration_id ?? null }
      : {}),
    lti_user_id: uuidOf('user-lti', user.id),
    time_zone: user.time_zone ?? view.world.rootAccount.default_time_zone,
    locale: user.locale,
    effective_locale: user.locale ?? 'en',
    calendar: { ics: `${view.base}/feeds/calendars/user_${uuidOf('user', user.id)}.ics` },
    avatar_url: avatarUrl(view, user),
  };
}

/** Returns one login of a person. */
export function loginJson(view: View, login: Pseudonym): Record<string, unknown> {
  const provider = view.world.authenticationProviders.get(login.authentication_provider_id);
  return {
    id: login.id,
    user_id: login.user_id,
    account_id: view.world.rootAccount.id,
    unique_id: login.unique_id,
    created_at: login.created_at,
    workflow_state: login.workflow_state,
    authentication_provider_id: login.authentication_provider_id,
    declared_user_type: login.declared_user_type,
    ...(view.sis ? { sis_user_id: login.sis_user_id, integration_id: login.integration_id } : {}),
    ...(provider ? { authentication_provider_type: provider.auth_type } : {}),
  };
}
