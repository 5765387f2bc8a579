/** Calls to Zoom's API at the pace of their labels, with the shared token, parsed answers and named failures. */
import { z } from 'zod';
import { createOutbound } from '../outbound/outbound.ts';
import type { TokenSource } from '../outbound/types.ts';
import type { OutsideStats } from '../platform/outside.ts';
import type { ZoomSettings } from '../platform/zoom-settings.ts';
import { type About, failureOf, isOfTheSecond } from './answers.ts';
import { type Label, Pace } from './pace.ts';
import { ZOOM, ZoomError } from './types.ts';

const MOST_BYTES = 4_000_000;
const TIMEOUT_MS = 60_000;
/** Concurrent calls of both labels. */
const CONNECTIONS = 48;
/** Maximum number of repeats of a call that exceeded the limit per second. */
const REPEATS = 12;
const PAGE = 300;
/** A longer list counts as endless. */
const MOST_PAGES = 500;

export interface Call<T> {
  label: Label;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the API's address, encoded. */
  path: string;
  body?: object;
  /** Schema of the answer; null if none of it is needed. */
  answer: z.ZodType<T> | null;
  about?: About;
  signal?: AbortSignal | undefined;
}

export interface Calls {
  /** @throws ZoomError, or the reason of the signal */
  call<T>(call: Call<T>): Promise<T>;
  /** Reads all pages of a list. @param name name of the field with the entries */
  list<T>(
    path: string,
    name: string,
    entry: z.ZodType<T>,
    options?: Pick<Call<T>, 'about' | 'signal'>,
  ): Promise<T[]>;
  stats(): OutsideStats;
  close(): Promise<void>;
}

export function createCalls(settings: ZoomSettings, token: TokenSource, now: () => number): Calls {
  const { origin, pathname: base } = new URL(settings.apiUrl);
  const outbound = createOutbound({
    system: ZOOM,
    origin,
    headers: { accept: 'application/json' },
    atOnce: CONNECTIONS,
    maxBytes: MOST_BYTES,
    wholeMs: TIMEOUT_MS,
    throttledRepeats: REPEATS,
    isThrottled: isOfTheSecond,
    failure: (kind, failure) => new ZoomError(kind, failure),
  });
  const paces = { Light: new Pace('Light'), Medium: new Pace('Medium') };

  async function call<T>(request: Call<T>): Promise<T> {
    const { label, method, path, body, about = {}, signal } = request;
    const answer = await outbound.request({
      method,
      path: base + path,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      token,
      // Zoom does not detect repeated requests: POST is never repeated, and the others are idempotent.
      repeatable: method !== 'POST',
      gate: paces[label],
      ...(signal ? { signal } : {}),
    });
    if (answer.status < 200 || answer.status >= 300) throw failureOf(answer, about, now());
    return readAnswer(answer, request);
  }

  return {
    call,
    list: (path, name, entry, options = {}) => readPages(call, path, name, entry, options),
    stats: () => outbound.stats(),
    close: () => outbound.close(),
  };
}

/** @throws ZoomError odd, for an answer without the needed fields */
function readAnswer<T>({ status, text }: { status: number; text: string }, { method, answer }: Call<T>): T {
  const read = (answer ?? (z.unknown() as z.ZodType<T>)).safeParse(json(text));
  if (read.success) return read.data;
  // The item may have been created: only reading again can tell.
  const sent = method === 'POST' ? 'maybe' : 'answered';
  const fields = read.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new ZoomError('odd', { status, sent, detail: `the answer does not contain ${fields || 'all'}` });
}

/** Reads all pages of a list. @throws ZoomError too-much, for one without an end */
async function readPages<T>(
  call: Calls['call'],
  path: string,
  name: string,
  entry: z.ZodType<T>,
  options: Pick<Call<T>, 'about' | 'signal'>,
): Promise<T[]> {
  const page = z.object({ [name]: z.array(entry), next_page_token: z.string().nullish() });
  const found = [];
  const seen = new Set<string>();
  let next = '';
  do {
    const query = new URLSearchParams({
      page_size: String(PAGE),
      ...(next && { next_page_token: next }),
    });
    const target = `${path}${path.includes('?') ? '&' : '?'}${query}`;
    const got = await call({ label: 'Medium', method: 'GET', path: target, answer: page, ...options });
    found.push(...(got[name] as z.output<typeof entry>[]));
    next = typeof got['next_page_token'] === 'string' ? got['next_page_token'] : '';
    if (seen.has(next) || seen.size >= MOST_PAGES) {
      throw new ZoomError('too-much', { sent: 'answered', detail: 'an endless list' });
    }
    seen.add(next);
  } while (next !== '');
  return found;
}

/** Parses an answer; an empty body counts as an empty object. */
function json(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return null;
  }
}
