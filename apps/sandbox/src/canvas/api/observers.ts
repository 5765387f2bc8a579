/**
 * Observers and their students across courses, as opposed to single enrolments (User Observees in the API
 * documentation).
 */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { nested, paramsOf, text } from '../../http/params.ts';
import { currentUser, requireRight, tokenInUse } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, invalid, notFound } from '../http/errors.ts';
import { findUser } from '../http/find.ts';
import { liveLogin } from '../http/lookup.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import type { TokenStore } from '../oauth/tokens.ts';
import { leaveGroupsOf } from '../store/group-rules.ts';
import type { User, UserObserver } from '../store/model.ts';
import { enrolObserver } from '../store/observing.ts';
import { addUserIncludes, userOf } from './json/users.ts';
import { compareNames, includesOf, pathParam } from './lists.ts';

const NONE: ReadonlySet<string> = new Set();

export function observerRoutes({ world }: SandboxContext, tokens: TokenStore): FastifyPluginAsync {
  /** Finds the person in the path. Everyone can read their own links, administrators those of others. */
  const subject = (request: FastifyRequest): User => {
    const user = findUser(request, pathParam(request, 'user_id'));
    if (user.id !== currentUser(request).id)
      requireRight(request, world.rootAccount, 'manage_user_observers');
    return user;
  };

  const shown = (request: FastifyRequest, user: User, includes = NONE, accounts = [world.rootAccount.id]) => {
    const view = viewOf(request, world.rootAccount);
    const json = userOf(view, user);
    addUserIncludes(view, json, user, includes);
    return { ...json, observation_link_root_account_ids: accounts };
  };

  /** Returns a page of people in the order of their names. */
  const listed = (request: FastifyRequest, reply: Parameters<typeof paginate>[1], ids: readonly number[]) => {
    const users = ids
      .flatMap((id) => world.users.get(id) ?? [])
      .filter((user) => user.workflow_state !== 'deleted')
      .sort((a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id);
    const includes = includesOf(request);
    return paginate(request, reply, users).map((user) => shown(request, user, includes));
  };

  const live = (links: readonly UserObserver[]) => links.filter((link) => link.workflow_state !== 'deleted');

  /** Finds the link between an observer and a student, in any state. */
  const linkOf = (observer: User, student: User): UserObserver | undefined =>
    world.userObservers.by.student.get(student.id).find((link) => link.observer_id === observer.id);

  /** @throws ApiError 404 without an active link */
  const mustObserve = (observer: User, student: User): UserObserver => {
    const link = linkOf(observer, student);
    if (link?.workflow_state !== 'active') throw notFound();
    return link;
  };

  /** Links an observer with a student: the observer is enrolled in the student's courses and sections. */
  const link = (observer: User, student: User): void => {
    if (observer === student) throw invalid('observer_id', 'Cannot observe yourself');
    const held = linkOf(observer, student);
    if (held) world.userObservers.change(held, { workflow_state: 'active' });
    else
      world.userObservers.add({
        observer_id: observer.id,
        user_id: student.id,
        workflow_state: 'active',
        sis_batch_id: null,
      });
    for (const own of world.enrollments.by.user.get(student.id).slice())
      if (own.type === 'StudentEnrollment' && !ENDED.has(own.workflow_state))
        enrolObserver(world, observer.id, own);
  };

  const unlink = (observer: User, student: User): void => {
    world.userObservers.change(mustObserve(observer, student), { workflow_state: 'deleted' });
    for (const own of world.enrollments.by.user.get(observer.id).slice()) {
      if (own.associated_user_id !== student.id || own.workflow_state === 'deleted') continue;
      world.enrollments.change(own, { workflow_state: 'deleted' });
      leaveGroupsOf(world, { id: own.course_id }, observer.id, (membership) =>
        world.groupMemberships.change(membership, { workflow_state: 'deleted' }),
      );
    }
  };

  /** Finds the student whose token or credentials a request contains. @throws ApiError 422, 401 */
  const studentByCredentials = (request: FastifyRequest): User => {
    const params = paramsOf(request);
    const token = text(params, 'access_token');
    if (token !== null) return owner(token);
    if (text(params, 'pairing_code') !== null) throw refusal(422, 'Invalid pairing code.');
    const observee = nested(params, 'observee') ?? {};
    const login = liveLogin(world, text(observee, 'unique_id') ?? '');
    const student = world.users.get(login?.workflow_state === 'active' ? login.user_id : undefined);
    if (!student) throw refusal(422, 'Unknown observee.');
    // People of the practice school have no passwords: any password is accepted.
    if (!text(observee, 'password')) throw refusal(401, 'Invalid credentials provided.');
    return student;
  };

  const owner = (token: string): User => {
    try {
      return tokenInUse(token, world, tokens).user;
    } catch {
      throw refusal(422, 'Unknown observee.');
    }
  };

  return async (app) => {
    app.get('/users/:user_id/observers', (request, reply) => {
      const links = live(world.userObservers.by.student.get(subject(request).id));
      return listed(
        request,
        reply,
        links.map((one) => one.observer_id),
      );
    });

    app.get('/users/:user_id/observees', (request, reply) => {
      const links = live(world.userObservers.by.observer.get(subject(request).id));
      return listed(
        request,
        reply,
        links.map((one) => one.user_id),
      );
    });

    app.post('/users/:user_id/observees', (request) => {
      const observer = subject(request);
      const student = studentByCredentials(request);
      link(observer, student);
      return shown(request, student);
    });

    app.get('/users/:user_id/observers/:other_id', (request) => {
      const student = subject(request);
      const observer = findUser(request, pathParam(request, 'other_id'));
      mustObserve(observer, student);
      return shown(request, observer);
    });

    const observees = '/users/:user_id/observees/:other_id';
    app.get(observees, (request) => {
      const observer = subject(request);
      const student = findUser(request, pathParam(request, 'other_id'));
      mustObserve(observer, student);
      return shown(request, student);
    });

    app.put(observees, (request) => {
      const observer = findUser(request, pathParam(request, 'user_id'));
      const student = findUser(request, pathParam(request, 'other_id'));
      // People without a login in this account are unknown.
      if ([observer, student].some(({ id }) => world.loginsOf(id).length === 0)) throw notFound();
      requireRight(request, world.rootAccount, 'manage_user_observers');
      link(observer, student);
      return shown(request, student);
    });

    app.delete(observees, (request) => {
      const observer = subject(request);
      const student = findUser(request, pathParam(request, 'other_id'));
      unlink(observer, student);
      return shown(request, student, NONE, []);
    });
  };
}

/** States of a student's enrolment in which a new observer is not enrolled with them. */
const ENDED: ReadonlySet<string> = new Set(['rejected', 'completed', 'deleted']);

function refusal(status: number, message: string): ApiError {
  return new ApiError(status, { errors: [{ message }] });
}
