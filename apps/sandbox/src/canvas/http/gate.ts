/** Canvas's throttling around each request, and the headers that show it (reference §5). */

import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Gate, Passage } from '../../http/systems.ts';
import type { Throttle } from './throttle.ts';

const REFUSED_BODY = '403 Forbidden (Rate Limit Exceeded)\n';

/**
 * @param throttle if null, no request is rejected, and answers give only their cost
 * @param now this Canvas's clock, used in its answers
 */
export function throttleGate(throttle: Throttle | null, now: () => Date): Gate {
  const booked = new WeakSet<Passage>();
  /** Settles a request's cost, and returns the remaining quota, or null if nothing is booked. */
  const settle = (passage: Passage) =>
    throttle && booked.delete(passage) ? throttle.settle(passage.client, passage.cost) : null;
  return {
    enter(passage) {
      if (!throttle) return true;
      const isFree = throttle.reserve(passage.client);
      if (isFree) booked.add(passage);
      return isFree;
    },
    answer(passage, reply) {
      void reply.header('date', now().toUTCString());
      void reply.header('x-request-cost', String(passage.cost));
      // Canvas creates its own request ID, and accepts a caller's only with Canvas's own signature.
      void reply.header('x-request-context-id', randomUUID());
      const remaining = settle(passage);
      if (remaining !== null) void reply.header('x-rate-limit-remaining', String(remaining));
    },
    leave(passage) {
      settle(passage);
    },
  };
}

/** @param status the text says 403 in both cases (§5) */
export function refusal(status: 429 | 403): (reply: FastifyReply) => FastifyReply {
  return (reply) =>
    reply
      .code(status)
      .header('content-type', 'text/plain; charset=utf-8')
      .header('x-rate-limit-remaining', '0.0')
      .send(REFUSED_BODY);
}
