/** The fields of a login that a person writes, and the errors in them (reference §6.6, §9.1). */

import { type Params, text } from '../../http/params.ts';
import { ApiError, notFound } from '../http/errors.ts';
import type { Pseudonym } from '../store/model.ts';
import type { World } from '../store/world.ts';

type FieldError = { attribute: string; type: string; message: string };
export type FieldErrors = Record<string, FieldError[]>;

const LONGEST_LOGIN = 100;
const LONGEST_ID = 255;
const SHORTEST_PASSWORD = 8;
const LONGEST_PASSWORD = 255;
/** Printable characters only, as in imports (§9.1). */
const LOGIN = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
const USER_TYPES = new Set(['administrative', 'observer', 'staff', 'student', 'student_other', 'teacher']);

/** What a request writes to a login; a field that is absent stays as it is. */
export type LoginFields = Partial<
  Pick<
    Pseudonym,
    'unique_id' | 'sis_user_id' | 'integration_id' | 'authentication_provider_id' | 'declared_user_type'
  >
> & { password?: string | null };

/**
 * Collects all errors in a login. Canvas stops at the first name or ID that is in use.
 * @param self the login that is changed; null for a new one
 */
export function loginErrors(world: World, fields: LoginFields, self: Pseudonym | null): FieldErrors {
  const { pseudonyms } = world;
  const name = fields.unique_id ?? self?.unique_id ?? '';
  const provider =
    'authentication_provider_id' in fields
      ? fields.authentication_provider_id
      : (self?.authentication_provider_id ?? null);
  const isHeld = pseudonyms.by.login
    .get(name.toLowerCase())
    .some(
      (one) =>
        one !== self && one.workflow_state !== 'deleted' && one.authentication_provider_id === provider,
    );
  if (isHeld) return inUse('unique_id', 'ID already in use for this account and authentication provider');
  // IDs of deleted logins stay in use.
  const { sis_user_id: sis, integration_id: integration } = fields;
  const holder = pseudonyms.by.sis.get(sis);
  if (holder && holder !== self) return inUse('sis_user_id', `SIS ID "${sis}" is already in use`);
  const other = pseudonyms.by.integration.get(integration);
  if (other && other !== self)
    return inUse('integration_id', `Integration ID "${integration}" is already in use`);
  return formErrors(fields, name);
}

function inUse(attribute: string, message: string): FieldErrors {
  return { [attribute]: [{ attribute, type: 'taken', message }] };
}

function formErrors(fields: LoginFields, name: string): FieldErrors {
  const errors: FieldErrors = {};
  const add = (attribute: string, type: string, message: string) => {
    errors[attribute] = [...(errors[attribute] ?? []), { attribute, type, message }];
  };
  if (name.length > LONGEST_LOGIN) add('unique_id', 'too_long', tooLong(LONGEST_LOGIN));
  if (!LOGIN.test(name)) add('unique_id', 'invalid', 'is invalid');
  if (name === '') add('unique_id', 'too_short', 'is too short (minimum is 1 character)');
  for (const field of ['sis_user_id', 'integration_id'] as const)
    if ((fields[field]?.length ?? 0) > LONGEST_ID) add(field, 'too_long', tooLong(LONGEST_ID));
  const type = fields.declared_user_type ?? null;
  if (type !== null && !USER_TYPES.has(type))
    add('declared_user_type', 'inclusion', 'is not included in the list');
  const password = fields.password ?? '';
  if (password.length > LONGEST_PASSWORD) add('password', 'too_long', 'too_long');
  else if (password !== '' && password.length < SHORTEST_PASSWORD) add('password', 'too_short', 'too_short');
  return errors;
}

export function tooLong(longest: number): string {
  return `is too long (maximum is ${longest} characters)`;
}

/** Finds the authentication provider of a request, by its number or type. @throws ApiError 404 */
export function providerOf(world: World, fields: Params): number | undefined {
  const given = text(fields, 'authentication_provider_id');
  if (given === null) return undefined;
  const found = [...world.authenticationProviders.values()].find(
    (one) => one.workflow_state === 'active' && (String(one.id) === given || one.auth_type === given),
  );
  if (!found) throw notFound();
  return found.id;
}

/** @throws ApiError 400 when there are errors */
export function mustBeRight(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw new ApiError(400, { errors });
}
