/** Server-to-server apps of the practice account (Zoom reference §2). Their credentials are not secrets. */

import type { SandboxOptions } from '../../config.ts';

export const ACCOUNT_ID = 'sandbox-zoom-account';
export const CLIENT_ID = 'sandbox-zoom-client';

export type ZoomClient = { id: string; secret: string; scopes: readonly string[]; active: boolean };

/** Former names of the granular scopes, which are still valid. */
export const CLASSIC = {
  'user:read:list_users:admin': 'user:read:admin',
  'user:read:user:admin': 'user:read:admin',
  'user:read:settings:admin': 'user:read:admin',
  'user:read:list_schedulers:admin': 'user:read:admin',
  'user:delete:scheduler:admin': 'user:write:admin',
  'user:read:list_assistants:admin': 'user:read:admin',
  'user:write:assistant:admin': 'user:write:admin',
  'user:delete:assistant:admin': 'user:write:admin',
  'meeting:write:meeting:admin': 'meeting:write:admin',
  'meeting:update:meeting:admin': 'meeting:write:admin',
  'meeting:update:status:admin': 'meeting:write:admin',
  'meeting:delete:meeting:admin': 'meeting:write:admin',
  'meeting:read:meeting:admin': 'meeting:read:admin',
  'meeting:read:past_meeting:admin': 'meeting:read:admin',
  'meeting:read:list_meetings:admin': 'meeting:read:admin',
  'meeting:read:list_upcoming_meetings:admin': 'meeting:read:admin',
  'meeting:read:invitation:admin': 'meeting:read:admin',
  'tracking_field:read:list_tracking_fields:admin': 'trackingfield:read:admin',
  'webinar:read:webinar:admin': 'webinar:read:admin',
} as const;

export type Scope = keyof typeof CLASSIC;

/** A read-only app, for tests of scopes. */
const READER_SCOPES: readonly Scope[] = [
  'user:read:list_users:admin',
  'user:read:user:admin',
  'meeting:read:meeting:admin',
  'meeting:read:list_meetings:admin',
];

export function zoomClients({ zoomClientSecret }: SandboxOptions): readonly ZoomClient[] {
  return [
    { id: CLIENT_ID, secret: zoomClientSecret, scopes: Object.keys(CLASSIC), active: true },
    {
      id: 'sandbox-zoom-classic',
      secret: 'sandbox-zoom-classic-secret',
      scopes: [...new Set(Object.values(CLASSIC))],
      active: true,
    },
    { id: 'sandbox-zoom-reader', secret: 'sandbox-zoom-reader-secret', scopes: READER_SCOPES, active: true },
    { id: 'sandbox-zoom-inactive', secret: 'sandbox-zoom-inactive-secret', scopes: [], active: false },
  ];
}
