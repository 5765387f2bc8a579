/**
 * Changes that a person makes in Canvas through the API: accounts, terms, courses, users. What is
 * changed here becomes sticky: a later import leaves it alone (reference §10).
 */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, forbidden, invalid, missing, notFound } from '../http/errors.ts';
import { findAccount, findCourse, findTerm, findUser } from '../http/find.ts';
import { lookupAccount, lookupTerm } from '../http/lookup.ts';
import { viewOf } from '../http/view.ts';
import type { Course, User } from '../store/model.ts';
import { changeByHand, STICKY } from '../store/sticky.ts';
import type { World } from '../store/world.ts';
import { accountJson, termJson } from './json/accounts.ts';
import { courseJson } from './json/courses.ts';
import { userOf } from './json/users.ts';
import { pathParam } from './lists.ts';

export function changeRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.put('/accounts/:id', (request) => {
      const account = findAccount(request, pathParam(request, 'id'));
      requireRight(request, account, 'manage_account_settings');
      const fields = nested(paramsOf(request), 'account') ?? {};
      const name = text(fields, 'name');
      if (name !== null) changeByHand(world.accounts, account, { name }, STICKY.account);
      const sis = sisIdOf(request, world, fields, 'sis_account_id', account, world.accounts.by.sis);
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
      const fields = nested(paramsOf(request), 'enrollment_term') ?? {};
      const patch = {
        ...('name' in fields ? { name: text(fields, 'name') ?? term.name } : {}),
        ...datesOf(fields, 'start_at', 'end_at'),
      };
      changeByHand(world.terms, term, patch, STICKY.term);
      return termJson(viewOf(request, account), term, true);
    });

    app.post('/accounts/:account_id/courses', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_courses');
      const params = paramsOf(request);
      const fields = nested(params, 'course') ?? {};
      const term = lookupTerm(world, text(fields, 'term_id') ?? 'default');
      const name = text(fields, 'name') ?? 'Unnamed Course';
      if (name.length > 255) throw tooLong('name');
      const sis = text(fields, 'sis_course_id') || null;
      if (sis !== null && !hasRight(request, account, 'manage_sis')) throw forbidden();
      if (world.courses.by.sis.get(sis)) throw sisIdInUse(sis ?? '');
      const course = world.courses.add({
        ...BLANK_COURSE,
        account_id: account.id,
        enrollment_term_id: term?.id ?? world.defaultTerm.id,
        name,
        course_code: text(fields, 'course_code') ?? name.slice(0, 20),
        workflow_state: flag(params, 'offer') ? 'available' : 'claimed',
        sis_source_id: sis,
        integration_id: text(fields, 'integration_id') || null,
        time_zone: text(fields, 'time_zone') ?? account.default_time_zone,
        ...datesOf(fields, 'start_at'),
        conclude_at: datesOf(fields, 'end_at').end_at ?? null,
      });
      return courseJson(viewOf(request, course), course);
    });

    app.put('/courses/:id', (request) => {
      const course = findCourse(request, pathParam(request, 'id'));
      requireRight(request, course, 'manage_courses');
      const params = paramsOf(request);
      writeCourse(request, world, course, nested(params, 'course') ?? {}, flag(params, 'offer'));
      return courseJson(viewOf(request, course), course);
    });

    app.delete('/courses/:id', (request) => {
      const course = findCourse(request, pathParam(request, 'id'));
      requireRight(request, course, 'manage_courses');
      const event = text(paramsOf(request), 'event');
      if (event === 'conclude') {
        changeByHand(world.courses, course, { workflow_state: 'completed' }, STICKY.course);
        return { conclude: true };
      }
      if (event !== 'delete') throw missing('event');
      changeByHand(world.courses, course, { workflow_state: 'deleted' }, STICKY.course);
      for (const enrollment of world.enrollments.by.course.get(course.id)) {
        if (enrollment.workflow_state !== 'deleted') {
          world.enrollments.change(enrollment, { workflow_state: 'deleted' });
        }
      }
      return { delete: true };
    });

    app.put('/users/:id', (request) => {
      const user = findUser(request, pathParam(request, 'id'));
      const isSelf = user.id === currentUser(request).id;
      if (!isSelf) requireRight(request, world.rootAccount, 'manage_user_logins');
      const fields = nested(paramsOf(request), 'user') ?? {};
      const patch: Partial<Pick<User, 'name' | 'short_name' | 'sortable_name' | 'pronouns'>> = {};
      for (const name of ['name', 'short_name', 'sortable_name'] as const) {
        const value = text(fields, name);
        if (value === null) continue;
        if (value.length > 255) throw tooLong(name);
        patch[name] = value;
      }
      if ('pronouns' in fields) patch.pronouns = text(fields, 'pronouns') || null;
      changeByHand(world.users, user, patch, STICKY.user);
      const timeZone = text(fields, 'time_zone');
      if (timeZone !== null) world.users.change(user, { time_zone: timeZone });
      return userOf(viewOf(request, world.rootAccount), user);
    });
  };
}

