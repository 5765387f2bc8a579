/**
 * Observers and their students across courses, as opposed to single enrolments (User Observees in the API
 * documentation).
 */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { currentUser, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import { findUser } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import { LIVE } from '../store/enrollment-rules.ts';
import type { User, UserObserver } from '../store/model.ts';
import { enroll } from './enrollment-changes.ts';
import { avatarUrl, userOf } from './json/users.ts';
import { compareNames, includesOf, pathParam } from './lists.ts';

export function observerRoutes({ world }: SandboxContext): FastifyPluginAsync {
  /** The person in the path. Everyone may read their own links, and administrators those of others. */
  const subject = (request: FastifyRequest): User => {
    const user = findUser(request, pathParam(request, 'user_id'));
    if (user.id !== currentUser(request).id)
      requireRight(request, world.rootAccount, 'manage_user_observers');
    return user;
  };

  const shown = (request: FastifyRequest, ids: readonly number[]) => {
    const view = viewOf(request, world.rootAccount);
    const includes = includesOf(request);
    return ids
      .flatMap((id) => world.users.get(id) ?? [])
      .filter((user) => user.workflow_state !== 'deleted')
      .sort((a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id)
      .map((user) => ({
        ...userOf(view, user),
        ...(includes.has('avatar_url') ? { avatar_url: avatarUrl(view, user) } : {}),
        observation_link_root_account_ids: [world.rootAccount.id],
      }));
  };

  /** The link between an observer and a student, in any state. */
  const linkOf = (observer: User, student: User): UserObserver | undefined =>
    world.userObservers.by.student.get(student.id).find((link) => link.observer_id === observer.id);

  /** @throws ApiError 404 without an active link */
  const mustObserve = (observer: User, student: User): UserObserver => {
    const link = linkOf(observer, student);
    if (link?.workflow_state !== 'active') throw notFound();
    return link;
  };

  /** Enrols an observer in the student's courses and sections, for as long as the link is active. */
  const enrolWith = (observer: User, student: User): void => {
    const role = world.roles.by.name.get('ObserverEnrollment')[0];
    if (!role) return;
    for (const own of world.enrollments.by.user.get(student.id).slice()) {
      if (own.type !== 'StudentEnrollment' || !LIVE.has(own.workflow_state)) continue;
      enroll(world, observer.id, world.sections.must(own.course_section_id), role, {
        workflow_state: own.workflow_state,
        limit_privileges_to_course_section: false,
        associated_user_id: student.id,
      });
    }
  };

  const live = (links: readonly UserObserver[]) => links.filter((link) => link.workflow_state !== 'deleted');

  return async (app) => {
    app.get('/users/:user_id/observers', (request, reply) => {
      const links = live([...world.userObservers.by.student.get(subject(request).id)]);
      return paginate(
        request,
        reply,
        shown(
          request,
          links.map((link) => link.observer_id),
        ),
      );
    });

    app.get('/users/:user_id/observees', (request, reply) => {
      const user = subject(request);
      const links = live([...world.userObservers.values()].filter((link) => link.observer_id === user.id));
      return paginate(
        request,
        reply,
        shown(
          request,
          links.map((link) => link.user_id),
        ),
      );
    });

    app.get('/users/:user_id/observers/:other_id', (request) => {
      const student = subject(request);
      const observer = findUser(request, pathParam(request, 'other_id'));
      mustObserve(observer, student);
      return shown(request, [observer.id])[0];
    });

    const observees = '/users/:user_id/observees/:other_id';
    app.get(observees, (request) => {
      const observer = subject(request);
      const student = findUser(request, pathParam(request, 'other_id'));
      mustObserve(observer, student);
      return shown(request, [student.id])[0];
    });

    app.put(observees, (request) => {
      const observer = findUser(request, pathParam(request, 'user_id'));
      requireRight(request, world.rootAccount, 'manage_user_observers');
      const student = findUser(request, pathParam(request, 'other_id'));
      const link = linkOf(observer, student);
      if (link) world.userObservers.change(link, { workflow_state: 'active' });
      else
        world.userObservers.add({
          observer_id: observer.id,
          user_id: student.id,
          workflow_state: 'active',
          sis_batch_id: null,
        });
      enrolWith(observer, student);
      return shown(request, [student.id])[0];
    });

    app.delete(observees, (request) => {
      const observer = subject(request);
      const student = findUser(request, pathParam(request, 'other_id'));
      world.userObservers.change(mustObserve(observer, student), { workflow_state: 'deleted' });
      for (const own of world.enrollments.by.user.get(observer.id).slice())
        if (own.associated_user_id === student.id && own.workflow_state !== 'deleted')
          world.enrollments.change(own, { workflow_state: 'deleted' });
      return shown(request, [student.id])[0];
    });
  };
}
