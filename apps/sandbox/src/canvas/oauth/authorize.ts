/** The browser's half of OAuth2: authorize, sign in, confirm (reference §2.1). */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type Params, paramsOf, text } from '../../http/params.ts';
import { htmlPage } from '../http/html-page.ts';
import type { World } from '../store/world.ts';
import { INVALID_SCOPE_TEXT, oauthRefusal, REDIRECTED } from './errors.ts';
import { confirmPage, messagePage, signInPage } from './pages.ts';
import type { PendingAuthorization, Sessions } from './sessions.ts';
import type { DeveloperKey, TokenStore } from './tokens.ts';

export type OAuthParts = { world: World; tokens: TokenStore; sessions: Sessions };

const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';
const OUT_OF_BAND_PATH = '/login/oauth2/auth';
const IDENTITY_SCOPE = '/auth/userinfo';
const PROMPTS = new Set(['', 'none', 'login']);

export function authorizeRoutes(parts: OAuthParts): FastifyPluginAsync {
  const pages = new AuthorizePages(parts);
  return async (app) => {
    app.get('/login/oauth2/auth', (request, reply) => pages.authorize(request, reply));
    app.get('/login', (_request, reply) => reply.redirect('/login/oauth2/login', 302));
    app.get('/login/oauth2/login', (request, reply) => pages.showSignIn(request, reply));
    app.post('/login/oauth2/login', (request, reply) => pages.signIn(request, reply));
    app.get('/login/oauth2/confirm', (request, reply) => pages.showConfirm(request, reply));
    app.post('/login/oauth2/accept', (request, reply) => pages.accept(request, reply));
    app.get('/login/oauth2/deny', (request, reply) => pages.deny(request, reply));
    app.post('/login/oauth2/switch', (request, reply) => pages.switchUser(request, reply));
  };
}

/** A client's valid request, ready for a person to confirm. */
interface AuthorizeRequest {
  key: DeveloperKey;
  pending: PendingAuthorization;
  prompt: string;
}

class AuthorizePages {
  readonly #world: World;
  readonly #tokens: TokenStore;
  readonly #sessions: Sessions;

  constructor({ world, tokens, sessions }: OAuthParts) {
    this.#world = world;
    this.#tokens = tokens;
    this.#sessions = sessions;
  }

  authorize(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const params = request.query as Params;
    // This address is also the out-of-band page for native apps.
    if (text(params, 'client_id') === null && (text(params, 'code') ?? text(params, 'error')) !== null) {
      return htmlPage(reply, messagePage('Authorisation', 'You can close this window now.'));
    }
    const key = this.#tokens.key(text(params, 'client_id'));
    if (!key) throw oauthRefusal('unknownClient');
    const redirectUri = text(params, 'redirect_uri') ?? '';
    if (!redirectFits(key, redirectUri)) throw oauthRefusal('badRedirect');
    const target = { redirectUri, state: text(params, 'state') };
    const authorization = this.#read(params, key, target);
    if ('refusal' in authorization) return refuse(reply, target, authorization.refusal);
    const userId = this.#sessions.userOf(request);
    if (authorization.prompt === 'none') return this.#withoutAsking(reply, authorization, userId);
    this.#sessions.noteRequest(reply, authorization.pending);
    const forcesLogin = authorization.prompt === 'login' || isOn(params, 'force_login');
    if (userId === null || forcesLogin) return toSignIn(reply, authorization.pending);
    return this.#proceed(reply, authorization.pending, key, userId);
  }

