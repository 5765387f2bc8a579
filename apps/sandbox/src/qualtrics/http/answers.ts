/** The envelope of successful answers (Qualtrics reference §2). */

import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { httpStatus } from './errors.ts';

const NOTICE = 'Request proxied. For faster response times, use this host instead:';
/** The data center of the practice account. */
const HOST = 'fra1.qualtrics.com';

/** Sends a result; as in Qualtrics, an export's percentage always has a fraction. */
export function send(reply: FastifyReply, result: object): FastifyReply {
  const notice = reply.request.qualtrics?.proxied ? { notice: `${NOTICE} ${HOST}` } : {};
  const meta = { requestId: randomUUID(), httpStatus: httpStatus(200), ...notice };
  const text = JSON.stringify({ result, meta }).replace(/("percentComplete":\d+)([,}])/, '$1.0$2');
  return reply.type('application/json').send(Buffer.from(text));
}
