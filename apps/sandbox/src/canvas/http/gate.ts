/** Canvas's throttle around each request, and the headers that show it (reference §5). */

import type { FastifyReply } from 'fastify';
import type { Gate, Passage } from '../../http/systems.ts';
import type { Throttle } from './throttle.ts';

const REFUSED_BODY = '403 Forbidden (Rate Limit Exceeded)\n';

/**
 * @param throttle null: no one is refused, and answers carry their cost alone
 * @param now the clock of this Canvas, which its answers tell
 */
export function throttleGate(throttle: Throttle | null, now: () => Date): Gate {
  const booked = new WeakSet<Passage>();
  /** What remains of the quota; null when nothing is booked. */
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
      const remaining = settle(passage);
      if (remaining !== null) void reply.header('x-rate-limit-remaining', String(remaining));
    },
    leave(passage) {
      settle(passage);
    },
  };
}

/** @param status the text names 403 whatever it is (§5) */
export function refusal(status: 429 | 403): (reply: FastifyReply) => FastifyReply {
  return (reply) =>
    reply
      .code(status)
      .header('content-type', 'text/plain; charset=utf-8')
      .header('x-rate-limit-remaining', '0.0')
      .send(REFUSED_BODY);
}
