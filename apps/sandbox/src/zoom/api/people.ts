/** Finding people by the IDs in paths and bodies (Zoom reference §1, §6). */

import { mayNotHost, noUser } from '../http/errors.ts';
import type { Member, ZoomUser } from '../store/model.ts';
import type { ZoomStore } from '../store/store.ts';

/**
 * Finds the user with an ID or email. `me` is unknown: the token belongs to an app.
 * @throws ZoomError 1001
 */
export function userAt(store: ZoomStore, who: string): ZoomUser {
  const user = store.user(who);
  if (!user) throw noUser(who);
  return user;
}

/**
 * Finds a user with an ID.
 * @throws ZoomError 1001 for an unknown user, 3161 for one who has not signed up yet
 */
export function memberAt(store: ZoomStore, who: string): Member {
  const user = userAt(store, who);
  if (!isMember(user)) throw mayNotHost();
  return user;
}

export function isMember(user: ZoomUser | undefined): user is Member {
  return user !== undefined && user.id !== null;
}

/** @throws ZoomError 3161 */
export function mustHost(user: ZoomUser): void {
  if (user.status !== 'active' || !user.mayHost) throw mayNotHost();
}

export function isLicensed({ type, status }: ZoomUser): boolean {
  return type !== 1 && status === 'active';
}

export function nameOf({ first, last }: ZoomUser): string {
  return `${first} ${last}`;
}
