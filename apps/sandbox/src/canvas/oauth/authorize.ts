/** The browser's half of OAuth2: authorize, sign in, confirm (reference §2.1). */

import type { FastifyPluginAsync, FastifyReply } from 'fastify';
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

export function authorizeRoutes({ world, tokens, sessions }: OAuthParts): FastifyPluginAsync {
  /** Back to the client with a code. */
  const grant = (reply: FastifyReply, pending: PendingAuthorization, userId: number): FastifyReply => {
    sessions.forget(pending.id);
    const { keyId, scopes, challenge, identityOnly } = pending;
    const code = tokens.issueCode({ keyId, userId, scopes, challenge, identityOnly });
    return back(reply, pending, { code });
  };

  /** Signed in: straight back when nothing is left to ask, else to the confirm page. */
  const proceed = (
    reply: FastifyReply,
    pending: PendingAuthorization,
    key: DeveloperKey,
    userId: number,
  ): FastifyReply =>
    key.trusted || (pending.identityOnly && tokens.hasConsent(key.id, userId))
      ? grant(reply, pending, userId)
      : reply.redirect(`/login/oauth2/confirm?request=${pending.id}`, 302);

  return async (app) => {
    app.get('/login/oauth2/auth', (request, reply) => {
      const params = request.query as Params;
      // The out-of-band page of native apps lives at the same address.
      if (text(params, 'client_id') === null && (text(params, 'code') ?? text(params, 'error')) !== null) {
        return htmlPage(reply, messagePage('Authorisation', 'You can close this window now.'));
      }
      const key = tokens.key(text(params, 'client_id'));
      if (!key) throw oauthRefusal('unknownClient');
      const redirectUri = text(params, 'redirect_uri') ?? '';
      if (!redirectFits(key, redirectUri)) throw oauthRefusal('badRedirect');
      const state = text(params, 'state');
      const target = { redirectUri, state };
      if (!key.allowed) return refuse(reply, target, REDIRECTED.unauthorizedClient);
      if (text(params, 'response_type') !== 'code') {
        return refuse(reply, target, REDIRECTED.unsupportedResponseType);
      }
      const asked = (text(params, 'scope') ?? '').split(' ').filter((scope) => scope !== '');
      const identityOnly = asked.length === 1 && asked[0] === IDENTITY_SCOPE;
      if (key.scopes !== null && !identityOnly) {
        const refused = asked.filter((scope) => !key.scopes?.includes(scope));
        if (refused.length > 0 || asked.length === 0) {
          return refuse(reply, target, ['invalid_scope', INVALID_SCOPE_TEXT + refused.join(', ')]);
        }
      }
      const prompt = text(params, 'prompt') ?? '';
      if (!PROMPTS.has(prompt)) return refuse(reply, target, REDIRECTED.unsupportedPrompt);
      const challenge = challengeOf(params);
      if (challenge === 'bad') return refuse(reply, target, REDIRECTED.badChallengeMethod);
      const pending = sessions.remember({
        ...target,
        keyId: key.id,
        scopes: key.scopes === null || identityOnly ? null : asked,
        identityOnly,
        challenge,
      });
      const userId = sessions.userOf(request);
      if (prompt === 'none') {
        if (userId === null) return refuse(reply, target, REDIRECTED.loginRequired);
        if (!key.trusted && !tokens.hasConsent(key.id, userId)) {
          return refuse(reply, target, REDIRECTED.interactionRequired);
        }
        return grant(reply, pending, userId);
      }
      const again = prompt === 'login' || isOn(params, 'force_login');
      if (userId === null || again) return reply.redirect(`/login/oauth2/login?request=${pending.id}`, 302);
      return proceed(reply, pending, key, userId);
    });

    app.get('/login', (_request, reply) => reply.redirect('/login/oauth2/login', 302));

    app.get('/login/oauth2/login', (request, reply) => {
      const params = request.query as Params;
      const pending = sessions.pending(text(params, 'request'));
      return htmlPage(
        reply,
        signInPage({
          request: pending?.id ?? null,
          applicationName: pending ? (tokens.key(pending.keyId)?.name ?? null) : null,
          wrong: text(params, 'wrong'),
          to: ownPage(params),
        }),
      );
    });

    app.post('/login/oauth2/login', (request, reply) => {
      const params = paramsOf(request);
      const login = text(params, 'login')?.trim() ?? '';
      const pending = sessions.pending(text(params, 'request'));
      const found = world.pseudonyms.by.login
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
      sessions.signIn(reply, found.user_id);
      world.pseudonyms.change(found, { last_request_at: world.now() });
      const key = pending && tokens.key(pending.keyId);
      if (!pending || !key) return reply.redirect(to ?? '/', 303);
      return proceed(reply, pending, key, found.user_id);
    });

    app.get('/login/oauth2/confirm', (request, reply) => {
      const pending = sessions.pending(text(request.query as Params, 'request'));
      const key = pending && tokens.key(pending.keyId);
      if (!pending || !key) {
        void reply.code(400);
        return htmlPage(
          reply,
          messagePage('This request is over', 'Go back to the application and start again.'),
        );
      }
      const user = world.users.get(sessions.userOf(request));
      if (!user) return reply.redirect(`/login/oauth2/login?request=${pending.id}`, 302);
      return htmlPage(
        reply,
        confirmPage({
          request: pending.id,
          applicationName: key.name,
          user,
          login: world.loginsOf(user.id)[0]?.unique_id ?? '',
          scopes: pending.scopes,
        }),
      );
    });

    app.post('/login/oauth2/accept', (request, reply) => {
      const params = paramsOf(request);
      const pending = sessions.pending(text(params, 'request'));
      const userId = sessions.userOf(request);
      if (!pending || userId === null) {
        void reply.code(400);
        return htmlPage(
          reply,
          messagePage('This request is over', 'Go back to the application and start again.'),
        );
      }
      if (text(params, 'decision') === 'cancel') {
        sessions.forget(pending.id);
        return refuse(reply, pending, REDIRECTED.accessDenied);
      }
      return grant(reply, pending, userId);
    });

    app.post('/login/oauth2/switch', (request, reply) => {
      const pending = sessions.pending(text(paramsOf(request), 'request'));
      sessions.signOut(request);
      return reply.redirect(`/login/oauth2/login${pending ? `?request=${pending.id}` : ''}`, 303);
    });
  };
}

/** The page that somebody wanted to see: only those that ask who looks. */
function ownPage(params: Params): string | null {
  const to = text(params, 'to') ?? '';
  return /^\/calendar(\?[\w=&%]*)?$/.test(to) ? to : null;
}

type Target = { redirectUri: string; state: string | null };

function refuse(
  reply: FastifyReply,
  target: Target,
  refusal: readonly [string, string | null],
): FastifyReply {
  const [error, description] = refusal;
  return back(reply, target, { error, ...(description ? { error_description: description } : {}) });
}

/** Back to the client: parameters in alphabetical order, appended to a query that is there already (§2.1). */
function back(reply: FastifyReply, target: Target, answer: Record<string, string>): FastifyReply {
  const all = { ...answer, ...(target.state === null ? {} : { state: target.state }) };
  const query = Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%20', '+')}`)
    .join('&');
  const uri = target.redirectUri === OUT_OF_BAND ? OUT_OF_BAND_PATH : target.redirectUri;
  return reply.redirect(`${uri}${uri.includes('?') ? '&' : '?'}${query}`, 302);
}

/** The host is the key's or a subdomain of it (§2.1). */
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
