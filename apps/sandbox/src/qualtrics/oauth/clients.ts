/** Clients and their credentials (Qualtrics reference §1). None of the credentials is a secret. */

import type { SandboxOptions } from '../../config.ts';
import { HUGO, OWNER } from '../seed/users.ts';

export const CLIENT_ID = 'sandbox-qualtrics-client';

export const SCOPES = ['read:surveys', 'read:survey_responses', 'read:users'] as const;
export type Scope = (typeof SCOPES)[number];

export type QualtricsClient = { id: string; secret: string; userId: string; scopes: readonly Scope[] };

/** Returns the apps, including one for tests of scopes that cannot read responses. */
export function qualtricsClients({ qualtricsClientSecret }: SandboxOptions): readonly QualtricsClient[] {
  return [
    { id: CLIENT_ID, secret: qualtricsClientSecret, userId: OWNER.id, scopes: SCOPES },
    {
      id: 'sandbox-qualtrics-reader',
      secret: 'sandbox-qualtrics-reader-secret',
      userId: OWNER.id,
      scopes: ['read:surveys'],
    },
  ];
}

/** Returns API tokens and their users, including a colleague who cannot see the survey. */
export function apiTokens({ qualtricsToken }: SandboxOptions): Readonly<Record<string, string>> {
  return { 'sandbox-qualtrics-guest-token': HUGO.id, [qualtricsToken]: OWNER.id };
}
