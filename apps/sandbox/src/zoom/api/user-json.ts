/** People in Zoom's JSON (Zoom reference §6). */

import { ACCOUNT_ID } from '../oauth/clients.ts';
import type { ZoomUser } from '../store/model.ts';
import { zoomTime } from '../store/time.ts';
import { nameOf } from './people.ts';

const ROLES = { owner: { id: '0', name: 'Owner' }, member: { id: '2', name: 'Member' } } as const;

export function roleIdOf({ role }: ZoomUser): string {
  return ROLES[role].id;
}

/** Returns an entry of a list. A pending user has no ID yet. */
export function listedUser(user: ZoomUser): object {
  const { id, pmi, lastLogin } = user;
  return {
    ...(id === null ? {} : { id }),
    first_name: user.first,
    last_name: user.last,
    display_name: nameOf(user),
    email: user.email,
    type: user.type,
    status: user.status,
    ...(pmi === null ? {} : { pmi }),
    timezone: user.timezone,
    dept: user.dept,
    role_id: roleIdOf(user),
    group_ids: [],
    created_at: zoomTime(user.createdAt),
    ...(lastLogin === null ? {} : { last_login_time: zoomTime(lastLogin) }),
    verified: id === null ? 0 : 1,
  };
}

/** Returns the name in a personal link. */
export function personalName({ email }: ZoomUser): string {
  return email.replace(/@.*$/, '');
}

/** Returns a single user. @param base this server's address */
export function wholeUser(user: ZoomUser, base: string): object {
  return {
    ...listedUser(user),
    role_name: ROLES[user.role].name,
    use_pmi: false,
    ...(user.pmi === null ? {} : { personal_meeting_url: `${base}/zoom/j/${user.pmi}` }),
    vanity_url: user.pmi === null ? '' : `${base}/zoom/my/${personalName(user)}`,
    language: 'en-US',
    cluster: 'eu01',
    account_id: ACCOUNT_ID,
  };
}
