import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LARGEST_UPLOAD, type Spool, TooLarge } from '../../files/spool.ts';
import { ApiError, type Params, type ParamValue, paramsOf, text } from '../http/context.ts';
import { eachPart } from '../http/multipart.ts';
import type { Upload } from './batch/intake.ts';
import { messages } from './messages.ts';

/** The contents of an import's POST. */
export interface Received {
  upload: Upload;
  params: Params;
}

const MEDIA_TYPE = /^\s*[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(?:;|$)/;

/**
 * Lets bodies of any content type reach the handler unread: an import is streamed, whatever its type. It
 * needs a scope of its own, because it removes the parsers of the other routes.
 */
export async function takeAnyBody(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(multipart, { limits: { fileSize: LARGEST_UPLOAD, files: 100, fields: 1000 } });
  app.addHook('onRequest', async (request) => {
    const type = request.headers['content-type'];
    // Canvas does not reject an invalid media type, but treats it as missing.
    if (type !== undefined && !MEDIA_TYPE.test(type)) delete request.headers['content-type'];
  });
  app.addContentTypeParser('*', { bodyLimit: LARGEST_UPLOAD }, (_request, payload, done) => {
    done(null, payload);
  });
}

/**
 * Receives the file of an import in one of Canvas's three ways (§7.1).
 * @throws ApiError 400 with Canvas's bodies, 413 above any size that Canvas accepts.
 */
export async function receive(request: FastifyRequest, spool: Spool): Promise<Received> {
  try {
    return request.isMultipart() ? await receiveForm(request, spool) : await receiveRaw(request, spool);
  } catch (error) {
    if (error instanceof TooLarge || (error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE')
      throw new ApiError(413, { errors: [{ message: 'Request entity too large' }] });
    throw error;
  }
}

async function receiveForm(request: FastifyRequest, spool: Spool): Promise<Received> {
  const params: Params = { ...(request.query as Params) };
  const uploads: Upload[] = [];
  try {
    await eachPart(request, async (part) => {
      if (part.type === 'field') params[part.fieldname] = part.value as ParamValue;
      else if (part.fieldname === 'attachment')
        uploads.push({ name: part.filename ?? 'sis_import', kept: await spool.keep(part.file) });
      else part.file.resume();
    });
  } catch (error) {
    for (const { kept } of uploads) await spool.drop(kept.key);
    throw error;
  }
  const upload = uploads.at(-1);
  if (!upload) throw new ApiError(400, { error: true, error_message: messages.request.noAttachment });
  return { upload, params };
}

const EXTENSIONS: Record<string, string> = {
  'text/csv': 'csv',
  'text/plain': 'csv',
  'application/zip': 'zip',
  'text/xml': 'xml',
};

async function receiveRaw(request: FastifyRequest, spool: Spool): Promise<Received> {
  const params = paramsOf(request);
  const contentType = request.headers['content-type'] ?? '';
  let extension = text(params, 'extension')?.toLowerCase() ?? '';
  if (extension === '') {
    const [type = '', ...attributes] = contentType.split(';').map((part) => part.trim().toLowerCase());
    const charset = attributes.find((attribute) => attribute.startsWith('charset='))?.slice(8);
    if (charset !== undefined && charset.replaceAll('"', '') !== 'utf-8')
      throw new ApiError(400, { error: messages.request.utf8 });
    // Everything else is treated as a zip, even though it rarely is one (§7.1).
    extension = EXTENSIONS[type] ?? 'zip';
  }
  const body = request.body instanceof Readable ? request.body : Readable.from([]);
  return { upload: { name: `sis_import.${extension}`, kept: await spool.keep(body) }, params };
}
