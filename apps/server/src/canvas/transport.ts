/** One HTTP request to the LMS and its raw answer; nothing is repeated or understood here. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { CanvasError, type CanvasForm, type CanvasRequest } from './types.ts';

export interface RawAnswer {
  status: number;
  contentType: string;
  text: string;
  link: string | undefined;
  /** `X-Rate-Limit-Remaining`; null without one. */
  remaining: number | null;
  /** Whether a 401 asks for a new token (reference §3). */
  challenged: boolean;
}

export interface Transport {
  send(
    request: CanvasRequest<unknown>,
    target: string,
    token: string,
    signal?: AbortSignal,
  ): Promise<RawAnswer>;
  close(): Promise<void>;
}

/** Nothing of the request can have reached the LMS. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const TIMED_OUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/**
 * Connections to one host, kept alive.
 * @param timeoutMs how long the LMS may take to begin its answer, and to pause within it
 */
export function createTransport(origin: string, timeoutMs: number): Transport {
  const pool = new Pool(origin, {
    connections: 128,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    connect: { timeout: Math.min(timeoutMs, 10_000) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    async send(request, target, token, signal) {
      const content = contentOf(request);
      try {
        const answer = await pool.request({
          method: request.method,
          path: target,
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            'user-agent': 'lms-admin',
            ...content.headers,
          },
          body: content.body,
          signal: signal ?? null,
        });
        return {
          status: answer.statusCode,
          contentType: one(answer.headers['content-type']) ?? '',
          text: await answer.body.text(),
          link: one(answer.headers.link),
          remaining: numberOrNull(one(answer.headers['x-rate-limit-remaining'])),
          challenged: answer.headers['www-authenticate'] !== undefined,
        };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw asCanvasError(error);
      }
    },
    close: () => pool.destroy(),
  };
}

function asCanvasError(error: unknown): CanvasError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (TIMED_OUT.has(code)) {
    return new CanvasError('timeout', { sent: 'maybe', detail: 'no answer in time', cause: error });
  }
  const notSent = NOT_SENT.has(code) || code.startsWith('CERT_') || code.startsWith('ERR_TLS_');
  return new CanvasError('down', { sent: notSent ? 'no' : 'maybe', detail: code, cause: error });
}

function contentOf(request: CanvasRequest<unknown>): {
  headers: Record<string, string>;
  body: string | Readable | null;
} {
  if (request.form) {
    const boundary = `lms-admin-${randomUUID()}`;
    return {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: Readable.from(multipart(request.form, boundary)),
    };
  }
  if (request.body === undefined) return { headers: {}, body: null };
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request.body) };
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

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

function numberOrNull(text: string | undefined): number | null {
  const value = Number.parseFloat(text ?? '');
  return Number.isFinite(value) ? value : null;
}
