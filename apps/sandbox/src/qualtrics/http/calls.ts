/** Checks before every API call: the user, the permission and the limits. */

import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Scope } from '../oauth/clients.ts';
import type { Credentials } from '../oauth/credentials.ts';
import type { Survey } from '../store/model.ts';
import type { QualtricsContext } from './context.ts';
import { badBearer, forbidden, noCredentials, noSurvey, unknownToken } from './errors.ts';
import type { Counted } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The caller, and whether the call was forwarded from another data center; null if the caller is unknown.
     */
    qualtrics: { userId: string; proxied: boolean } | null;
  }
}

/** Creates the checks before a route. `scope` is the scope that an app needs; null if it needs none. */
export type Guard = (scope: Scope | null, counted?: Counted) => { onRequest: onRequestAsyncHookHandler };

export function guardBy(credentials: Credentials, { limits, switches }: QualtricsContext): Guard {
  return (scope, counted = 'all') => ({
    onRequest: async (request) => {
      const { token, bearer } = textsOf(request);
      if (token === null && bearer === null) throw noCredentials();
      if (token !== null) {
        const userId = credentials.userOf(token);
        if (userId === undefined) throw unknownToken();
        request.qualtrics = { userId, proxied: switches.elsewhere };
      } else {
        const found = credentials.find(bearer ?? '');
        if (!found || switches.elsewhere) throw badBearer();
        if (scope !== null && !found.scopes.includes(scope))
          throw forbidden(`The access token does not have the scope ${scope}.`);
        request.qualtrics = { userId: found.userId, proxied: false };
      }
      limits.enter(counted);
    },
  });
}

/** Returns the API token or the bearer token, or null if the request has neither. */
export function credentialOf(request: FastifyRequest): string | null {
  const { token, bearer } = textsOf(request);
  return token ?? bearer;
}

/** Finds the survey in the path, if the user can see it. @throws QualtricsError 404, 403 */
export function surveyAt({ store }: QualtricsContext, request: FastifyRequest): Survey {
  const { survey: id = '' } = request.params as { survey?: string };
  const survey = store.survey(id);
  if (!survey) throw noSurvey();
  if (!maySee(survey, request)) throw forbidden();
  return survey;
}

export function maySee({ ownerId, sharedWith }: Survey, { qualtrics }: FastifyRequest): boolean {
  return [ownerId, ...sharedWith].some((id) => id === qualtrics?.userId);
}

function textsOf({ headers }: FastifyRequest): { token: string | null; bearer: string | null } {
  const token = headers['x-api-token'];
  return {
    token: typeof token === 'string' && token !== '' ? token : null,
    bearer: /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null,
  };
}
