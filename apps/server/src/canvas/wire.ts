/** What a call to Canvas looks like on the wire. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { OutboundRequest } from '../outbound/types.ts';
import type { CanvasForm, CanvasRequest } from './types.ts';

/** Milliseconds in which a file must have been sent and answered: a slow line takes long, a hung one would for ever. */
const UPLOAD_MS = 3_600_000;

/** Path and query, encoded. */
export function targetOf(request: CanvasRequest<unknown>): string {
  const path = request.path.startsWith('/') ? request.path : `/api/v1/${request.path}`;
  const query = (request.query ?? [])
    .map(([name, value]) => `${encodeURIComponent(name)}=${encoded(value)}`)
    .join('&');
  if (query === '') return path;
  return path + (path.includes('?') ? '&' : '?') + query;
}

/** Half a surrogate pair, which someone may well have typed, cannot be encoded. */
function encoded(value: string): string {
  return encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd'));
}

/** Headers and body of a call. */
export function contentOf({
  form,
  body,
}: CanvasRequest<unknown>): Pick<OutboundRequest, 'headers' | 'body' | 'bodyOnce' | 'wholeMs'> {
  if (form) {
    const boundary = `lms-admin-${randomUUID()}`;
    return {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: () => multipart(form, boundary),
      bodyOnce: isReadOnce(form),
      wholeMs: UPLOAD_MS,
    };
  }
  if (body === undefined) return {};
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** A generator is its own iterator, so what it has given is gone. */
function isReadOnce({ content }: CanvasForm): boolean {
  if (typeof content === 'string') return false;
  return content instanceof Readable || (content[Symbol.asyncIterator]() as unknown) === content;
}

/** A form of one file, written as it is read, so that a long CSV is never in memory whole. */
async function* multipart(form: CanvasForm, boundary: string): AsyncGenerator<string | Uint8Array> {
  const filename = form.filename.replace(/[^\w.-]/g, '_');
  yield `--${boundary}\r\nContent-Disposition: form-data; name="${form.field}"; filename="${filename}"\r\n` +
    `Content-Type: ${form.contentType}\r\n\r\n`;
  if (typeof form.content === 'string') yield form.content;
  else yield* form.content;
  yield `\r\n--${boundary}--\r\n`;
}
