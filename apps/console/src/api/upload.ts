/** Sending a file: `fetch` tells nothing of how much has left, so these are the only calls that are made another way. */
import type { z } from 'zod';
import { ApiError, errorIn, unexpectedAnswer, unreachable } from './errors.ts';
import { session } from './session.ts';

export interface UploadOptions {
  signal: AbortSignal;
  /** Bytes of the request that have left the browser, and how many it has; called often. */
  onSent: (bytes: number, total: number) => void;
  /** Every byte has left; the server is at work on the file. */
  onArrived: () => void;
}

/**
 * `POST` of one file as the multipart field `file`; answers `data` of the envelope, parsed. Any status but 200, a lost
 * connection and an odd answer throw an `ApiError`; aborting throws the browser's `AbortError`.
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

/** The same for JSON that holds a file as a data URL. */
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
