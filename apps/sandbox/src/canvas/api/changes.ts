/**
 * Accounts and terms that a person changes in Canvas through the API. A changed field becomes sticky: later imports
 * leave it alone (reference §10).
 */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { isParams, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { zoneNamed } from '../../http/time-zones.ts';
import { currentCaller, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, forbidden, invalid, missing, notFound, refused } from '../http/errors.ts';
import { findAccount, findTerm } from '../http/find.ts';
import { lookupTerm } from '../http/lookup.ts';
import { viewOf } from '../http/view.ts';
import type { Account, AccountQuotas, Term } from '../store/model.ts';
import { changeByHand, keepsSticky, STICKY } from '../store/sticky.ts';
import type { World } from '../store/world.ts';
import { accountJson, termJson } from './json/accounts.ts';
import { pathParam } from './lists.ts';

export function changeRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.put('/accounts/:id', (request) => {
      const account = findAccount(request, pathParam(request, 'id'));
      requireRight(request, account, 'manage_account_settings');
      const params = paramsOf(request);
      const fields = nested(params, 'account') ?? {};
      if ('sis_account_id' in fields) checkAccountSis(request, account);
      const name = text(fields, 'name');
      if ('name' in fields && !name?.trim()) throw invalid('name', 'The account name cannot be blank');
      const zone = text(fields, 'default_time_zone');
      if (zone && zoneNamed(zone) === null)
        throw invalid('default_time_zone', `'${zone}' is not a recognized time zone`);
      const sis = sisIdOf(request, world, fields, 'sis_account_id', account, world.accounts.by.sis);
      const quotas = quotasOf(fields);
      const patch = {
        ...(name === null ? {} : { name }),
        ...(zone ? { default_time_zone: zoneNamed(zone) ?? zone } : {}),
        ...(Object.keys(quotas).length > 0 ? { quotas: { ...account.quotas, ...quotas } } : {}),
      };
      changeByHand(world.accounts, account, patch, STICKY.account, keepsSticky(params));
      if (sis !== undefined) world.accounts.change(account, { sis_source_id: sis });
      return accountJson(viewOf(request, account), account);
    });

    app.post('/accounts/:account_id/sub_accounts', (request) => {
      const top = findAccount(request, pathParam(request, 'account_id'));
      const fields = nested(paramsOf(request), 'account') ?? {};
      const parent = belowOrSelf(world, top, text(fields, 'parent_account_id'));
      requireRight(request, parent, 'manage_account_settings');
      const name = text(fields, 'name')?.trim() ?? '';
      if (text(fields, 'sis_account_id') && !hasRight(request, top, 'manage_sis'))
        throw refused(401, 'user not authorized to manage SIS data - account[sis_account_id]');
      if (name === '') throw invalid('name', "can't be blank", 'blank');
      const account = world.accounts.add({
        name,
        workflow_state: 'active',
        parent_account_id: parent.id,
        sis_source_id: sisIdOf(request, world, fields, 'sis_account_id', null, world.accounts.by.sis) ?? null,
        integration_id: null,
        default_time_zone: parent.default_time_zone,
        allow_sis_import: false,
        quotas: quotasOf(fields),
        sis_batch_id: null,
        stuck_sis_fields: null,
      });
      return accountJson(viewOf(request, account), account);
    });

    app.delete('/accounts/:account_id/sub_accounts/:id', (request) => {
      const top = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, top, 'manage_account_settings');
      const account = belowOrSelf(world, top, pathParam(request, 'id'));
      if (world.coursesUnder(account.id).some((course) => course.workflow_state !== 'deleted'))
        throw refused(409, "You can't delete a sub-account that has courses in it.");
      if (world.accounts.by.parent.get(account.id).some((one) => one.workflow_state === 'active'))
        throw refused(409, "You can't delete a sub-account that has sub-accounts in it.");
      if (account.parent_account_id === null) throw refused(401, "You can't delete a root_account.");
      world.accounts.change(account, { workflow_state: 'deleted' });
      return accountJson(viewOf(request, account), account);
    });

    app.post('/accounts/:account_id/terms', (request) => {
      const account = rootOf(request);
      const written = termFields(request, null);
      const term = world.terms.add({
        name: '',
        workflow_state: 'active',
        start_at: null,
        end_at: null,
        sis_source_id: written.sis ?? null,
        integration_id: null,
        overrides: written.overrides,
        default_term: false,
        sis_batch_id: null,
        stuck_sis_fields: null,
      });
      changeByHand(world.terms, term, written.patch, STICKY.term);
      return termJson(viewOf(request, account), term, true);
    });

    app.put('/accounts/:account_id/terms/:id', (request) => {
      const account = rootOf(request);
      const term = findTerm(request, pathParam(request, 'id'));
      const { patch, overrides, sis } = termFields(request, term);
      changeByHand(world.terms, term, patch, STICKY.term, keepsSticky(paramsOf(request)));
      world.terms.change(term, {
        overrides: { ...term.overrides, ...overrides },
        ...(sis === undefined ? {} : { sis_source_id: sis }),
      });
      return termJson(viewOf(request, account), term, true);
    });

    app.delete('/accounts/:account_id/terms/:id', (request) => {
      const account = rootOf(request);
      const term = lookupTerm(world, pathParam(request, 'id'));
      if (!term) throw notFound();
      if (term.default_term) throw invalid('workflow_state', 'Cannot delete the default term');
      if (world.courses.by.term.get(term.id).some((course) => course.workflow_state !== 'deleted'))
        throw invalid('workflow_state', 'Cannot delete a term with active courses');
      world.terms.change(term, { workflow_state: 'deleted' });
      return termJson(viewOf(request, account), term);
    });
  };

  /** Finds the root account, whose terms the caller can change. @throws ApiError 403 */
  function rootOf(request: FastifyRequest): Account {
    const account = findAccount(request, pathParam(request, 'account_id'));
    if (account.parent_account_id !== null) throw forbidden();
    requireRight(request, account, 'manage_account_settings');
    return account;
  }

  /** Reads the fields that a request writes to a term. @throws ApiError 400 */
  function termFields(request: FastifyRequest, term: Term | null) {
    const fields = nested(paramsOf(request), 'enrollment_term');
    if (!fields || Object.keys(fields).length === 0) throw missing('enrollment_term');
    const overrides = overridesOf(fields);
    const name = 'sis_source_id' in fields ? 'sis_source_id' : 'sis_term_id';
    if (typeof fields[name] === 'object' && fields[name] !== null) throw refused(400, 'Invalid SIS ID');
    const dates = datesOf(fields, 'start_at', 'end_at');
    for (const { start_at: start, end_at: end } of [dates, ...Object.values(overrides)])
      if (start && end && end < start) throw invalid('base', 'End dates cannot be before start dates');
    // Without permission, an SIS ID is ignored.
    const sis =
      hasRight(request, world.rootAccount, 'manage_sis') && text(fields, name) !== null
        ? sisIdOf(request, world, fields, name, term, world.terms.by.sis)
        : undefined;
    const patch = {
      ...('name' in fields ? { name: text(fields, 'name') ?? term?.name ?? '' } : {}),
      ...dates,
    };
    return { patch, overrides, sis };
  }
}

