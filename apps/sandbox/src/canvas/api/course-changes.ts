/** Courses that a person creates, changes, publishes, concludes and deletes (reference §6.4, §10). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, list, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { zoneNamed } from '../../http/time-zones.ts';
import { currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { checkDates, invalid, notFound, refused } from '../http/errors.ts';
import { findAccount, findCourse, findTerm } from '../http/find.ts';
import { lookupAccount, lookupCourse, lookupTerm } from '../http/lookup.ts';
import { viewOf } from '../http/view.ts';
import type { Account, Course, User } from '../store/model.ts';
import { followStudent } from '../store/observing.ts';
import { changeByHand, keepsSticky, STICKY } from '../store/sticky.ts';
import type { World } from '../store/world.ts';
import { type Done, inBackground } from './background.ts';
import { datesOf, sisIdInUse, sisIdOf, tooLong } from './changes.ts';
import { enroll } from './enrollment-changes.ts';
import { courseJson } from './json/courses.ts';
import { progressJson } from './json/files.ts';
import { pathParam } from './lists.ts';

export function courseChangeRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.post('/accounts/:account_id/courses', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_courses');
      const params = paramsOf(request);
      const fields = nested(params, 'course') ?? {};
      const termGiven = text(fields, 'term_id') || text(fields, 'enrollment_term_id');
      const term = termGiven ? findTerm(request, termGiven) : world.defaultTerm;
      const place = accountBelow(world, account, text(fields, 'account_id'));
      const name = nameOf(text(fields, 'name'));
      if (name.length > 255) throw tooLong('name');
      // Without permission, an SIS ID is ignored; dates are ignored unless the request restricts enrolments
      // to them.
      const sis = hasRight(request, account, 'manage_sis') ? text(fields, 'sis_course_id') || null : null;
      const passback = passbackOf(fields);
      const holder = world.courses.by.sis.get(sis);
      if (holder?.workflow_state === 'deleted' && flag(params, 'enable_sis_reactivation')) {
        world.courses.change(holder, {
          workflow_state: flag(params, 'offer') ? 'available' : 'claimed',
          ...(place === account ? {} : { account_id: place.id }),
        });
        if (text(params, 'enroll_me') === 'true') teach(world, currentUser(request), holder);
        return courseJson(viewOf(request, holder), holder);
      }
      if (holder) throw sisIdInUse(sis ?? '');
      const restricted = flag(fields, 'restrict_enrollments_to_course_dates');
      const dates = restricted ? datesOf(fields, 'start_at', 'end_at', 'conclude_at') : {};
      checkDates('conclude_at', dates.start_at, dates.end_at ?? dates.conclude_at);
      const course = world.courses.add({
        ...BLANK_COURSE,
        account_id: place.id,
        enrollment_term_id: term.id,
        restrict_enrollments_to_course_dates: restricted,
        name,
        course_code: text(fields, 'course_code') || codeOf(name),
        workflow_state: flag(params, 'offer') ? 'available' : 'claimed',
        sis_source_id: sis,
        integration_id: text(fields, 'integration_id') || null,
        time_zone: zoneNamed(text(fields, 'time_zone') ?? '') ?? account.default_time_zone,
        start_at: dates.start_at ?? null,
        conclude_at: dates.end_at ?? dates.conclude_at ?? null,
        grade_passback_setting: passback ?? null,
      });
      if (text(params, 'enroll_me') === 'true') teach(world, currentUser(request), course);
      return courseJson(viewOf(request, course), course);
    });

    app.put('/courses/:id', (request) => {
      const params = paramsOf(request);
      const fields = nested(params, 'course') ?? {};
      const event = flag(params, 'offer') ? 'offer' : text(fields, 'event');
      // Only a deleted course can be restored; any other is not found.
      const course = findCourse(request, pathParam(request, 'id'), { deletedToo: event === 'undelete' });
      requireRight(request, course, 'manage_courses');
      writeCourse(request, world, course, fields, event);
      return courseJson(viewOf(request, course), course);
    });

    app.put('/accounts/:account_id/courses', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_courses');
      const params = paramsOf(request);
      if (!Array.isArray(params['course_ids'])) throw refused(400, 'must specify course_ids[]');
      const ids = list(params, 'course_ids');
      if (ids.length > MOST_AT_ONCE) throw refused(403, 'course batch size limit (500) exceeded');
      const event = text(params, 'event');
      if (event === null) throw refused(400, 'need to specify event');
      if (!AT_ONCE.has(event)) throw refused(400, 'invalid event');
      const courses = ids.flatMap((id) => lookupCourse(world, id) ?? []);
      const { id: user_id } = currentUser(request);
      const about = { context_id: account.id, context_type: 'Account', user_id } as const;
      return progressJson(
        request,
        inBackground(world, { ...about, tag: 'course_batch_update' }, () =>
          changeAll(world, account, courses, event),
        ),
      );
    });

    app.delete('/courses/:id', (request) => {
      const course = findCourse(request, pathParam(request, 'id'), { deletedToo: true });
      const event = text(paramsOf(request), 'event');
      // Canvas reports this error before it checks the caller's permissions.
      if (event !== 'delete' && event !== 'conclude')
        throw refused(400, 'Only "delete" and "conclude" events are allowed.');
      if (course.workflow_state === 'deleted') throw notFound();
      requireRight(request, course, 'manage_courses');
      if (event === 'delete') deleteCourse(world, course);
      else changeByHand(world.courses, course, { workflow_state: 'completed' }, STICKY.course);
      return { [event]: true };
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

/** @throws ApiError 400, and 404 for a term or account that does not exist */
function writeCourse(
  request: FastifyRequest,
  world: World,
  course: Course,
  fields: Params,
  event: string | null,
): void {
  if (event !== null && Object.keys(fields).every((name) => name === 'event')) {
    applyEvent(world, course, event);
    return;
  }
  const patch: Partial<Course> = {};
  for (const name of ['name', 'course_code'] as const) {
    const value = text(fields, name);
    if (value === null) continue;
    if (value.length > 255) throw tooLong(name);
    patch[name] = value;
  }
  if ('name' in patch) patch.name = nameOf(patch.name ?? null);
  if (patch.course_code === '') patch.course_code = codeOf(patch.name ?? course.name);
  const passback = passbackOf(fields);
  if (passback !== undefined) patch.grade_passback_setting = passback;
  Object.assign(patch, datesOf(fields, 'start_at', 'conclude_at'));
  if ('end_at' in fields) patch.conclude_at = datesOf(fields, 'end_at').end_at ?? null;
  if ('restrict_enrollments_to_course_dates' in fields) {
    patch.restrict_enrollments_to_course_dates = flag(fields, 'restrict_enrollments_to_course_dates');
  }
  // Only administrators move a course to another term or account.
  if (hasRight(request, world.accounts.must(course.account_id), 'manage_courses')) {
    const term = text(fields, 'enrollment_term_id') ?? text(fields, 'term_id');
    if (term !== null) patch.enrollment_term_id = (lookupTerm(world, term) ?? fail()).id;
    const account = text(fields, 'account_id');
    if (account !== null) patch.account_id = (lookupAccount(world, account) ?? fail()).id;
  }
  const state = event === null ? course.workflow_state : stateAfter(course, event);
  if (state !== course.workflow_state) patch.workflow_state = state;
  // A course whose people are not restricted to its dates has no end, and no start until it is published.
  if (!(patch.restrict_enrollments_to_course_dates ?? course.restrict_enrollments_to_course_dates)) {
    patch.conclude_at = null;
    if (state === 'created' || state === 'claimed') patch.start_at = null;
  }
  const { start_at, conclude_at } = { ...course, ...patch };
  checkDates('conclude_at', start_at, conclude_at);
  // Without permission, an SIS ID is ignored.
  const mayManageSis = hasRight(request, world.rootAccount, 'manage_sis');
  const sis =
    mayManageSis && text(fields, 'sis_course_id') !== null
      ? sisIdOf(request, world, fields, 'sis_course_id', course, world.courses.by.sis)
      : undefined;
  if (state === 'deleted') deleteCourse(world, course);
  changeByHand(world.courses, course, patch, STICKY.course, keepsSticky(paramsOf(request)));
  if (sis !== undefined) world.courses.change(course, { sis_source_id: sis });
  if (event === 'offer') inviteTheWaiting(world, course);
}

