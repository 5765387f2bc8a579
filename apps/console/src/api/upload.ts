/** File uploads: `fetch` does not report upload progress, so these calls use `XMLHttpRequest`. */
import type { z } from 'zod';
import { ApiError, errorIn, unexpectedAnswer, unreachable } from './errors.ts';
import { session } from './session.ts';

export interface UploadOptions {
  signal: AbortSignal;
  /** Called often, with the bytes sent so far and the size of the request. */
  onSent: (bytes: number, total: number) => void;
  /** Called when every byte is sent; the server is then working on the file. */
  onArrived: () => void;
}

/**
 * Sends one file with `POST` as the multipart field `file`; returns the parsed `data` of the envelope. Any status but
 * 200, a lost connection and an unexpected answer throw an `ApiError`; aborting throws the browser's `AbortError`.
 */
export function uploadFile<S extends z.ZodType>(
  path: string,
  file: File,
  schema: S,
  options: UploadOptions,
): Promise<z.output<S>> {
  const body = new FormData();
  body.append('file', file);
  return upload(path, body, schema, options);
}

/** Uploads JSON that contains a file as a data URL, like `uploadFile`. */
export function uploadJson<S extends z.ZodType>(
  path: string,
  body: unknown,
  schema: S,
  options: UploadOptions,
): Promise<z.output<S>> {
  return upload(path, JSON.stringify(body), schema, options);
}

function upload<S extends z.ZodType>(
  path: string,
  body: FormData | string,
  schema: S,
  { signal, onSent, onArrived }: UploadOptions,
): Promise<z.output<S>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.setRequestHeader('accept', 'application/json');
    if (typeof body === 'string') request.setRequestHeader('content-type', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded, total));
    request.upload.addEventListener('load', onArrived);
    request.addEventListener('error', (event) => reject(unreachable(event)));
    request.addEventListener('abort', () => reject(new DOMException('the upload was stopped', 'AbortError')));
    request.addEventListener('load', () => {
      const { status } = request;
      if (status === 401) session.expire();
      const requestId = request.getResponseHeader('x-request-id');
      try {
        const answer: unknown = JSON.parse(request.responseText);
        if (status !== 200) throw errorIn(status, answer, requestId);
        resolve(schema.parse((answer as { data?: unknown } | null)?.data));
      } catch (cause) {
        reject(cause instanceof ApiError ? cause : unexpectedAnswer(status, requestId, cause));
      }
    });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) reject(new DOMException('the upload was stopped', 'AbortError'));
    else request.send(body);
  });
}
