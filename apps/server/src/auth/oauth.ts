/** OAuth2 with Canvas (reference §2): where a browser is sent to sign in, and the token requests behind it. */
import * as oauth from 'openid-client';
import { z } from 'zod';
import { CanvasError } from '../canvas/types.ts';
import { OutsideError } from '../outbound/errors.ts';
import type { OutboundFetch } from '../outbound/types.ts';
import type { LmsConfig } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';

export interface TokenSet {
  accessToken: string;
  /** Null in the answer to a refresh: Canvas keeps the old one valid. */
  refreshToken: string | null;
  expiresAt: Date | null;
  /** Canvas id and name of the person; null in the answer to a refresh. */
  user: { id: number; name: string } | null;
}

export interface OAuth {
  /** Address of the LMS's sign-in page; `verifier` stays with us (PKCE). */
  signInUrl(redirectUri: string, state: string, verifier: string): Promise<string>;
  /**
   * Exchanges a code.
   * @throws AppError bad-request when the LMS does not accept the code, lms-refused when it does not accept our developer
   * key; CanvasError when it does not answer
   */
  exchange(redirectUri: string, code: string, state: string, verifier: string): Promise<TokenSet>;
  /** A new access token, or null when the LMS does not accept the refresh token any more. @throws CanvasError */
  renew(refreshToken: string): Promise<TokenSet | null>;
  /** Whether the developer key lets people return to this address. @throws CanvasError */
  allowsReturn(redirectUri: string): Promise<boolean>;
}

const canvasUser = z.object({ id: z.coerce.number().int().positive(), name: z.string() });

/** OAuth2 endpoints of the LMS with the secret of our developer key, reached by the LMS client's way out. */
export function createOAuth(lms: LmsConfig, wayOut: OutboundFetch): OAuth {
  const configuration = configurationOf(lms, wayOut);
  return {
    async signInUrl(redirectUri, state, verifier) {
      const url = oauth.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async exchange(redirectUri, code, state, verifier) {
      const returned = new URL(redirectUri);
      returned.searchParams.set('code', code);
      returned.searchParams.set('state', state);
      try {
        const answer = await oauth.authorizationCodeGrant(configuration, returned, {
          expectedState: state,
          pkceCodeVerifier: verifier,
        });
        return tokenSet(answer);
      } catch (error) {
        throw failedExchange(error);
      }
    },
    async allowsReturn(redirectUri) {
      const url = oauth.buildAuthorizationUrl(configuration, { redirect_uri: redirectUri, state: 'check' });
      const { status } = await wayOut(url.href, { method: 'GET', headers: {} });
      // Canvas shows its sign-in, or goes there; an address that the key does not have is an error of the caller.
      return status < 400;
    },
    async renew(refreshToken) {
      try {
        return tokenSet(await oauth.refreshTokenGrant(configuration, refreshToken));
      } catch (error) {
        if (refusedGrant(error)) return null;
        throw asCanvasError(error);
      }
    },
  };
}

function configurationOf(lms: LmsConfig, wayOut: OutboundFetch): oauth.Configuration {
  const configuration = new oauth.Configuration(
    {
      issuer: lms.url,
      authorization_endpoint: `${lms.url}/login/oauth2/auth`,
      token_endpoint: `${lms.url}/login/oauth2/token`,
    },
    lms.clientId,
    undefined,
    // Canvas documents the secret in the body.
    oauth.ClientSecretPost(lms.clientSecret),
  );
  configuration[oauth.customFetch] = wayOut;
  // Time limits are those of the way out.
  configuration.timeout = 0;
  // Settings admit plain http for this machine only.
  if (lms.url.startsWith('http:')) oauth.allowInsecureRequests(configuration);
  return configuration;
}

function tokenSet(answer: Awaited<ReturnType<typeof oauth.refreshTokenGrant>>): TokenSet {
  const lifeSeconds = answer.expiresIn();
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    expiresAt: lifeSeconds === undefined ? null : new Date(Date.now() + lifeSeconds * 1_000),
    user: canvasUser.safeParse(answer.user).data ?? null,
  };
}

/** The LMS answered, and said no to the code or the refresh token. */
function refusedGrant(error: unknown): boolean {
  return error instanceof oauth.ResponseBodyError && !refusesUs(error);
}

/** It says no to our developer key: its number or secret in our settings is wrong, or it was switched off. */
function refusesUs(error: unknown): boolean {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return true;
  if (!(error instanceof oauth.ResponseBodyError)) return false;
  return error.status === 401 || ['invalid_client', 'unauthorized_client'].includes(error.error);
}

/** Why a code was not exchanged. */
function failedExchange(cause: unknown): AppError | CanvasError {
  if (refusesUs(cause)) {
    return new AppError('lms-refused', {
      message: 'The LMS refuses the developer key of LMS Admin.',
      next: 'Ask IT Support to check the key in the settings of LMS Admin.',
      cause,
    });
  }
  if (refusedGrant(cause)) {
    const message = 'The LMS did not accept the sign-in.';
    return new AppError('bad-request', { message, next: 'Sign in again.', cause });
  }
  return asCanvasError(cause);
}

function asCanvasError(error: unknown): CanvasError {
  if (refusesUs(error)) {
    const detail = 'the developer key is refused';
    return new CanvasError('token-refused', { sent: 'answered', detail, cause: error });
  }
  const { cause } = error instanceof Error ? error : {};
  if (cause instanceof OutsideError) {
    const { kind, status, sent, detail } = cause;
    return new CanvasError(kind, { status, sent, detail, cause: error });
  }
  const detail = 'the token endpoint gave no token';
  return new CanvasError('down', { sent: 'maybe', detail, cause: error });
}
