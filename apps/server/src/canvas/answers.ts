/** Meaning of a Canvas answer: data, throttling, a refused token, or a named failure (reference §3, §5). */
import type { OutboundAnswer } from '../outbound/answer.ts';
import { errorText } from './error-text.ts';
import { readLinks } from './links.ts';
import { type CanvasAnswer, CanvasError, type CanvasRequest } from './types.ts';

const contentType = (answer: OutboundAnswer) => answer.header('content-type') ?? '';

/** Returns `X-Rate-Limit-Remaining`, or null if it is not set. */
export function remainingOf(answer: OutboundAnswer): number | null {
  const value = Number.parseFloat(answer.header('x-rate-limit-remaining') ?? '');
  return Number.isFinite(value) ? value : null;
}

/** Returns whether Canvas throttled the call: 403 with plain text, or 429. A 403 with JSON is a missing permission. */
export function isThrottled(answer: OutboundAnswer): boolean {
  if (answer.status === 429) return true;
  if (answer.status !== 403 || contentType(answer).includes('json')) return false;
  const remaining = remainingOf(answer);
  return /rate limit exceeded/i.test(answer.text) || (remaining !== null && remaining <= 0);
}

/** Returns whether Canvas refused the token. Without the header, a 401 from an older Canvas is a missing permission. */
export function refusesToken(answer: OutboundAnswer): boolean {
  return answer.status === 401 && answer.header('www-authenticate') !== undefined;
}

/** Returns the data of an answer. @throws CanvasError if it has no data, or unexpected data */
export function understand<T>(answer: OutboundAnswer, request: CanvasRequest<T>): CanvasAnswer<T> {
  const { status, text } = answer;
  if ((status < 200 || status > 299) && status !== request.alsoRead) throw failureOf(answer, request);
  let json: unknown;
  try {
    json = contentType(answer).includes('json') ? JSON.parse(text) : text;
  } catch {
    throw odd(answer, 'the body is not JSON');
  }
  const read = request.answer.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw odd(answer, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unexpected'}`);
  }
  return { status, data: read.data, bytes: answer.body.length, ...readLinks(answer.header('link')) };
}

/** Returns the ID under which Canvas's support finds the request. */
const answerIdOf = (answer: OutboundAnswer) => answer.header('x-request-context-id') ?? null;

function odd(answer: OutboundAnswer, detail: string): CanvasError {
  // The LMS did the work, but its answer cannot be read.
  return new CanvasError('odd', {
    status: answer.status,
    sent: 'maybe',
    detail,
    answerId: answerIdOf(answer),
  });
}

function failureOf(answer: OutboundAnswer, { token }: CanvasRequest<unknown>): CanvasError {
  const { status } = answer;
  const detail = errorText(contentType(answer), answer.text) || `status ${status}`;
  const answerId = answerIdOf(answer);
  if (status >= 500) return new CanvasError('down', { status, sent: 'maybe', detail, answerId });
  const failed = { status, sent: 'answered', detail, answerId } as const;
  if (status < 400) return new CanvasError('odd', failed);
  if (refusesToken(answer)) {
    return new CanvasError(token.owner === 'admin' ? 'signed-out' : 'token-refused', failed);
  }
  if (status === 401 || status === 403) return new CanvasError('refused', failed);
  return new CanvasError(status === 404 ? 'not-found' : 'rejected', failed);
}
