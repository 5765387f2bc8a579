/** The email addresses of a person (Communication Channels of the API documentation). Other kinds do not exist here. */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, nested, paramsOf, text } from '../../http/params.ts';
import { currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { invalid, notFound } from '../http/errors.ts';
import { findUser } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import type { CommunicationChannel, User } from '../store/model.ts';
import { pathNumber, pathParam } from './lists.ts';

const EMAIL = /^[^\s@]+@[^\s@]+$/;

export function communicationChannelRoutes({ world }: SandboxContext): FastifyPluginAsync {
  const liveOf = (user: User) =>
    world.channels.by.user.get(user.id).filter(({ workflow_state }) => workflow_state !== 'retired');

  /** Finds the person in the path: oneself, or anyone for administrators. @throws ApiError 403 */
  const subject = (request: FastifyRequest): User => {
    const user = findUser(request, pathParam(request, 'user_id'));
    if (user.id !== currentUser(request).id) requireRight(request, world.rootAccount, 'manage_user_logins');
    return user;
  };

  const retire = (channel: CommunicationChannel | undefined) => {
    if (!channel) throw notFound();
    return channelJson(world.channels.change(channel, { workflow_state: 'retired' }));
  };

  return async (app) => {
    app.get('/users/:user_id/communication_channels', (request, reply) => {
      const channels = [...liveOf(subject(request))].sort((a, b) => a.position - b.position || a.id - b.id);
      return paginate(request, reply, channels).map(channelJson);
    });

    app.post('/users/:user_id/communication_channels', (request) => {
      const user = subject(request);
      const params = paramsOf(request);
      const fields = nested(params, 'communication_channel') ?? {};
      const path = text(fields, 'address')?.trim() ?? '';
      if ((text(fields, 'type') ?? '') !== 'email')
        throw invalid('path_type', 'is not included in the list', 'inclusion');
      if (!EMAIL.test(path)) throw invalid('path', 'is invalid', 'invalid');
      const own = world.channels.by.user.get(user.id);
      const held = own.find((one) => one.path.toLowerCase() === path.toLowerCase());
      if (held && held.workflow_state !== 'retired') throw invalid('path', 'unique!');
      const isConfirmed =
        flag(params, 'skip_confirmation') && hasRight(request, world.rootAccount, 'manage_user_logins');
      const workflow_state = isConfirmed ? 'active' : 'unconfirmed';
      if (held) return channelJson(world.channels.change(held, { path, workflow_state }));
      const position = Math.max(0, ...own.map((one) => one.position)) + 1;
      return channelJson(
        world.channels.add({ user_id: user.id, path, path_type: 'email', workflow_state, position }),
      );
    });

    app.delete('/users/:user_id/communication_channels/:id', (request) => {
      const id = pathNumber(request, 'id');
      return retire(liveOf(subject(request)).find((one) => one.id === id));
    });

    app.delete('/users/:user_id/communication_channels/:type/:address', (request) => {
      const [type, address] = [pathParam(request, 'type'), pathParam(request, 'address').toLowerCase()];
      return retire(
        liveOf(subject(request)).find((one) => one.path_type === type && one.path.toLowerCase() === address),
      );
    });
  };
}

function channelJson(channel: CommunicationChannel): Record<string, unknown> {
  const { id, position, user_id, workflow_state, created_at, path, path_type } = channel;
  return { id, position, user_id, workflow_state, created_at, address: path, type: path_type };
}
