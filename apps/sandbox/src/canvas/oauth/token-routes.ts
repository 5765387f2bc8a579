/** The client's half of OAuth2: exchange, refresh, revoke (reference §2.2, §2.3). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, type Params, paramsOf, text } from '../../http/params.ts';
import { baseUrl } from '../../http/urls.ts';
import { tokenInUse, tokenText } from '../http/auth.ts';
import { refused } from '../http/errors.ts';
import type { World } from '../store/world.ts';
import type { OAuthParts } from './authorize.ts';
import { oauthRefusal } from './errors.ts';
import { type AccessToken, type DeveloperKey, type TokenStore, verifierFits } from './tokens.ts';

const TOKEN_LIFE_SECONDS = 3600;
/** Global IDs contain the number of the shard (§1). */
const SHARD = 10_000_000_000_000n;
const NO_TOKEN = "can't delete OAuth access token when not using an OAuth access token";

export function tokenRoutes({ world, tokens, sessions }: OAuthParts): FastifyPluginAsync {
  return async (app) => {
    app.post('/login/oauth2/token', (request, reply) => {
      const params = paramsOf(request);
      void reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
      // Canvas's order of checks: grant type, client, secret, code or refresh token (§2.2).
      const grantType =
        text(params, 'grant_type') ?? (text(params, 'code') === null ? '' : 'authorization_code');
      if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
        throw oauthRefusal('unknownGrantType');
      }
      const key = clientOf(request, params, tokens);
      if (grantType === 'refresh_token') return refresh(world, tokens, key, params);
      return exchange(world, tokens, key, params);
    });

    app.delete('/login/oauth2/token', (request) => {
      const given = tokenText(request);
      if (given === null || given === '') throw refused(400, NO_TOKEN);
      const { token } = tokenInUse(given, world, tokens);
      // The script token is part of the installation: none of its users can remove it.
      if (token.keyId !== null) tokens.revoke(token);
      if (!flag(paramsOf(request), 'expire_sessions')) return {};
      sessions.endAll(token.userId);
      return { forward_url: `${baseUrl(request)}/login` };
    });
  };
}

/** @throws ApiError 401 for an unknown client or a wrong secret. */
function clientOf(request: FastifyRequest, params: Params, tokens: TokenStore): DeveloperKey {
  const { authorization } = request.headers;
  const [basicId, ...rest] = authorization?.startsWith('Basic ')
    ? Buffer.from(authorization.slice(6), 'base64').toString('utf8').split(':')
    : [];
  // The header supplies whichever of the two the body does not give.
  const id = text(params, 'client_id') || basicId || null;
  const secret = text(params, 'client_secret') || rest.join(':');
  const key = tokens.key(id);
  if (!key) throw oauthRefusal('unknownClient');
  if (secret !== key.secret) throw oauthRefusal('wrongSecret');
  return key;
}

function exchange(world: World, tokens: TokenStore, key: DeveloperKey, params: Params): object {
  const code = text(params, 'code');
  if (code === null || code === '') throw oauthRefusal('noCode');
  const grant = tokens.peekCode(code);
  if (!grant) throw oauthRefusal('unknownCode');
  if (grant.keyId !== key.id) throw oauthRefusal('foreignGrant');
  tokens.spendCode(code);
  if (grant.challenge && !verifierFits(grant.challenge, text(params, 'code_verifier') ?? '')) {
    throw oauthRefusal('wrongVerifier');
  }
  const user = userObject(world, grant.userId);
  if (grant.identityOnly) return { access_token: null, token_type: 'Bearer', user, canvas_region: 'unknown' };
  const token = tokens.issueToken(grant);
  if (flag(params, 'replace_tokens')) tokens.revokeOthers(token);
  return { ...tokenObject(token, user), refresh_token: token.refreshToken, expires_in: TOKEN_LIFE_SECONDS };
}

function refresh(world: World, tokens: TokenStore, key: DeveloperKey, params: Params): object {
  const given = text(params, 'refresh_token');
  if (given === null || given === '') throw oauthRefusal('noRefreshToken');
  const token = tokens.findRefresh(given);
  if (!token) throw oauthRefusal('unknownRefreshToken');
  if (token.keyId !== key.id) throw oauthRefusal('foreignGrant');
  const renewed = tokens.renew(token);
  return { ...tokenObject(renewed, userObject(world, token.userId)), expires_in: TOKEN_LIFE_SECONDS };
}

function tokenObject(token: AccessToken, user: object): Record<string, unknown> {
  return { access_token: token.token, token_type: 'Bearer', user, canvas_region: 'unknown' };
}

function userObject(world: World, userId: number): object {
  const user = world.users.must(userId);
  return {
    id: user.id,
    name: user.name,
    global_id: String(SHARD + BigInt(user.id)),
    effective_locale: user.locale ?? 'en',
    fake_student: false,
  };
}
