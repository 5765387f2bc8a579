/**
 * Accounts and terms that a person changes in Canvas through the API. A changed field becomes sticky: later imports
 * leave it alone (reference §10).
 */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { isParams, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { zoneNamed } from '../../http/time-zones.ts';
import { currentCaller, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, invalid, missing, refused } from '../http/errors.ts';
import { findAccount, findTerm } from '../http/find.ts';
import { viewOf } from '../http/view.ts';
import type { Account, Term } from '../store/model.ts';
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
      const patch = {
        ...(name === null ? {} : { name }),
        ...(zone ? { default_time_zone: zoneNamed(zone) ?? zone } : {}),
      };
      changeByHand(world.accounts, account, patch, STICKY.account, keepsSticky(params));
      if (sis !== undefined) world.accounts.change(account, { sis_source_id: sis });
      return accountJson(viewOf(request, account), account);
    });

    app.post('/accounts/:account_id/sub_accounts', (request) => {
      const parent = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, parent, 'manage_account_settings');
      const fields = nested(paramsOf(request), 'account') ?? {};
      const name = text(fields, 'name')?.trim() ?? '';
      if (name === '') throw invalid('name', "can't be blank", 'blank');
      const account = world.accounts.add({
        name,
        workflow_state: 'active',
        parent_account_id: parent.id,
        sis_source_id: sisIdOf(request, world, fields, 'sis_account_id', null, world.accounts.by.sis) ?? null,
        integration_id: null,
        default_time_zone: parent.default_time_zone,
        allow_sis_import: false,
        sis_batch_id: null,
        stuck_sis_fields: null,
      });
      return accountJson(viewOf(request, account), account);
    });

    app.put('/accounts/:account_id/terms/:id', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_account_settings');
      const term = findTerm(request, pathParam(request, 'id'));
      const params = paramsOf(request);
      const fields = nested(params, 'enrollment_term');
      if (!fields || Object.keys(fields).length === 0) throw missing('enrollment_term');
      const overrides = overridesOf(fields);
      const dates = datesOf(fields, 'start_at', 'end_at');
      for (const { start_at: start, end_at: end } of [dates, ...Object.values(overrides)])
        if (start && end && end < start) throw invalid('base', 'End dates cannot be before start dates');
      // Without permission, an SIS ID is ignored.
      const sis =
        hasRight(request, world.rootAccount, 'manage_sis') && text(fields, 'sis_term_id') !== null
          ? sisIdOf(request, world, fields, 'sis_term_id', term, world.terms.by.sis)
          : undefined;
      const patch = {
        ...('name' in fields ? { name: text(fields, 'name') ?? term.name } : {}),
        ...dates,
      };
      changeByHand(world.terms, term, patch, STICKY.term, keepsSticky(params));
      world.terms.change(term, {
        overrides: { ...term.overrides, ...overrides },
        ...(sis === undefined ? {} : { sis_source_id: sis }),
      });
      return termJson(viewOf(request, account), term, true);
    });
  };
}

/** A term's dates by enrolment type. @throws ApiError 400 for a type that cannot have any */
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
 * The SIS ID that a request writes; undefined: none. @throws ApiError 401 without permission, 400 when it is
 * in use.
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

/** The times in the given fields; an invalid value clears its field. */
export function datesOf<N extends string>(fields: Params, ...names: N[]): Partial<Record<N, string | null>> {
  const dates: Partial<Record<N, string | null>> = {};
  for (const name of names) {
    if (!(name in fields)) continue;
    const ms = Date.parse(text(fields, name) ?? '');
    dates[name] = Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
  }
  return dates;
}

/** 400 for text of more than 255 characters. */
export function tooLong(name: string): ApiError {
  return invalid(name, 'is too long (maximum is 255 characters)', 'too_long');
}

/** 400 for an SIS ID that another object has. */
export function sisIdInUse(sis: string): ApiError {
  return invalid('sis_source_id', `SIS ID "${sis}" is already in use`);
}