/** @throws ApiError 400 for an event that does not exist, or not in this state */
function applyEvent(world: World, course: Course, event: string): void {
  const state = stateAfter(course, event);
  if (state === 'deleted') deleteCourse(world, course);
  else changeByHand(world.courses, course, { workflow_state: state }, STICKY.course);
  if (event === 'offer') inviteTheWaiting(world, course);
}

/** Maximum number of courses in one request. */
const MOST_AT_ONCE = 500;
/** Events that can be applied to many courses in one request. */
const AT_ONCE: ReadonlySet<string> = new Set(['offer', 'conclude', 'delete', 'undelete']);

/**
 * Changes all courses. One course that fails does not stop the others; the message counts the changed
 * courses.
 */
function changeAll(world: World, account: Account, courses: readonly Course[], event: string): Done {
  const here = new Set(world.accountTree(account.id));
  const unknown: number[] = [];
  for (const course of courses) {
    const isGone = course.workflow_state === 'deleted' && event !== 'undelete';
    if (isGone || !here.has(course.account_id)) unknown.push(course.id);
    else if (EVENTS[course.workflow_state][event] !== undefined) applyEvent(world, course, event);
  }
  const count = courses.length - unknown.length;
  const done = count === 1 ? '1 course processed' : `${count} courses processed`;
  const missing = unknown.length > 0 ? `\nThe course was not found: ${unknown.join(', ')}` : '';
  return count > 0 ? { results: null, message: done + missing } : done + missing;
}

