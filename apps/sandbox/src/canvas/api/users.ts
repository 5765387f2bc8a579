/** People: search, one by any ID, profile (reference §6.6, §6.11). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, list, type Params, paramsOf, text } from '../../http/params.ts';
import { currentCaller, currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import { findAccount, findUser } from '../http/find.ts';
import { type Bookmark, paginate } from '../http/paging.ts';
import { type View, viewOf } from '../http/view.ts';
import { peopleUnder } from '../store/account-people.ts';
import type { User } from '../store/model.ts';
import { nameParts } from '../store/names.ts';
import { uuidOf } from '../store/uuid.ts';
import type { World } from '../store/world.ts';
import { enrollmentTypeOf } from './enrollment-filters.ts';
import { addUserIncludes, avatarUrl, lastLogin, mainLogin, profileJson, userOf } from './json/users.ts';
import { KeptLists } from './kept.ts';
import { compareNames, includesOf, pathParam, searchTermOf } from './lists.ts';
import { UserDirectory } from './user-search.ts';

/** Includes of the list of an account's people; other lists have more (§6.6, §6.9). */
const INCLUDES = new Set(['email', 'avatar_url', 'last_login', 'time_zone', 'uuid']);

const BY_ID: Bookmark<User> = { keyOf: (user) => [user.id], compare: (a, b) => Number(a[0]) - Number(b[0]) };

export function userRoutes({ world }: SandboxContext): FastifyPluginAsync {
  const directory = new UserDirectory(world);
  const sortedLists = new KeptLists<readonly User[]>(16);

  return async (app) => {
    app.get('/accounts/:account_id/users', (request, reply) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'read_roster');
      const params = paramsOf(request);
      const view = viewOf(request, account);
      const term = searchTermOf(params);
      const deletedToo = flag(params, 'include_deleted_users');
      let users: readonly User[] =
        term === null
          ? directory.inAccount(account.id, deletedToo)
          : directory.search(account.id, term, view, deletedToo);
      users = filtered(world, params, users);
      const sort = text(params, 'sort');
      // As with courses, an order without a sort column is ignored.
      const descending = sort !== null && text(params, 'order')?.toLowerCase() === 'desc';
      if ((sort && sort !== 'username') || descending) {
        const version = world.users.version + world.pseudonyms.version + world.channels.version;
        const make = () => sortUsers(view, users, sort ?? 'username', descending);
        // Only the unfiltered list is kept, because all pages of a listing need it.
        users =
          users === directory.inAccount(account.id, deletedToo)
            ? sortedLists.get(`${account.id} ${sort} ${descending} ${deletedToo}`, version, make)
            : make();
      }
      const options = sort === 'id' ? { bookmark: idBookmark(descending) } : { counted: false };
      const shown = paginate(request, reply, users, options);
      const includes = new Set([...includesOf(request)].filter((name) => INCLUDES.has(name)));
      if (sort === 'last_login') includes.add('last_login');
      return shown.map((user) => {
        const json = userOf(view, user);
        addUserIncludes(view, json, user, includes);
        if (deletedToo) addAllIds(world, json, user);
        return json;
      });
    });

    app.get('/users/:id', (request) => {
      const user = findUser(request, pathParam(request, 'id'));
      const self = currentUser(request);
      const isSelf = user.id === self.id;
      // People whom the caller may not see are treated as not found.
      if (!isSelf && !maySee(request, user)) throw notFound();
      const view = viewOf(request, world.rootAccount);
      const json = userOf(view, user);
      json['avatar_url'] = avatarUrl(view, user);
      if (view.emails) json['email'] = world.emailOf(user.id);
      Object.assign(json, nameParts(user));
      json['locale'] = user.locale;
      if (isSelf) json['effective_locale'] = user.locale ?? 'en';
      const includes = includesOf(request);
      if (includes.has('uuid')) json['uuid'] = uuidOf('user', user.id);
      if (includes.has('last_login')) json['last_login'] = lastLogin(world, user.id);
      // What the account allows people to do; the same for every caller.
      json['permissions'] = {
        can_update_name: true,
        can_update_avatar: true,
        limit_parent_app_web_access: false,
      };
      return json;
    });

    app.get('/users/:user_id/profile', (request) => {
      const user = findUser(request, pathParam(request, 'user_id'));
      if (user.id !== currentUser(request).id) {
        requireRight(request, world.rootAccount, 'read_roster', 'become_user');
      }
      return profileJson(viewOf(request, world.rootAccount), user);
    });
  };
}

