/** The token of the app in Zoom, and a check of its scopes (reference §2). */
import { z } from 'zod';
import { createOutbound } from '../outbound/outbound.ts';
import { createTokenSource } from '../outbound/token-source.ts';
import type { TokenSource } from '../outbound/types.ts';
import type { OutsideStats } from '../platform/outside.ts';
import type { ZoomSettings } from '../platform/zoom-settings.ts';
import { failureOf } from './answers.ts';
import { ZOOM, ZoomError } from './types.ts';

/** Required scopes, with their former names, which an older app still has. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'user:read:admin': [
    'user:read:list_users:admin',
    'user:read:user:admin',
    'user:read:list_schedulers:admin',
  ],
  'meeting:read:admin': ['meeting:read:meeting:admin', 'meeting:read:list_meetings:admin'],
  'meeting:write:admin': [
    'meeting:write:meeting:admin',
    'meeting:update:meeting:admin',
    'meeting:delete:meeting:admin',
  ],
};

const MOST_BYTES = 100_000;
const TIMEOUT_MS = 20_000;

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  scope: z.string().default(''),
});

export interface Account {
  token: Required<TokenSource>;
  /** Scopes that the app lacks. @throws ZoomError if no token is issued */
  missingScopes(): Promise<readonly string[]>;
  stats(): OutsideStats;
  close(): Promise<void>;
}

/** @param clock milliseconds of a monotonic clock (tests) */
export function createAccount(settings: ZoomSettings, clock?: () => number): Account {
  const { origin, pathname } = new URL(settings.tokenUrl);
  const outbound = createOutbound({
    system: ZOOM,
    origin,
    atOnce: 1,
    maxBytes: MOST_BYTES,
    wholeMs: TIMEOUT_MS,
    // A refusal of the credentials is not a refusal of a token.
    refusesToken: () => false,
    failure: (kind, failure) => new ZoomError(kind, failure),
  });
  const credentials = Buffer.from(`${settings.clientId}:${settings.clientSecret}`).toString('base64');
  let missing: readonly string[] = [];

  const token = createTokenSource(async () => {
    const answer = await outbound.request({
      method: 'POST',
      path: pathname,
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({
        grant_type: 'account_credentials',
        account_id: settings.account,
      }).toString(),
      repeatable: true,
    });
    if (answer.status >= 300) throw refused(failureOf(answer, {}, Date.now()));
    const read = tokenAnswer.safeParse(asJson(answer.text));
    if (!read.success) {
      const detail = 'the token endpoint returned no token';
      throw new ZoomError('odd', { status: answer.status, sent: 'answered', detail });
    }
    const given = new Set(read.data.scope.split(/[\s,]+/));
    missing = Object.entries(NEEDED).flatMap(([classic, scopes]) =>
      given.has(classic) ? [] : scopes.filter((scope) => !given.has(scope)),
    );
    return { value: read.data.access_token, lifeMs: read.data.expires_in * 1_000 };
  }, clock);

  return {
    token,
    async missingScopes() {
      await token.value();
      return missing;
    },
    stats: () => outbound.stats(),
    close: () => outbound.close(),
  };
}

/** Converts a rejection of the account, app or secret to a refused token, because the next call would fail too. */
function refused(failure: ZoomError): ZoomError {
  const { status, sent, detail } = failure;
  return failure.kind === 'rejected' || failure.kind === 'not-found'
    ? new ZoomError('token-refused', { status, sent, detail })
    : failure;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
