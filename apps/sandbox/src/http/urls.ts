/** Absolute addresses, as they stand in Link headers, files and events. */

import type { FastifyRequest } from 'fastify';

/** Scheme and host as the client knows this server, without a slash at the end. */
export function baseUrl(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
