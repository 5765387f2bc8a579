/**
 * Endpoints of the practice Zoom for tests and demonstrations: emails, limits, actions in Zoom's own pages.
 * `/sandbox/zoom…` belongs to the sandbox, not to Zoom.
 */

import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { z } from 'zod';
import { ZOOM_EDUCATION, type ZoomLimits } from '../config.ts';
import type { ZoomContext } from './http/context.ts';
import { held } from './store/life.ts';

const count = z.int().min(0);
const labels = <T extends z.ZodType>(value: T) =>
  z.strictObject({ Light: value.optional(), Medium: value.optional() });

/** What `PUT /sandbox/zoom` accepts. Missing settings stay unchanged; missing limits are reset to the plan's. */
const settings = z.strictObject({
  limits: z
    .union([
      z.literal(false),
      z.strictObject({
        perSecond: labels(count).optional(),
        perDay: labels(count.nullable()).optional(),
        hostDay: count.optional(),
        tokensPerMinute: count.optional(),
      }),
    ])
    .optional(),
  listLagMs: count.optional(),
  icsNeedsHost: z.boolean().optional(),
});

const userChange = z.strictObject({
  type: z.literal([1, 2]).optional(),
  status: z.enum(['active', 'inactive']).optional(),
  mayHost: z.boolean().optional(),
});

export function handleRoutes({ store, limits, switches, now }: ZoomContext): FastifyPluginAsync {
  const state = () => ({
    limits: limits.plan,
    ...switches,
    mails: store.mails,
    hostDays: Object.fromEntries(
      store.users().flatMap(({ id, email }) => {
        const used = id === null ? 0 : limits.usedToday(id);
        return used === 0 ? [] : [[email, used]];
      }),
    ),
  });

  return async (app) => {
    app.get('/sandbox/zoom', state);

    app.put('/sandbox/zoom', (request, reply) => {
      const read = settings.safeParse(request.body);
      if (!read.success) return refuse(reply, z.prettifyError(read.error));
      const { limits: plan, ...rest } = read.data;
      if (plan !== undefined) limits.plan = plan === false ? false : planWith(plan);
      Object.assign(switches, rest);
      return state();
    });

    app.delete('/sandbox/zoom/mails', () => {
      store.mails = [];
      return state();
    });

    // Resets the counts, as at 00:00 UTC.
    app.delete('/sandbox/zoom/host-days', () => {
      limits.clear();
      store.hostDays.clear();
      return state();
    });

    app.patch<{ Params: { user: string } }>('/sandbox/zoom/users/:user', (request, reply) => {
      const user = store.user(request.params.user);
      const read = userChange.safeParse(request.body);
      if (!user || !read.success) return refuse(reply, 'There is no such user, or no such change.');
      store.putUser({ ...user, ...read.data });
      return { email: user.email, ...read.data };
    });

    // Removes a user and all the user's meetings from the account.
    app.delete<{ Params: { user: string } }>('/sandbox/zoom/users/:user', (request, reply) => {
      const user = store.user(request.params.user);
      if (!user) return refuse(reply, 'There is no such user.');
      store.putUser({ ...user, removed: true });
      return { removed: user.email };
    });

    app.post<{ Params: { meeting: string; what: string } }>(
      '/sandbox/zoom/meetings/:meeting/:what',
      (request, reply) => {
        const { meeting: number, what } = request.params;
        const meeting = store.meeting(Number(number));
        if (!meeting || (what !== 'start' && what !== 'end'))
          return refuse(reply, 'There is no such meeting; it can start, and end.');
        const running = what === 'start';
        store.putMeeting(running ? { ...meeting, running, usedAt: now() } : held(meeting, now()));
        return { id: meeting.number, running };
      },
    );
  };
}

type Given = Exclude<z.output<typeof settings>['limits'], false | undefined>;

function planWith({ perSecond, perDay, ...rest }: Given): ZoomLimits {
  return {
    ...ZOOM_EDUCATION,
    ...rest,
    perSecond: { ...ZOOM_EDUCATION.perSecond, ...perSecond },
    perDay: { ...ZOOM_EDUCATION.perDay, ...perDay },
  };
}

function refuse(reply: FastifyReply, error: string): FastifyReply {
  return reply.code(400).send({ error });
}