  /** Reads the request of a known client, or returns the reason for sending the browser back. */
  #read(params: Params, key: DeveloperKey, target: Target): AuthorizeRequest | { refusal: Refusal } {
    if (!key.allowed) return { refusal: REDIRECTED.unauthorizedClient };
    if (text(params, 'response_type') !== 'code') return { refusal: REDIRECTED.unsupportedResponseType };
    const scopes = (text(params, 'scope') ?? '').split(' ').filter((scope) => scope !== '');
    const identityOnly = scopes.length === 1 && scopes[0] === IDENTITY_SCOPE;
    if (key.scopes !== null && !identityOnly) {
      const refused = scopes.filter((scope) => !key.scopes?.includes(scope));
      if (refused.length > 0 || scopes.length === 0)
        return { refusal: ['invalid_scope', INVALID_SCOPE_TEXT + refused.join(', ')] };
    }
    const prompt = text(params, 'prompt') ?? '';
    if (!PROMPTS.has(prompt)) return { refusal: REDIRECTED.unsupportedPrompt };
    const challenge = challengeOf(params);
    if (challenge === 'bad') return { refusal: REDIRECTED.badChallengeMethod };
    const pending = this.#sessions.remember({
      ...target,
      keyId: key.id,
      scopes: key.scopes === null || identityOnly ? null : scopes,
      identityOnly,
      challenge,
    });
    return { key, pending, prompt };
  }

  #withoutAsking(
    reply: FastifyReply,
    { key, pending }: AuthorizeRequest,
    userId: number | null,
  ): FastifyReply {
    if (userId === null) return refuse(reply, pending, REDIRECTED.loginRequired);
    if (!key.trusted && !this.#tokens.hasConsent(key.id, userId))
      return refuse(reply, pending, REDIRECTED.interactionRequired);
    return this.#grant(reply, pending, userId);
  }

  showSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const params = request.query as Params;
    const pending = this.#sessions.pending(text(params, 'request'));
    return htmlPage(
      reply,
      signInPage({
        request: pending?.id ?? null,
        applicationName: pending ? (this.#tokens.key(pending.keyId)?.name ?? null) : null,
        wrong: text(params, 'wrong'),
        to: ownPage(params),
      }),
    );
  }

  signIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const params = paramsOf(request);
    const login = text(params, 'login')?.trim() ?? '';
    const pending = this.#sessions.pending(text(params, 'request'));
    const found = this.#world.pseudonyms.by.login
      .get(login.toLowerCase())
      .find((pseudonym) => pseudonym.workflow_state === 'active');
    const to = ownPage(params);
    if (!found) {
      const query = new URLSearchParams({
        wrong: login,
        ...(pending && { request: pending.id }),
        ...(to !== null && { to }),
      });
      return reply.redirect(`/login/oauth2/login?${query}`, 303);
    }
    this.#sessions.signIn(reply, found.user_id);
    this.#world.pseudonyms.change(found, { last_request_at: this.#world.now() });
    const key = pending && this.#tokens.key(pending.keyId);
    if (!pending || !key) return reply.redirect(to ?? '/', 303);
    return this.#proceed(reply, pending, key, found.user_id);
  }

  showConfirm(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const pending = this.#sessions.pending(text(request.query as Params, 'request'));
    const key = pending && this.#tokens.key(pending.keyId);
    if (!pending || !key) return requestIsOver(reply);
    const user = this.#world.users.get(this.#sessions.userOf(request));
    if (!user) return toSignIn(reply, pending);
    return htmlPage(
      reply,
      confirmPage({
        request: pending.id,
        applicationName: key.name,
        user,
        login: this.#world.loginsOf(user.id)[0]?.unique_id ?? '',
        scopes: pending.scopes,
      }),
    );
  }

  accept(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const params = paramsOf(request);
    const pending = this.#sessions.pending(text(params, 'request'));
    const userId = this.#sessions.userOf(request);
    if (!pending || userId === null) return requestIsOver(reply);
    return text(params, 'decision') === 'cancel'
      ? this.#refuseAccess(reply, pending)
      : this.#grant(reply, pending, userId);
  }

  /** Returns to the client without access; the request is the one named, or the last one of this browser. */
  deny(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const named = text(request.query as Params, 'request') ?? this.#sessions.lastRequest(request);
    const pending = this.#sessions.pending(named);
    if (!pending)
      return reply.code(400).type('text/plain; charset=utf-8').send('Invalid or missing session for oauth');
    return this.#refuseAccess(reply, pending);
  }

  #refuseAccess(reply: FastifyReply, pending: PendingAuthorization): FastifyReply {
    this.#sessions.forget(pending.id);
    return refuse(reply, pending, REDIRECTED.accessDenied);
  }

  switchUser(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const pending = this.#sessions.pending(text(paramsOf(request), 'request'));
    this.#sessions.signOut(request);
    return reply.redirect(`/login/oauth2/login${pending ? `?request=${pending.id}` : ''}`, 303);
  }

  /** Returns to the client with a code. */
  #grant(reply: FastifyReply, pending: PendingAuthorization, userId: number): FastifyReply {
    this.#sessions.forget(pending.id);
    const { keyId, scopes, challenge, identityOnly } = pending;
    const code = this.#tokens.issueCode({ keyId, userId, scopes, challenge, identityOnly });
    return back(reply, pending, { code });
  }

  /**
   * Continues after sign-in: back to the client if there is nothing to confirm, otherwise to the confirmation
   * page.
   */
  #proceed(
    reply: FastifyReply,
    pending: PendingAuthorization,
    key: DeveloperKey,
    userId: number,
  ): FastifyReply {
    return key.trusted || (pending.identityOnly && this.#tokens.hasConsent(key.id, userId))
      ? this.#grant(reply, pending, userId)
      : reply.redirect(`/login/oauth2/confirm?request=${pending.id}`, 302);
  }
}

function toSignIn(reply: FastifyReply, { id }: PendingAuthorization): FastifyReply {
  return reply.redirect(`/login/oauth2/login?request=${id}`, 302);
}

function requestIsOver(reply: FastifyReply): FastifyReply {
  void reply.code(400);
  return htmlPage(
    reply,
    messagePage('This request has expired', 'Go back to the application and sign in again.'),
  );
}

/** Returns the page that was requested before sign-in, if it is one that requires sign-in. */
function ownPage(params: Params): string | null {
  const to = text(params, 'to') ?? '';
  return /^\/calendar(\?[\w=&%]*)?$/.test(to) ? to : null;
}

type Target = { redirectUri: string; state: string | null };
type Refusal = readonly [string, string | null];

function refuse(reply: FastifyReply, target: Target, refusal: Refusal): FastifyReply {
  const [error, description] = refusal;
  return back(reply, target, { error, ...(description ? { error_description: description } : {}) });
}

/** Returns to the client: parameters in alphabetical order, after any existing query (§2.1). */
function back(reply: FastifyReply, target: Target, answer: Record<string, string>): FastifyReply {
  const all = { ...answer, ...(target.state === null ? {} : { state: target.state }) };
  const query = Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%20', '+')}`)
    .join('&');
  const uri = target.redirectUri === OUT_OF_BAND ? OUT_OF_BAND_PATH : target.redirectUri;
  return reply.redirect(`${uri}${uri.includes('?') ? '&' : '?'}${query}`, 302);
}

/** Returns whether the host is the key's own or a subdomain of it (§2.1). */
function redirectFits(key: DeveloperKey, redirectUri: string): boolean {
  if (redirectUri === OUT_OF_BAND) return true;
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  const host = url.hostname.toLowerCase();
  return key.redirectHosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
}

function challengeOf(params: Params): PendingAuthorization['challenge'] | 'bad' {
  const value = text(params, 'code_challenge');
  if (!value) return null;
  const method = text(params, 'code_challenge_method') ?? 'plain';
  return method === 'S256' || method === 'plain' ? { value, method } : 'bad';
}

function isOn(params: Params, name: string): boolean {
  const value = text(params, name);
  return value === '1' || value === 'true';
}
