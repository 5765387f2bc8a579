/** HTTP format of a call to Canvas. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { OutboundRequest } from '../outbound/types.ts';
import type { CanvasForm, CanvasRequest } from './types.ts';

/** Milliseconds for sending a file and getting the answer: a slow connection takes long, a hung one would never end. */
const UPLOAD_MS = 3_600_000;

/** Returns the path and query, encoded. */
export function targetOf(request: CanvasRequest<unknown>): string {
  const path = request.path.startsWith('/') ? request.path : `/api/v1/${request.path}`;
  const query = (request.query ?? [])
    .map(([name, value]) => `${encodeURIComponent(name)}=${encoded(value)}`)
    .join('&');
  if (query === '') return path;
  return path + (path.includes('?') ? '&' : '?') + query;
}

/** Replaces half surrogate pairs, which a user can type but which cannot be encoded. */
function encoded(value: string): string {
  return encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd'));
}

/** Returns the headers and body of a call. */
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

/** Returns whether the content can only be read once: a generator is its own iterator. */
function isReadOnce({ content }: CanvasForm): boolean {
  if (typeof content === 'string') return false;
  return content instanceof Readable || (content[Symbol.asyncIterator]() as unknown) === content;
}

/** Writes a form with one file while reading the file, so that a long CSV is never fully in memory. */
async function* multipart(form: CanvasForm, boundary: string): AsyncGenerator<string | Uint8Array> {
  const filename = form.filename.replace(/[^\w.-]/g, '_');
  yield `--${boundary}\r\nContent-Disposition: form-data; name="${form.field}"; filename="${filename}"\r\n` +
    `Content-Type: ${form.contentType}\r\n\r\n`;
  if (typeof form.content === 'string') yield form.content;
  else yield* form.content;
  yield `\r\n--${boundary}--\r\n`;
}
