/** Sign-in: redirects to the LMS, exchanges the returned code and looks the person up in the access records. */
import { createHash, randomBytes } from 'node:crypto';
import { type Profile, type SubAccount } from '@lms-admin/contract/session';
import { and, eq, gt } from 'drizzle-orm';
import { z } from 'zod';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import { Allowance } from '../platform/allowance.ts';
import type { Audit } from '../platform/audit.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { loginStates } from '../platform/schema.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { FindRecord } from './admin.ts';
import type { Grants } from './grants.ts';
import type { OAuth, TokenSet } from './oauth.ts';
import type { Sessions } from './sessions.ts';

/** Milliseconds within which a person must sign in at the LMS: as long as Canvas keeps a code. */
export const SIGN_IN_MS = 600_000;
/** Maximum length of avatar address and name in the profile cookie. */
const MAX_AVATAR = 300;
const MAX_NAME = 100;
/** Name of a sign-in in the audit. */
export const SIGNED_IN = 'signed in';
const COOKIE_PURPOSE = 'sign-in state';

/** Id and network address of the request that ends a sign-in. */
export interface SignInRequest {
  requestId: string;
  address: string;
}

export interface SignedIn {
  sessionCookie: string;
  profile: Profile;
  /** Path in the console that was requested, or `/`. */
  returnTo: string;
}

export interface SignInParts {
  db: Db;
  canvas: CanvasClient;
  identity: LmsIdentity;
  oauth: OAuth;
  secrets: Secrets;
  access: FindRecord;
  grants: Grants;
  sessions: Sessions;
  audit: Audit;
  site: { origin: string };
  /** Limit for one person. */
  signInsPerMinute: number;
  now: () => number;
}

const pending = z.object({ state: z.string(), verifier: z.string() });
const selfProfile = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  login_id: z.string().nullish(),
  primary_email: z.string().nullish(),
  time_zone: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
type SelfProfile = z.infer<typeof selfProfile>;

/** Signs people in to this installation. */
export class SignIn {
  readonly #parts: SignInParts;
  readonly #people: Allowance;

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#people = new Allowance(parts.signInsPerMinute, parts.now);
  }

  /** Begins a sign-in. @returns the address for the browser, and the value of the cookie that binds the state to it */
  async begin(returnTo: string | undefined): Promise<{ url: string; cookie: string }> {
    const { db, oauth, secrets, site, now } = this.#parts;
    const state = randomBytes(24).toString('base64url');
    const verifier = randomBytes(32).toString('base64url');
    await db.insert(loginStates).values({
      id: hash(state),
      returnTo: ownPath(returnTo, site.origin),
      expiresAt: new Date(now() + SIGN_IN_MS),
    });
    return {
      url: await oauth.signInUrl(this.#redirectUri(), state, verifier),
      cookie: secrets.seal(JSON.stringify({ state, verifier }), COOKIE_PURPOSE),
    };
  }

  /**
   * Ends a sign-in: checks state and code, reads the person and opens the session.
   * @param cookie value of the cookie from `begin`
   * @param by the request, for the audit
   * @throws AppError bad-request for a wrong code or state, unknown-user for a person without a record, busy for a
   * person with too many sign-ins
   */
  async complete(
    code: string,
    state: string | undefined,
    cookie: string | undefined,
    by: SignInRequest,
  ): Promise<SignedIn> {
    const { oauth, identity, canvas, access, grants, sessions, audit, now } = this.#parts;
    const started = await this.#redeem(state, cookie);
    const tokens = await oauth.exchange(this.#redirectUri(), code, started.state, started.verifier);
    // A different LMS may now answer at the address; people who sign in work in the current one.
    const known = identity.now(freshToken(tokens), { fresh: true }).catch(() => null);
    const person = await readPerson(canvas, tokens);
    await known;
    await access.fresh();
    const { login, record } = await this.#admitted(person, tokens, by);
    const profile = profileOf(person, record, access.until(login), now());
    const grantId = await grants.create(login, person.id, tokens);
    const sessionCookie = await sessions.create({ grantId, login, profile });
    await audit.write({ ...lineOf(by), login, event: SIGNED_IN });
    return { sessionCookie, profile, returnTo: started.returnTo };
  }

  readonly #redirectUri = () => `${this.#parts.site.origin}/`;

  /** Removes the state from the store, because it is valid only once. */
  async #redeem(state: string | undefined, cookie: string | undefined) {
    const { db, secrets, now } = this.#parts;
    const started = openCookie(secrets, cookie);
    if (!started || state === undefined || state !== started.state) throw staleSignIn();
    const [row] = await db
      .delete(loginStates)
      .where(and(eq(loginStates.id, hash(state)), gt(loginStates.expiresAt, new Date(now()))))
      .returning({ returnTo: loginStates.returnTo });
    if (!row) throw staleSignIn();
    return { ...started, returnTo: row.returnTo };
  }

  /** Returns the person's record. The token of a rejected person is not kept. @throws AppError unknown-user, busy */
  async #admitted(person: SelfProfile, tokens: TokenSet, by: SignInRequest) {
    const { access, audit, canvas } = this.#parts;
    const found = findRecord(access, person);
    if (!found) {
      await forget(canvas, tokens);
      const login = person.login_id ?? person.primary_email ?? '';
      await audit.write({ ...lineOf(by), login, event: 'sign-in refused: no access record' });
      throw new AppError('unknown-user');
    }
    try {
      this.#people.take(found.login);
    } catch (error) {
      await forget(canvas, tokens);
      throw error;
    }
    return found;
  }
}

