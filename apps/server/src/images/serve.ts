/** Public delivery of images by our own server: only known ones, whatever store they are in. */
import { IMAGES_PATH } from '@lms-admin/contract/endpoints';
import { IMAGE_KEY } from '@lms-admin/domain/image-files';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addPublicFiles } from '../platform/route.ts';
import type { ImageReader } from './reader.ts';

/** Requests per minute from one address: a whole campus may share one, and every course page has icons. */
const PER_MINUTE = 12_000;

/** Without compression, because the image formats are compressed already. */
const CONFIG = { rateLimit: { max: PER_MINUTE, timeWindow: '1 minute' }, compress: false };

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  // Course pages, which are on another site, show the images.
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
      .send('This image does not exist.\n');
  }
  // The key holds the hash of the content.
  const tag = `"${key.slice(key.lastIndexOf('-') + 1, key.lastIndexOf('.'))}"`;
  reply.headers({ ...HEADERS, etag: tag });
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(image.type).send(image.bytes);
}

/** Returns whether the browser already has the image, according to the tags in its request. */
function isKnown(given: string | undefined, tag: string): boolean {
  return (given ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}
