/** Absolute addresses for Link headers, files and events. */

import type { FastifyRequest } from 'fastify';

/** Returns scheme and host of this server as the client knows them, without a trailing slash. */
export function baseUrl(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
