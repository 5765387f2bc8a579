/** Images as our own server hands them out, to everybody: known ones only, whichever home they lie in. */
import { IMAGES_PATH } from '@lms-admin/contract/endpoints';
import { IMAGE_KEY } from '@lms-admin/domain/image-files';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addPublicFiles } from '../platform/route.ts';
import type { ImageReader } from './reader.ts';

/** Requests from one address in a minute: a whole campus may come from one, and every page of a course has its icons. */
const PER_MINUTE = 12_000;

/** The formats are packed already. */
const CONFIG = { rateLimit: { max: PER_MINUTE, timeWindow: '1 minute' }, compress: false };

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  // Pages of courses show them, and those are another site's.
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** Adds `GET` and `HEAD /images/icons/…`. */
export async function addImageFiles(app: FastifyInstance, reader: ImageReader): Promise<void> {
  await addPublicFiles(app, async (files) => {
    files.get<{ Params: { '*': string } }>(`${IMAGES_PATH}*`, { config: CONFIG }, (request, reply) =>
      hand(reader, request.params['*'], request, reply),
    );
  });
}

async function hand(reader: ImageReader, key: string, request: FastifyRequest, reply: FastifyReply) {
  const image = IMAGE_KEY.test(key) ? await reader.read(key) : null;
  if (!image) {
    return reply
      .code(404)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send('No such image.\n');
  }
  // The key holds the hash of the content.
  const tag = `"${key.slice(key.lastIndexOf('-') + 1, key.lastIndexOf('.'))}"`;
  reply.headers({ ...HEADERS, etag: tag });
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(image.type).send(image.bytes);
}

/** Whether the browser has it already, by what it says of what it has. */
function isKnown(given: string | undefined, tag: string): boolean {
  return (given ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}
