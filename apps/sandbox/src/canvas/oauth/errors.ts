/** Errors of the OAuth2 endpoints (reference §2), in one table. */

import { ApiError } from '../http/errors.ts';

/** Errors answered as JSON: status, `error`, `error_description`. */
const REFUSALS = {
  unknownGrantType: [
    400,
    'unsupported_grant_type',
    'The grant_type you requested is not currently supported',
  ],
  unknownClient: [401, 'invalid_client', 'unknown client'],
  wrongSecret: [401, 'invalid_client', 'invalid client'],
  noCode: [
    400,
    'invalid_request',
    'You must provide the code parameter when using the authorization_code grant type',
  ],
  noRefreshToken: [
    400,
    'invalid_request',
    'You must provide the refresh_token parameter when using the refresh_token grant type',
  ],
  unknownCode: [400, 'invalid_grant', 'authorization_code not found'],
  foreignGrant: [400, 'invalid_grant', 'incorrect client'],
  unknownRefreshToken: [400, 'invalid_grant', 'refresh_token not found'],
  wrongVerifier: [400, 'invalid_grant', 'incorrect code_verifier'],
  badRedirect: [400, 'invalid_request', 'redirect_uri does not match client settings'],
} as const;

/** Errors returned to the client's redirect address. */
export const REDIRECTED = {
  unauthorizedClient: ['unauthorized_client', 'Client does not have access to the specified Canvas account.'],
  unsupportedResponseType: ['unsupported_response_type', 'Only response_type=code is permitted'],
  unsupportedPrompt: [
    'unsupported_prompt_type',
    'prompt must be "none" or "login" (or may be omitted altogether)',
  ],
  loginRequired: ['login_required', 'prompt=none but there is no current session'],
  interactionRequired: ['interaction_required', 'prompt=none but expected user interaction is required'],
  accessDenied: ['access_denied', null],
  badChallengeMethod: ['invalid_request', 'code_challenge_method must be S256 or plain'],
} as const;

export const INVALID_SCOPE_TEXT =
  'A requested scope is invalid, unknown, malformed, or exceeds the scope granted by the resource owner. ' +
  'The following scopes were requested, but not granted: ';

/** Returns an error as JSON; 401s carry Canvas's own challenge. */
export function oauthRefusal(name: keyof typeof REFUSALS): ApiError {
  const [status, error, error_description] = REFUSALS[name];
  const headers: Record<string, string> = status === 401 ? { 'www-authenticate': 'Canvas OAuth 2.0' } : {};
  return new ApiError(status, { error, error_description }, headers);
}
