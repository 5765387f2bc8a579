/** Sending a file: `fetch` tells nothing of how much has left, so this is the one call that is made another way. */
import type { z } from 'zod';
import { ApiError, errorIn, oddAnswer, unreachable } from './errors.ts';
import { session } from './session.ts';

export interface UploadOptions {
  signal: AbortSignal;
  /** Bytes of the request that have left the browser; called often. */
  onSent: (bytes: number) => void;
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
  { signal, onSent, onArrived }: UploadOptions,
): Promise<z.output<S>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const body = new FormData();
    body.append('file', file);
    request.open('POST', path);
    request.setRequestHeader('accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
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
        reject(cause instanceof ApiError ? cause : oddAnswer(status, requestId, cause));
      }
    });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) reject(new DOMException('the upload was stopped', 'AbortError'));
    else request.send(body);
  });
}
