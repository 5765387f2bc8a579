/** Answers built from text that is already JSON, which is cheaper than writing it again. */

import type { FastifyReply, FastifyRequest } from 'fastify';

const STRING_IDS = 'application/json+canvas-string-ids';

/** Returns whether the client wants IDs as strings (reference §1): such answers are built from objects. */
export function wantsStringIds(request: FastifyRequest): boolean {
  return request.headers.accept?.includes(STRING_IDS) ?? false;
}

/** Sends a list; each item is the JSON text of an object plus additional fields. */
export function sendListText(
  reply: FastifyReply,
  items: readonly (readonly [text: string, more: object | null])[],
): FastifyReply {
  const parts = items.map(([text, more]) => {
    const added = more === null ? '{}' : JSON.stringify(more);
    return added === '{}' ? text : `${text.slice(0, -1)},${added.slice(1)}`;
  });
  return reply.header('content-type', 'application/json; charset=utf-8').send(`[${parts.join(',')}]`);
}
