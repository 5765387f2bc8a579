/** Accounts, sub-accounts, terms and roles (reference §6.1, §6.2, §6.5). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, list, paramsOf, text } from '../../http/params.ts';
import { currentCaller, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { forbidden, notFound, refused } from '../http/errors.ts';
import { findAccount } from '../http/find.ts';
import { lookupAccount, lookupTerm } from '../http/lookup.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import type { Account, Role, Term } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { accountJson, limitedAccountJson, termJson } from './json/accounts.ts';
import { roleJson } from './json/roles.ts';
import { compareNames, includesOf, pathNumber, pathParam } from './lists.ts';

export function accountRoutes({ world }: SandboxContext): FastifyPluginAsync {
  /** Returns the accounts whose roles can be used in an account: the account itself and those above it. */
  const owners = (account: Account): ReadonlySet<number | null> =>
    new Set(world.accountChain(account.id).map(({ id }) => id));

  return async (app) => {
    app.get('/accounts', (request, reply) => {
      const { user } = currentCaller(request);
      const own = world.accountUsers.by.user
        .get(user.id)
        .filter((membership) => membership.workflow_state === 'active')
        .map((membership) => world.accounts.must(membership.account_id));
      const view = viewOf(request, world.rootAccount);
      return paginate(request, reply, [...new Set(own)]).map((account) => accountJson(view, account));
    });

    // Accounts in which the caller can manage courses as an administrator, and all accounts below them.
    app.get('/manageable_accounts', (request, reply) => {
      const { user } = currentCaller(request);
      const own = world.accountUsers.by.user
        .get(user.id)
        .filter((membership) => membership.workflow_state === 'active')
        .map((membership) => world.accounts.must(membership.account_id))
        .filter((account) => hasRight(request, account, 'manage_courses'));
      const all = new Set(own.flatMap((account) => [account, ...descendantsOf(world, account)]));
      const view = viewOf(request, world.rootAccount);
      return paginate(request, reply, [...all]).map((account) => accountJson(view, account));
    });

    app.get('/course_accounts', (request, reply) => {
      const view = viewOf(request, world.rootAccount);
      const accounts = [...accountsOfWork(request)].sort(
        (a, b) => compareNames(a.name, b.name) || a.id - b.id,
      );
      return paginate(request, reply, accounts).map((account) => limitedAccountJson(view, account));
    });

    app.get('/accounts/:id', (request) => {
      const account = findAccount(request, pathParam(request, 'id'));
      const view = viewOf(request, account);
      if (hasRight(request, account, 'manage_account_settings') || hasRight(request, account, 'read_roster'))
        return accountJson(view, account);
      if (!accountsOfWork(request).has(account)) throw forbidden();
      return limitedAccountJson(view, account);
    });

    // Canvas shows only settings for another product here, and the practice school has none of these.
    app.get('/accounts/:account_id/settings', (request) => {
      requireRight(
        request,
        findAccount(request, pathParam(request, 'account_id')),
        'manage_account_settings',
      );
      return {};
    });

    app.get('/accounts/:account_id/sub_accounts', (request, reply) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_account_settings');
      const params = paramsOf(request);
      const recursive = flag(params, 'recursive');
      const accounts = recursive ? descendantsOf(world, account) : childrenOf(world, account.id);
      if (!recursive && text(params, 'order') === 'name') {
        accounts.sort((a, b) => compareNames(a.name, b.name) || a.id - b.id);
      } else accounts.sort((a, b) => a.id - b.id);
      const includes = includesOf(request);
      const view = viewOf(request, account);
      return paginate(request, reply, accounts, { counted: !recursive, looksAhead: true }).map((child) =>
        accountJson(view, child, countsOf(world, child, includes)),
      );
    });

    app.get('/accounts/:account_id/authentication_providers', (request, reply) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_account_settings');
      const active = [...world.authenticationProviders.values()].filter(
        (one) => one.workflow_state === 'active',
      );
      return paginate(request, reply, active).map(({ id, auth_type }, at) => ({
        id,
        auth_type,
        position: at + 1,
      }));
    });

    app.get('/accounts/:account_id/terms', (request, reply) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRoot(account);
      requireTerms(request, account);
      const params = paramsOf(request);
      const states = new Set(list(params, 'workflow_state'));
      const wanted = states.has('all')
        ? new Set(['active', 'deleted'])
        : new Set([...states].filter((state) => state === 'active' || state === 'deleted'));
      if (wanted.size === 0) wanted.add('active');
      const name = text(params, 'term_name')?.toLowerCase() ?? '';
      const under = text(params, 'subaccount_id');
      const used = under === null ? null : termsUsedIn(world, under);
      const terms = [...world.terms.values()]
        .filter((term) => wanted.has(term.workflow_state) && term.name.toLowerCase().includes(name))
        .sort(compareTerms);
      const includes = includesOf(request);
      const view = viewOf(request, account);
      const shown = paginate(request, reply, terms).map((term) => ({
        ...termJson(view, term, includes.has('overrides')),
        ...(includes.has('course_count') ? { course_count: liveCourses(world, term) } : {}),
        ...(used ? { used_in_subaccount: used.has(term.id) } : {}),
      }));
      return { enrollment_terms: shown };
    });

    app.get('/accounts/:account_id/terms/:id', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRoot(account);
      requireTerms(request, account);
      // Deleted terms are shown as well.
      const term = lookupTerm(world, pathParam(request, 'id'));
      if (!term) throw notFound();
      return { ...termJson(viewOf(request, account), term, true), course_count: liveCourses(world, term) };
    });

    app.get('/accounts/:account_id/roles', (request, reply) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_role_overrides');
      const params = paramsOf(request);
      const requestedStates = list(params, 'state').filter(
        (state) => state === 'active' || state === 'inactive',
      );
      const states = new Set(requestedStates.length > 0 ? requestedStates : ['active']);
      const owners = flag(params, 'show_inherited') ? world.accountChain(account.id) : [account];
      const roles: Role[] = states.has('active') ? builtInRoles(world) : [];
      const custom = owners.flatMap((owner) => world.roles.by.account.get(owner.id));
      roles.push(...custom.filter((role) => states.has(role.workflow_state)).sort((a, b) => a.id - b.id));
      const view = viewOf(request, account);
      return paginate(request, reply, roles).map((role) =>
        roleJson(view, role, account.parent_account_id === null),
      );
    });

    app.get('/accounts/:account_id/roles/:id', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_role_overrides');
      const role = world.roles.get(pathNumber(request, 'id'));
      // Inactive roles are shown as well.
      const isHere = role?.workflow_state === 'built_in' || owners(account).has(role?.account_id ?? null);
      if (!role || !isHere) throw notFound();
      return roleJson(viewOf(request, account), role, account.parent_account_id === null);
    });
  };
}

