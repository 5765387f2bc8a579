/** Who observes whom, across courses: links, not single observer enrolments (User Observees of the API documentation). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { currentUser, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { findUser } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import type { User, UserObserver } from '../store/model.ts';
import { avatarUrl, userOf } from './json/users.ts';
import { compareNames, includesOf, pathParam } from './lists.ts';

export function observerRoutes({ world }: SandboxContext): FastifyPluginAsync {
  /** The person of the path; one's own links may be read by everybody, others' by administrators. */
  const subject = (request: FastifyRequest): User => {
    const user = findUser(request, pathParam(request, 'user_id'));
    if (user.id !== currentUser(request).id) requireRight(request, world.rootAccount, 'read_roster');
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
  };
}
