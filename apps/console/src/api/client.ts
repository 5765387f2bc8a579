/**
 * Calls to the back end. Every answer is parsed with the schema of the contract, every failure is an `ApiError`,
 * and every 401 but two opens the session-expired dialog (OP-09).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { errorBody } from '@lms-admin/contract/errors';
import { type Answer, type LmsAnswer, type LmsCallId, lmsCall, lmsUrl } from '@lms-admin/contract/lms-calls';
import type { z } from 'zod';
import { ApiError, errorOf, isAbort, requestIdOf, unexpectedAnswer, unreachable } from './errors.ts';
import { readLines } from './lines.ts';
import { session } from './session.ts';
import { texts } from './texts.ts';

export type QueryPairs = [name: string, value: string][];

export interface SendOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal | undefined;
  accept?: string;
  /** A 401 has another meaning here (token exchange, sign-out): it is thrown without asking for a new sign-in. */
  quiet401?: boolean;
}

/** Sends one request; returns only when the status is 2xx. Aborting throws the browser's `AbortError`. */
export async function send(path: string, options: SendOptions = {}): Promise<Response> {
  const { method = 'GET', body, signal, accept = 'application/json', quiet401 = false } = options;
  const headers = new Headers({ accept });
  if (body !== undefined) headers.set('content-type', 'application/json');
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (cause) {
    throw isAbort(cause) || signal?.aborted ? cause : unreachable(cause);
  }
  session.follow();
  if (response.ok) return response;
  if (response.status === 401 && !quiet401) session.expire();
  throw await errorOf(response);
}

async function answerOf<S extends z.ZodType>(response: Response, schema: S): Promise<Answer<z.output<S>>> {
  let body: unknown;
  try {
    body = await response.json();
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    throw unexpectedAnswer(response.status, requestIdOf(response), cause);
  }
  const { data, pagination } = body as { data?: unknown; pagination?: { nextPage?: string | null } };
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw unexpectedAnswer(response.status, requestIdOf(response), parsed.error);
  return {
    status: response.status,
    data: parsed.data,
    pagination: { nextPage: pagination?.nextPage ?? null },
  };
}

function withQuery(path: string, query: QueryPairs = []): string {
  return query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
}

/** Sends a `GET` to a back-end path; returns the envelope with parsed `data`, so that `nextPage` can be followed. */
export async function getAnswer<S extends z.ZodType>(
  path: string,
  schema: S,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Answer<z.output<S>>> {
  return answerOf(await send(path, { signal: options.signal }), schema);
}

/** Sends a `GET` to a back-end path; returns the parsed `data` of the envelope. */
export async function getJson<S extends z.ZodType>(
  path: string,
  schema: S,
  options: { query?: QueryPairs; signal?: AbortSignal | undefined } = {},
): Promise<z.output<S>> {
  const response = await send(withQuery(path, options.query), { signal: options.signal });
  return (await answerOf(response, schema)).data;
}

/** Sends a `POST` to a back-end path; returns the parsed `data` of the envelope. */
export async function postJson<S extends z.ZodType>(
  path: string,
  body: unknown,
  schema: S,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<z.output<S>> {
  const response = await send(path, { method: 'POST', body, signal: options.signal });
  return (await answerOf(response, schema)).data;
}

/**
 * Sends a `POST` whose answer arrives line by line (newline-delimited JSON). Yields each parsed line; a line `{error}`
 * is thrown as an `ApiError`. Leaving the loop or aborting the signal also cancels the work on the server.
 */
export async function* postLines<S extends z.ZodType>(
  path: string,
  body: unknown,
  lineSchema: S,
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<z.output<S>, void, void> {
  const response = await send(path, {
    method: 'POST',
    body,
    signal: options.signal,
    accept: 'application/x-ndjson',
  });
  for await (const line of linesOf(response, options.signal)) {
    const parsed = lineSchema.safeParse(line);
    if (!parsed.success) throw unexpectedAnswer(response.status, requestIdOf(response), parsed.error);
    yield parsed.data;
  }
}

async function* linesOf(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void, void> {
  if (!response.body) throw unexpectedAnswer(response.status, requestIdOf(response));
  try {
    for await (const line of readLines(response.body)) {
      const failure = lineFailure(response.status, line);
      if (failure) throw failure;
      yield line;
    }
  } catch (cause) {
    if (cause instanceof ApiError || isAbort(cause) || signal?.aborted) throw cause;
    throw cutOff(response.status, requestIdOf(response), cause);
  }
}

function lineFailure(status: number, line: unknown): ApiError | null {
  if (typeof line !== 'object' || line === null || !('error' in line)) return null;
  const parsed = errorBody.safeParse(line.error);
  if (!parsed.success) return unexpectedAnswer(status, null, parsed.error);
  // When a later page fails, the status has already been sent, so this code takes the place of a 401.
  if (parsed.data.code === 'signed-out') session.expire();
  return new ApiError(status, parsed.data);
}

function cutOff(status: number, requestId: string | null, cause?: unknown): ApiError {
  return new ApiError(
    status,
    { code: 'unreachable', message: texts.cutOff, next: texts.cutOffNext, requestId },
    { cause },
  );
}

export interface InvokeOptions {
  payload?: unknown;
  signal?: AbortSignal | undefined;
  quiet401?: boolean;
}

/**
 * Makes one LMS call through the wrapper (LMS-02): by its ID in the registry, never by a free address.
 * @param query pairs in the order they are sent; `include[]` may repeat
 */
export async function invoke<I extends LmsCallId>(
  id: I,
  params: Record<string, string | number> = {},
  query: QueryPairs = [],
  options: InvokeOptions = {},
): Promise<Answer<LmsAnswer<I>>> {
  const call = lmsCall(id);
  const response = await send(ENDPOINTS.invoke, {
    method: 'POST',
    body: { url: lmsUrl(id, params, query), type: call.type, payload: options.payload },
    signal: options.signal,
    quiet401: options.quiet401 ?? false,
  });
  // The registry's entry for `id` contains the schema that corresponds to `LmsAnswer<I>`.
  return (await answerOf(response, call.answer)) as Answer<LmsAnswer<I>>;
}

export interface LmsPage<T> {
  /** 1-based, in order. */
  page: number;
  data: T;
}

/**
 * Reads a whole list through the wrapper, page by page. Ends after the last page; an interrupted list throws, so that
 * a part is never mistaken for the whole.
 */
export async function* invokePages<I extends LmsCallId>(
  id: I,
  params: Record<string, string | number> = {},
  query: QueryPairs = [['per_page', '100']],
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<LmsPage<LmsAnswer<I>>, void, void> {
  const call = lmsCall(id);
  const response = await send(ENDPOINTS.invokePages, {
    method: 'POST',
    body: { url: lmsUrl(id, params, query), type: call.type },
    signal: options.signal,
    accept: 'application/x-ndjson',
  });
  let ended = false;
  for await (const line of linesOf(response, options.signal)) {
    const { page, data, done } = line as { page?: unknown; data?: unknown; done?: unknown };
    if (done === true) {
      ended = true;
      continue;
    }
    const parsed = call.answer.safeParse(data);
    if (typeof page !== 'number' || !parsed.success)
      throw unexpectedAnswer(response.status, requestIdOf(response), parsed.error);
    yield { page, data: parsed.data as LmsAnswer<I> };
  }
  if (!ended) throw cutOff(response.status, requestIdOf(response));
}
