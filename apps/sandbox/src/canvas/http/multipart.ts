/** Multipart bodies, part by part (reference §1, §7.1). */

import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { badRequest } from './errors.ts';

/** The parser's messages for a body that ends too early, or for an impossible boundary. */
const BROKEN = /end of multipart data|needle/i;
const BOUNDARY = /;\s*boundary=(?:"[^"]|[^";\s])/i;

/**
 * Passes each part to `take`, which must read or drop its file before it finishes. A body without a boundary has no
 * parts.
 * @throws ApiError 400 for a truncated body
 */
export async function eachPart(
  request: FastifyRequest,
  take: (part: Multipart) => void | Promise<void>,
): Promise<void> {
  if (!BOUNDARY.test(request.headers['content-type'] ?? '')) return;
  try {
    for await (const part of request.parts()) await take(part);
  } catch (error) {
    throw error instanceof Error && BROKEN.test(error.message) ? badRequest() : error;
  }
}
