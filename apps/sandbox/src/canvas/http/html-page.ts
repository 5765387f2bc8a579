/** Sending Canvas's own pages. */

import type { FastifyReply } from 'fastify';

const POLICY = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'";
/** Policy for HTML written by users: it cannot send anything or change the targets of links. */
const WRITTEN = `${POLICY}; base-uri 'none'; form-action 'none'`;

/**
 * Sends a page without scripts and without caching.
 * @param written whether the page contains HTML written by users; such a page has no form of its own
 */
export function htmlPage(reply: FastifyReply, body: string, written = false): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', written ? WRITTEN : POLICY)
    .header('cache-control', 'no-store')
    .send(body);
}
