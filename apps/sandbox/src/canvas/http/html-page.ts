/** How Canvas's own pages are sent. */

import type { FastifyReply } from 'fastify';

const POLICY = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'";
/** For what people have written as HTML: it neither sends anything nor changes where links lead. */
const WRITTEN = `${POLICY}; base-uri 'none'; form-action 'none'`;

/**
 * Sends a page: without scripts, and kept by no one.
 * @param written whether HTML that people have written is in it; such a page has no form of its own
 */
export function htmlPage(reply: FastifyReply, body: string, written = false): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', written ? WRITTEN : POLICY)
    .header('cache-control', 'no-store')
    .send(body);
}