const BLANK_COURSE = {
  integration_id: null,
  start_at: null,
  conclude_at: null,
  restrict_enrollments_to_course_dates: false,
  course_format: null,
  grade_passback_setting: null,
  homeroom_course: false,
  friendly_name: null,
  abstract_course_id: null,
  blueprint: false,
  blueprint_course_id: null,
  template_course_id: null,
  sis_batch_id: null,
  stuck_sis_fields: null,
} as const;

function writeCourse(
  request: FastifyRequest,
  world: World,
  course: Course,
  fields: Params,
  offer: boolean,
): void {
  const patch: Partial<Course> = {};
  for (const name of ['name', 'course_code'] as const) {
    const value = text(fields, name);
    if (value === null) continue;
    if (value.length > 255) throw tooLong(name);
    patch[name] = value;
  }
  if ('grade_passback_setting' in fields) {
    patch.grade_passback_setting = text(fields, 'grade_passback_setting') || null;
  }
  Object.assign(patch, datesOf(fields, 'start_at'));
  if ('end_at' in fields) patch.conclude_at = datesOf(fields, 'end_at').end_at ?? null;
  if ('restrict_enrollments_to_course_dates' in fields) {
    patch.restrict_enrollments_to_course_dates = flag(fields, 'restrict_enrollments_to_course_dates');
  }
  const event = text(fields, 'event');
  if (offer || event === 'offer') patch.workflow_state = 'available';
  else if (event === 'claim') patch.workflow_state = 'claimed';
  else if (event === 'conclude') patch.workflow_state = 'completed';
  else if (event === 'undelete') patch.workflow_state = 'claimed';
  const term = text(fields, 'term_id');
  if (term !== null) patch.enrollment_term_id = (lookupTerm(world, term) ?? fail()).id;
  const account = text(fields, 'account_id');
  if (account !== null) patch.account_id = (lookupAccount(world, account) ?? fail()).id;
  const sis = sisIdOf(request, world, fields, 'sis_course_id', course, world.courses.by.sis);
  changeByHand(world.courses, course, patch, STICKY.course);
  if (sis !== undefined) world.courses.change(course, { sis_source_id: sis });
}

/** The SIS ID a request writes; undefined = none. @throws ApiError 401 without the right, 400 when taken. */
function sisIdOf<T extends object>(
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

/** Moments of fields that are given; what is none empties its field. */
export function datesOf<N extends string>(fields: Params, ...names: N[]): Partial<Record<N, string | null>> {
  const dates: Partial<Record<N, string | null>> = {};
  for (const name of names) {
    if (!(name in fields)) continue;
    const ms = Date.parse(text(fields, name) ?? '');
    dates[name] = Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
  }
  return dates;
}

function tooLong(name: string): ApiError {
  return invalid(name, 'is too long (maximum is 255 characters)', 'too_long');
}

function sisIdInUse(sis: string): ApiError {
  return invalid('sis_source_id', `SIS ID "${sis}" is already in use`);
}

function fail(): never {
  throw notFound();
}
