/** Users, their settings, and scheduling privileges (Zoom reference §6). */

import type { FastifyPluginAsync } from 'fastify';
import { isParams, type Params, text } from '../../http/params.ts';
import { baseUrl } from '../../http/urls.ts';
import type { Guard } from '../http/calls.ts';
import type { ZoomContext } from '../http/context.ts';
import { invalidFields, noPrivilege, notAnObject, noUser } from '../http/errors.ts';
import { pageOf } from '../http/paging.ts';
import type { Member, UserStatus } from '../store/model.ts';
import { zoomTime } from '../store/time.ts';
import { isLicensed, isMember, memberAt, userAt } from './people.ts';
import { listedUser, roleIdOf, wholeUser } from './user-json.ts';
import { securityOf, settingsOf } from './user-settings.ts';

const STATUSES: readonly UserStatus[] = ['active', 'inactive', 'pending'];

type ByUser = { Params: { user: string } };
type ByTwo = { Params: { user: string; other: string } };

export function userRoutes({ store, now }: ZoomContext, guard: Guard): FastifyPluginAsync {
  return async (app) => {
    app.get('/users', guard('user:read:list_users:admin', 'Medium'), (request) => {
      const query = request.query as Params;
      const status = text(query, 'status') ?? 'active';
      if (!STATUSES.some((known) => known === status)) throw invalidFields(['status']);
      const role = text(query, 'role_id');
      const users = store
        .users()
        .filter((user) => user.status === status && (role === null || roleIdOf(user) === role));
      const { items, ...page } = pageOf(request, users, now());
      return { ...page, users: items.map(listedUser) };
    });

    app.get<ByUser>('/users/:user', guard('user:read:user:admin', 'Light'), (request) =>
      wholeUser(userAt(store, request.params.user), baseUrl(request)),
    );

    app.get<ByUser>('/users/:user/settings', guard('user:read:settings:admin', 'Medium'), (request) => {
      const user = memberAt(store, request.params.user);
      const option = text(request.query as Params, 'option');
      return option === 'meeting_security' ? securityOf(user) : settingsOf(user);
    });

    app.get<ByUser>(
      '/users/:user/schedulers',
      guard('user:read:list_schedulers:admin', 'Medium'),
      (request) => {
        const { id } = memberAt(store, request.params.user);
        return { schedulers: store.schedulersOf(id).map(inPrivilege) };
      },
    );

    app.get<ByUser>(
      '/users/:user/assistants',
      guard('user:read:list_assistants:admin', 'Medium'),
      (request) => {
        const { assistants } = memberAt(store, request.params.user);
        return {
          assistants: assistants
            .map((id) => store.user(id))
            .filter(isMember)
            .map(inPrivilege),
        };
      },
    );

    app.post<ByUser>(
      '/users/:user/assistants',
      guard('user:write:assistant:admin', 'Light'),
      (request, reply) => {
        const user = memberAt(store, request.params.user);
        const added = assistantsIn(request.body).map((who) => memberAt(store, who));
        // Both people need a licence.
        for (const each of [user, ...added])
          if (!isLicensed(each)) throw noPrivilege(`${each.email} is not a licensed user.`);
        const ids = added.map(({ id }) => id).filter((id) => id !== user.id);
        store.putUser({ ...user, assistants: [...new Set([...user.assistants, ...ids])] });
        void reply.code(201);
        return { ids: ids.join(','), add_at: zoomTime(now()) };
      },
    );

    const takeBack = (user: Member, from: (id: string) => boolean) =>
      store.putUser({ ...user, assistants: user.assistants.filter((id) => !from(id)) });

    app.delete<ByUser>(
      '/users/:user/assistants',
      guard('user:delete:assistant:admin', 'Light'),
      (request, reply) => {
        takeBack(memberAt(store, request.params.user), () => true);
        return reply.code(204).send();
      },
    );

    app.delete<ByTwo>(
      '/users/:user/assistants/:other',
      guard('user:delete:assistant:admin', 'Light'),
      (request, reply) => {
        const other = memberAt(store, request.params.other);
        takeBack(memberAt(store, request.params.user), (id) => id === other.id);
        return reply.code(204).send();
      },
    );

    // The same privilege from the other side: removes everyone for whom the user can schedule, or one person.
    app.delete<ByUser>(
      '/users/:user/schedulers',
      guard('user:delete:scheduler:admin', 'Light'),
      (request, reply) => {
        const { id } = memberAt(store, request.params.user);
        for (const other of store.schedulersOf(id)) takeBack(other, (each) => each === id);
        return reply.code(204).send();
      },
    );

    app.delete<ByTwo>(
      '/users/:user/schedulers/:other',
      guard('user:delete:scheduler:admin', 'Light'),
      (request, reply) => {
        const user = memberAt(store, request.params.user);
        takeBack(memberAt(store, request.params.other), (id) => id === user.id);
        return reply.code(204).send();
      },
    );
  };
}

/** Returns a user without the name, which is in the list of users. */
function inPrivilege({ id, email, pmi }: Member): object {
  return { id, email, pmi };
}

/** Reads assistants by ID or email. @throws ZoomError */
function assistantsIn(body: unknown): string[] {
  if (!isParams(body)) throw notAnObject();
  const { assistants } = body;
  if (!Array.isArray(assistants) || assistants.length === 0) throw invalidFields(['assistants']);
  return assistants.map((each) => {
    const who = isParams(each) ? (text(each, 'id') ?? text(each, 'email')) : null;
    if (who === null) throw noUser('');
    return who;
  });
}