const lineOf = ({ address, requestId }: SignInRequest) => ({
  tool: 'auth',
  detail: { address },
  requestId,
});

/** Reads the person's own profile with their new token, because the token answer has no login, avatar or time zone. */
async function readPerson(canvas: CanvasClient, tokens: TokenSet): Promise<SelfProfile> {
  const { data } = await canvas.call({
    token: freshToken(tokens),
    method: 'GET',
    path: 'users/self/profile',
    answer: selfProfile,
  });
  return data;
}

/** Revokes the token of a person without a record. If that fails, the token expires on its own. */
async function forget(canvas: CanvasClient, tokens: TokenSet): Promise<void> {
  await canvas
    .call({ token: freshToken(tokens), method: 'DELETE', path: '/login/oauth2/token', answer: z.unknown() })
    .catch(() => undefined);
}

function freshToken({ accessToken }: TokenSet): CanvasToken {
  return {
    bucket: `sign-in ${hash(accessToken)}`,
    // The token is new, so a refusal is about permissions and signing in again would not help.
    owner: 'service',
    value: () => Promise.resolve(accessToken),
  };
}

/** Returns the record of the person's login, or else of their email address. */
function findRecord(access: FindRecord, person: SelfProfile): { login: string; record: SubAccount } | null {
  for (const name of [person.login_id, person.primary_email]) {
    const record = name ? access.find(name) : null;
    if (name && record) return { login: name.trim().toLowerCase(), record };
  }
  return null;
}

function profileOf(person: SelfProfile, record: SubAccount, until: string | null, time: number): Profile {
  const avatar = person.avatar_url ?? null;
  return {
    access_token: randomBytes(16).toString('hex'),
    time,
    user: { id: person.id, name: person.name.slice(0, MAX_NAME) },
    userProfile: {
      avatar_url: avatar !== null && avatar.length <= MAX_AVATAR ? avatar : null,
      time_zone: person.time_zone ?? null,
    },
    sub_account: record,
    access_until: until,
  };
}

function openCookie(secrets: Secrets, cookie: string | undefined): z.infer<typeof pending> | null {
  if (!cookie) return null;
  try {
    return pending.parse(JSON.parse(secrets.open(cookie, COOKIE_PURPOSE)));
  } catch {
    return null;
  }
}

function staleSignIn(): AppError {
  return new AppError('bad-request', {
    message: 'This sign-in was not started in this browser, or took too long.',
    next: 'Sign in again.',
  });
}

/** Returns a path of our own origin with its query, or `/` for anything else (OP-07). */
export function ownPath(path: string | undefined, origin: string): string {
  if (!path || path.length > 500 || !/^\/(?![/\\])[^\\\s]*$/.test(path)) return '/';
  if (!URL.canParse(path, origin)) return '/';
  const url = new URL(path, origin);
  if (url.origin !== new URL(origin).origin || /^\/(api|files)(\/|$)/i.test(url.pathname)) return '/';
  // `/..//school.example` is a path on our origin until it is resolved; the result would lead to another host.
  return url.pathname.startsWith('//') ? '/' : url.pathname + url.search + url.hash;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
