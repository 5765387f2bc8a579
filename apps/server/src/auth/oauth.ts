/** OAuth2 with Canvas (reference §2): the sign-in address and the token requests. */
import * as oauth from 'openid-client';
import { z } from 'zod';
import { CanvasError } from '../canvas/types.ts';
import { OutsideError } from '../outbound/errors.ts';
import type { OutboundFetch } from '../outbound/types.ts';
import type { LmsConfig } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';

export interface TokenSet {
  accessToken: string;
  /** Null in the answer to a refresh: the old one stays valid in Canvas. */
  refreshToken: string | null;
  expiresAt: Date | null;
  /** Canvas id and name of the person; null in the answer to a refresh. */
  user: { id: number; name: string } | null;
}

export interface OAuth {
  /** Returns the address of the LMS's sign-in page; `verifier` is not sent (PKCE). */
  signInUrl(redirectUri: string, state: string, verifier: string): Promise<string>;
  /**
   * Exchanges a code.
   * @throws AppError bad-request if the LMS rejects the code, lms-refused if it rejects our developer key; CanvasError
   * if it does not answer
   */
  exchange(redirectUri: string, code: string, state: string, verifier: string): Promise<TokenSet>;
  /** Returns a new access token, or null if the LMS rejects the refresh token. @throws CanvasError */
  renew(refreshToken: string): Promise<TokenSet | null>;
  /** Returns whether the developer key allows a redirect to this address. @throws CanvasError */
  allowsReturn(redirectUri: string): Promise<boolean>;
}

const canvasUser = z.object({ id: z.coerce.number().int().positive(), name: z.string() });

/** Creates the OAuth2 client with our developer key. It uses the LMS client's outbound connection. */
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
      // Canvas shows or redirects to its sign-in. An address that the key does not allow is a client error.
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
    // The Canvas documentation puts the secret in the body.
    oauth.ClientSecretPost(lms.clientSecret),
  );
  configuration[oauth.customFetch] = wayOut;
  // The outbound connection has its own time limits.
  configuration.timeout = 0;
  // Settings allow plain http for this machine only.
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

/** Returns whether the LMS answered and rejected the code or refresh token. */
function refusedGrant(error: unknown): boolean {
  return error instanceof oauth.ResponseBodyError && !refusesUs(error);
}

/**
 * Returns whether the LMS rejected our developer key: its id or secret in the settings is wrong, or it was switched
 * off.
 */
function refusesUs(error: unknown): boolean {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return true;
  if (!(error instanceof oauth.ResponseBodyError)) return false;
  return error.status === 401 || ['invalid_client', 'unauthorized_client'].includes(error.error);
}

/** Returns the error for a code that was not exchanged. */
function failedExchange(cause: unknown): AppError | CanvasError {
  if (refusesUs(cause)) {
    return new AppError('lms-refused', {
      message: 'The LMS rejects LMS Admin’s developer key.',
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
    const detail = 'the developer key is rejected';
    return new CanvasError('token-refused', { sent: 'answered', detail, cause: error });
  }
  const { cause } = error instanceof Error ? error : {};
  if (cause instanceof OutsideError) {
    const { kind, status, sent, detail } = cause;
    return new CanvasError(kind, { status, sent, detail, cause: error });
  }
  const detail = 'the token endpoint returned no token';
  return new CanvasError('down', { sent: 'maybe', detail, cause: error });
}