/** Finds the account with this number if it is the given one or below it. @throws ApiError 404 */
function belowOrSelf(world: World, top: Account, given: string | null): Account {
  if (given === null || Number(given) === top.id) return top;
  const found = world.accounts.get(Number(given));
  const isBelow = found?.workflow_state === 'active' && world.accountTree(top.id).includes(found.id);
  if (!isBelow) throw notFound();
  return found;
}

/** Reads the quotas that a request sets. @throws ApiError 400 unless they are whole numbers of at least 0 */
function quotasOf(fields: Params): AccountQuotas {
  const quotas: AccountQuotas = {};
  for (const name of QUOTAS) {
    if (!(name in fields)) continue;
    const given = text(fields, name)?.trim() ?? '';
    if (!/^[+-]?\d+$/.test(given)) throw invalid(name, 'An integer value is required');
    const quota = Number(given);
    if (quota < 0) throw invalid(name, 'Value must be positive');
    if (quota >= 2 ** 62 / 2 ** 20) throw invalid(name, 'Value too large');
    quotas[name] = quota;
  }
  return quotas;
}

const QUOTAS = [
  'default_storage_quota_mb',
  'default_user_storage_quota_mb',
  'default_group_storage_quota_mb',
] as const;

/** Reads the dates of a term by enrolment type. @throws ApiError 400 for a type that has none */
function overridesOf(fields: Params): Term['overrides'] {
  const overrides: Term['overrides'] = {};
  for (const [name, dates] of Object.entries(nested(fields, 'overrides') ?? {})) {
    const type = name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!OVERRIDABLE.has(type)) throw refused(400, 'Invalid enrollment type in overrides');
    overrides[type] = {
      start_at: null,
      end_at: null,
      ...datesOf(isParams(dates) ? dates : {}, 'start_at', 'end_at'),
    };
  }
  return overrides;
}

const OVERRIDABLE = new Set(['StudentEnrollment', 'TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment']);

/** @throws ApiError 401 for the root account, and without permission */
function checkAccountSis(request: FastifyRequest, account: Account): void {
  const { world } = currentCaller(request);
  const refusal =
    account.parent_account_id === null
      ? 'Cannot set sis_account_id on a root_account.'
      : 'To change sis_account_id the user must have manage_sis permission.';
  if (account.parent_account_id !== null && hasRight(request, world.rootAccount, 'manage_sis')) return;
  throw new ApiError(401, invalid('unauthorized', refusal).body);
}

/**
 * Returns the SIS ID that a request writes, or undefined if it writes none.
 * @throws ApiError 401 without permission, 400 when it is in use.
 */
export function sisIdOf<T extends object>(
  request: FastifyRequest,
  world: World,
  fields: Params,
  name: string,
  row: T | null,
  index: { get(key: string | null): T | undefined },
): string | null | undefined {
  if (!(name in fields)) return undefined;
  if (!hasRight(request, world.rootAccount, 'manage_sis')) {
    throw new ApiError(401, { message: 'You must have manage_sis permission to update sis attributes' });
  }
  const sis = text(fields, name) || null;
  const holder = index.get(sis);
  if (sis !== null && holder && holder !== row) throw sisIdInUse(sis);
  return sis;
}

/** Reads the times in the given fields; an invalid value clears its field. */
export function datesOf<N extends string>(fields: Params, ...names: N[]): Partial<Record<N, string | null>> {
  const dates: Partial<Record<N, string | null>> = {};
  for (const name of names) {
    if (!(name in fields)) continue;
    const ms = Date.parse(text(fields, name) ?? '');
    dates[name] = Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
  }
  return dates;
}

/** Returns a 400 for text of more than 255 characters. */
export function tooLong(name: string): ApiError {
  return invalid(name, 'is too long (maximum is 255 characters)', 'too_long');
}

/** Returns a 400 for an SIS ID that another object has. */
export function sisIdInUse(sis: string): ApiError {
  return invalid('sis_source_id', `SIS ID "${sis}" is already in use`);
}