/** Returns the accounts with a course in which the caller works. */
export function accountsOfWork(request: FastifyRequest): Set<Account> {
  const { world, user } = currentCaller(request);
  const working = world.enrollments.by.user
    .get(user.id)
    .filter((e) => STAFF.has(e.type) && e.workflow_state === 'active')
    .map((e) => world.courses.must(e.course_id))
    .filter((course) => course.workflow_state !== 'deleted');
  return new Set(working.map((course) => world.accounts.must(course.account_id)));
}

const STAFF: ReadonlySet<string> = new Set(['TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment']);

/**
 * Checks that the caller administers an account, because the administrators of any account can read the
 * terms.
 * @throws ApiError 403
 */
function requireTerms(request: FastifyRequest, account: Account): void {
  const { world, user } = currentCaller(request);
  const isAdmin = world.accountUsers.by.user
    .get(user.id)
    .some((membership) => membership.workflow_state === 'active');
  if (!isAdmin) requireRight(request, account, 'read_terms');
}

/** @throws ApiError 400: terms exist in root accounts only (§6.2). */
function requireRoot(account: Account): void {
  if (account.parent_account_id !== null) throw refused(400, 'Terms only belong to root_accounts.');
}

/** Orders undated terms first (nulls first), then by latest start, latest end and lowest ID (§6.2). */
function compareTerms(a: Term, b: Term): number {
  return lateFirst(a.start_at, b.start_at) || lateFirst(a.end_at, b.end_at) || a.id - b.id;
}

function lateFirst(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? 1 : -1;
}

function childrenOf(world: World, accountId: number): Account[] {
  return world.accounts.by.parent.get(accountId).filter((account) => account.workflow_state === 'active');
}

function descendantsOf(world: World, account: Account): Account[] {
  return childrenOf(world, account.id).flatMap((child) => [child, ...descendantsOf(world, child)]);
}

function countsOf(world: World, account: Account, includes: ReadonlySet<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  if (includes.has('course_count')) {
    counts['course_count'] = world.courses.by.account
      .get(account.id)
      .filter((course) => course.workflow_state !== 'deleted').length;
  }
  if (includes.has('sub_account_count')) counts['sub_account_count'] = childrenOf(world, account.id).length;
  return counts;
}

function liveCourses(world: World, term: Term): number {
  return world.courses.by.term.get(term.id).filter((course) => course.workflow_state !== 'deleted').length;
}

function termsUsedIn(world: World, accountParam: string): Set<number> {
  const account = lookupAccount(world, accountParam);
  const courses = account ? world.coursesUnder(account.id) : [];
  return new Set(courses.filter((c) => c.workflow_state !== 'deleted').map((c) => c.enrollment_term_id));
}

/**
 * Returns the built-in roles that Canvas lists; `AccountMembership` and `NoPermissions` stay hidden (§6.5).
 */
function builtInRoles(world: World): Role[] {
  return [...world.roles.values()]
    .filter((role) => role.workflow_state === 'built_in')
    .filter((role) => role.name !== 'AccountMembership' && role.base_role_type !== 'NoPermissions')
    .sort((a, b) => a.id - b.id);
}
