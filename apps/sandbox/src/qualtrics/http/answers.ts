/** The envelope of what went well (reference of Qualtrics §2). */

import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { httpStatus } from './errors.ts';

const NOTICE = 'Request proxied. For faster response times, use this host instead:';
/** The data center that the practice account lives in. */
const HOST = 'fra1.qualtrics.com';

/** Sends a result; the percentage of an export is always written with a fraction, as the real one writes it. */
export function send(reply: FastifyReply, result: object): FastifyReply {
  const notice = reply.request.qualtrics?.proxied ? { notice: `${NOTICE} ${HOST}` } : {};
  const meta = { requestId: randomUUID(), httpStatus: httpStatus(200), ...notice };
  const text = JSON.stringify({ result, meta }).replace(/("percentComplete":\d+)([,}])/, '$1.0$2');
  return reply.type('application/json').send(Buffer.from(text));
}
