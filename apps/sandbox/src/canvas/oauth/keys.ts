/** The developer keys of the sandbox (reference §2). */

import type { SandboxOptions } from '../../config.ts';
import type { DeveloperKey } from './tokens.ts';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** A key whose tokens are limited to the requested scopes; for tests of scopes. */
export const SCOPED_KEY_ID = '20';
export const SCOPED_KEY_SECRET = 'sandbox-scoped-secret';

/** A key that is disabled in this account; for tests. */
export const SWITCHED_OFF_KEY_ID = '30';

const SCOPED_KEY_SCOPES = [
  'url:GET|/api/v1/accounts',
  'url:GET|/api/v1/accounts/:id',
  'url:GET|/api/v1/accounts/:account_id/sub_accounts',
  'url:GET|/api/v1/accounts/:account_id/terms',
  'url:GET|/api/v1/accounts/:account_id/courses',
  'url:GET|/api/v1/accounts/:account_id/roles',
  'url:GET|/api/v1/accounts/:account_id/users',
  'url:GET|/api/v1/accounts/:account_id/sis_imports',
  'url:GET|/api/v1/accounts/:account_id/sis_imports/:id',
  'url:POST|/api/v1/accounts/:account_id/sis_imports',
  'url:GET|/api/v1/courses/:id',
  'url:GET|/api/v1/courses/:course_id/sections',
  'url:GET|/api/v1/courses/:course_id/users',
  'url:GET|/api/v1/courses/:course_id/enrollments',
  'url:PUT|/api/v1/sections/:id',
  'url:GET|/api/v1/users/:id',
  'url:GET|/api/v1/users/:user_id/profile',
  'url:GET|/api/v1/progress/:id',
  'url:GET|/api/v1/calendar_events',
];

/** Returns the console's key without scopes, and a second key that enforces scopes. */
export function developerKeys(options: SandboxOptions): DeveloperKey[] {
  return [
    {
      id: options.oauthClientId,
      name: 'LMS Admin',
      secret: options.oauthClientSecret,
      redirectHosts: [...LOCAL_HOSTS, ...options.redirectHosts],
      scopes: null,
      allowIncludes: false,
      trusted: false,
      allowed: true,
    },
    {
      id: SCOPED_KEY_ID,
      name: 'Practice application with scopes',
      secret: SCOPED_KEY_SECRET,
      redirectHosts: [...LOCAL_HOSTS, ...options.redirectHosts],
      scopes: SCOPED_KEY_SCOPES,
      allowIncludes: false,
      trusted: false,
      allowed: true,
    },
    {
      id: SWITCHED_OFF_KEY_ID,
      name: 'Application of another school',
      secret: 'sandbox-other-secret',
      redirectHosts: LOCAL_HOSTS,
      scopes: null,
      allowIncludes: false,
      trusted: false,
      allowed: false,
    },
  ];
}
