/** Calls to the API of Qualtrics, with credentials of either kind (reference of Qualtrics §1). */
import { z } from 'zod';
import { OutsideError } from '../outbound/errors.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { createTokenSource } from '../outbound/token-source.ts';
import type { Outbound, OutboundRequest, OutboundStream, TokenSource } from '../outbound/types.ts';
import type { OutsideStats } from '../platform/outside.ts';
import type { QualtricsSettings } from '../platform/qualtrics-settings.ts';
import { failureOf, QUALTRICS, resultOf } from './answers.ts';

const MOST_BYTES = 8_000_000;
/** Limit for an export as sent: Qualtrics allows up to 1.8 GB, but hundreds of votes are far smaller. */
const MOST_FILE_BYTES = 200_000_000;
const TIMEOUT_MS = 30_000;
const FILE_TIMEOUT_MS = 600_000;
/** A job that is asked to wait longer rests instead, so that other work is not delayed. */
const LONGEST_WAIT_MS = 2_000;
const AT_ONCE = 4;
const SCOPE = 'read:surveys read:survey_responses';

export interface Call<T> {
  method: 'GET' | 'POST';
  /** Path below the API's address, encoded. */
  path: string;
  body?: object;
  /** Schema of the answer's `result`. */
  result: z.ZodType<T>;
  signal?: AbortSignal | undefined;
}

export interface Calls {
  /** @throws OutsideError, or the reason of the signal */
  call<T>(call: Call<T>): Promise<T>;
  /**
   * Streams the bytes of a file.
   * @throws like `call`, also while the bytes are read
   */
  bytes(path: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  stats(): OutsideStats;
  close(): Promise<void>;
}

export function createCalls(settings: QualtricsSettings): Calls {
  const { origin, pathname: base } = new URL(settings.apiUrl);
  const { credentials } = settings;
  const outbound = createOutbound({
    system: QUALTRICS,
    origin,
    headers: {
      accept: 'application/json',
      ...('token' in credentials ? { 'x-api-token': credentials.token } : {}),
    },
    atOnce: AT_ONCE,
    maxBytes: MOST_BYTES,
    wholeMs: TIMEOUT_MS,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  const token = 'token' in credentials ? null : tokenSource(outbound, settings.tokenUrl, credentials);

  function request({ method, path, body, signal }: Omit<Call<unknown>, 'result'>): OutboundRequest {
    return {
      method,
      path: base + path,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      ...(token === null ? {} : { token }),
      ...(signal === undefined ? {} : { signal }),
    };
  }

  return {
    async call(call) {
      return resultOf(await outbound.request(request(call)), call.result);
    },
    async bytes(path, signal) {
      const { answer, body }: OutboundStream = await outbound.stream({
        ...request({ method: 'GET', path, signal }),
        maxBytes: MOST_FILE_BYTES,
        wholeMs: FILE_TIMEOUT_MS,
      });
      if (body === null) throw failureOf(answer);
      return body;
    },
    stats: () => outbound.stats(),
    close: () => outbound.close(),
  };
}

/** Creates a token source for credentials that are exchanged for a token. */
function tokenSource(
  outbound: Outbound,
  tokenUrl: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): TokenSource {
  return createTokenSource(async () => {
    const answer = await outbound.request({
      method: 'POST',
      path: new URL(tokenUrl).pathname,
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE }).toString(),
      repeatable: true,
    });
    const { status } = answer;
    // If Qualtrics rejects the app, the next call would fail too.
    const kind = status >= 500 ? 'down' : 'token-refused';
    if (status >= 300)
      throw new OutsideError(QUALTRICS, kind, { status, sent: 'no', detail: `HTTP ${status}` });
    const read = tokenAnswer.safeParse(parsed(answer.text));
    if (!read.success) {
      const detail = 'the token endpoint returned no token';
      throw new OutsideError(QUALTRICS, 'odd', { status, sent: 'no', detail });
    }
    return { value: read.data.access_token, lifeMs: read.data.expires_in * 1_000 };
  });
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