function nameOf(given: string | null): string {
  return given?.trim() ? given : 'Unnamed Course';
}

/** Guesses a course code as Canvas does: the first word of the name, and the next one with a digit. */
function codeOf(name: string): string {
  const [first = '', ...others] = name.split(/\s/);
  const numbered = others.find((word) => /\d/.test(word));
  return numbered === undefined ? first : `${first} ${numbered}`;
}

/** Finds the account with this number below the given one. @throws ApiError 404 */
function accountBelow(world: World, account: Account, given: string | null): Account {
  if (given === null || Number(given) === account.id) return account;
  const found = world.accounts.get(Number(given));
  const isBelow = found?.workflow_state === 'active' && world.accountTree(account.id).includes(found.id);
  return isBelow ? found : fail();
}

/** The events that each state allows, and the states that they lead to. */
const EVENTS: Readonly<Record<Course['workflow_state'], Readonly<Record<string, Course['workflow_state']>>>> =
  {
    created: { claim: 'claimed', offer: 'available', conclude: 'completed', delete: 'deleted' },
    claimed: { claim: 'claimed', offer: 'available', conclude: 'completed', delete: 'deleted' },
    available: { offer: 'available', claim: 'claimed', conclude: 'completed', delete: 'deleted' },
    completed: { conclude: 'completed', offer: 'available', claim: 'claimed', delete: 'deleted' },
    deleted: { delete: 'deleted', undelete: 'claimed' },
  };

/** @throws ApiError 400 for an event that does not exist, or not in this state */
function stateAfter(course: Course, event: string): Course['workflow_state'] {
  const state = EVENTS[course.workflow_state][event];
  if (state === undefined) throw invalid('workflow_state', 'is invalid', 'invalid');
  return state;
}

/** Deletes a course and its enrolments. */
function deleteCourse(world: World, course: Course): void {
  changeByHand(world.courses, course, { workflow_state: 'deleted' }, STICKY.course);
  for (const enrollment of world.enrollments.by.course.get(course.id))
    if (enrollment.workflow_state !== 'deleted')
      world.enrollments.change(enrollment, { workflow_state: 'deleted' });
}

/** Invites the people who were added to a course while it was unpublished. */
function inviteTheWaiting(world: World, course: Course): void {
  const waiting = world.enrollments.by.course
    .get(course.id)
    .filter((enrollment) => enrollment.workflow_state === 'creation_pending');
  for (const enrollment of waiting)
    followStudent(world, world.enrollments.change(enrollment, { workflow_state: 'invited' }));
}

function teach(world: World, user: User, course: Course): void {
  const role = world.roles.by.name.get('TeacherEnrollment')[0];
  if (role)
    enroll(world, user.id, world.defaultSection(course), role, {
      workflow_state: 'active',
      limit_privileges_to_course_section: false,
    });
}

/** Returns the grade passback in a request, or undefined if there is none. @throws ApiError 400 */
function passbackOf(fields: Params): string | null | undefined {
  if (!('grade_passback_setting' in fields)) return undefined;
  const given = text(fields, 'grade_passback_setting') || null;
  if (given !== null && given !== 'nightly_sync' && given !== 'disabled')
    throw invalid('grade_passback_setting', 'Invalid grade_passback_setting');
  return given;
}

function fail(): never {
  throw notFound();
}