/**
 * Returns whether the caller has a permission over people in the root account, or in a sub-account to which
 * the person belongs.
 */
function maySee(request: FastifyRequest, user: User): boolean {
  const { world, user: caller } = currentCaller(request);
  const rights = ['read_roster', 'manage_user_logins', 'become_user'] as const;
  return world.accountUsers.by.user
    .get(caller.id)
    .filter(({ workflow_state }) => workflow_state === 'active')
    .map(({ account_id }) => world.accounts.must(account_id))
    .filter((account) => rights.some((right) => hasRight(request, account, right)))
    .some((account) => account.parent_account_id === null || peopleUnder(world, account.id).has(user.id));
}

function idBookmark(descending: boolean): Bookmark<User> {
  return descending ? { ...BY_ID, compare: (a, b) => Number(b[0]) - Number(a[0]) } : BY_ID;
}

/** @throws ApiError 400 for an enrolment type that does not exist (§6.6). */
function filtered(world: World, params: Params, users: readonly User[]): readonly User[] {
  let kept = users;
  const types = new Set<string>(
    list(params, 'enrollment_type').flatMap((word) => (word === '' ? [] : enrollmentTypeOf(word))),
  );
  if (types.size > 0) {
    kept = kept.filter((user) =>
      world.enrollments.by.user.get(user.id).some((e) => types.has(e.type) && e.workflow_state !== 'deleted'),
    );
  }
  const role = text(params, 'role_filter_id');
  if (role) {
    kept = kept.filter((user) => hasRole(world, user, Number(role)));
  }
  const uuids = list(params, 'uuids');
  if (uuids.length > 0) {
    const wanted = new Set(uuids.slice(0, 100));
    kept = kept.filter((user) => wanted.has(uuidOf('user', user.id)));
  }
  return kept;
}

/** Returns whether a person has a role in a course or an account. */
function hasRole(world: World, user: User, roleId: number): boolean {
  const holds = (row: { role_id: number; workflow_state: string }) =>
    row.role_id === roleId && !['deleted', 'rejected', 'inactive'].includes(row.workflow_state);
  return (
    world.enrollments.by.user.get(user.id).some(holds) || world.accountUsers.by.user.get(user.id).some(holds)
  );
}

function sortUsers(view: View, users: readonly User[], sort: string, descending: boolean): User[] {
  const direction = descending ? -1 : 1;
  if (sort === 'id') return [...users].sort((a, b) => direction * (a.id - b.id));
  const keyed = users.map((user) => ({ user, key: sortKey(view, user, sort) }));
  keyed.sort((a, b) => {
    // Absent values come last in both directions.
    if (a.key !== b.key && (a.key === null || b.key === null)) return a.key === null ? 1 : -1;
    return direction * (compareNames(a.key ?? '', b.key ?? '') || a.user.id - b.user.id);
  });
  return keyed.map(({ user }) => user);
}

function sortKey(view: View, user: User, sort: string): string | null {
  switch (sort) {
    case 'email':
      return view.world.emailOf(user.id);
    case 'sis_id':
      return mainLogin(view, user.id)?.sis_user_id ?? null;
    case 'integration_id':
      return mainLogin(view, user.id)?.integration_id ?? null;
    case 'last_login':
      return lastLogin(view.world, user.id);
    default:
      return user.sortable_name;
  }
}

/** Adds `login_ids` and `sis_user_ids`, which accompany deleted users (§6.6). */
function addAllIds(world: World, json: Record<string, unknown>, user: User): void {
  const logins = world.pseudonyms.by.user.get(user.id);
  json['login_ids'] = logins.map((login) => login.unique_id).join(',');
  json['sis_user_ids'] = logins.flatMap((login) => login.sis_user_id ?? []).join(',');
}
