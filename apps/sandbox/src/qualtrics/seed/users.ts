/** The users of the practice account. */

import { DOMAIN } from '../../seed/school.ts';
import { idOf } from '../store/ids.ts';

export const BRAND = 'northbridge';

export type QualtricsUser = { id: string; login: string; first: string; last: string };

/** Owner of the award's surveys. */
export const OWNER = userOf('alma.reyes', 'Alma', 'Reyes');
/** A colleague with a survey of his own, and no access to the award's. */
export const HUGO = userOf('hugo.tan', 'Hugo', 'Tan');

export const USERS: readonly QualtricsUser[] = [OWNER, HUGO];

export function emailOf({ login }: QualtricsUser): string {
  return `${login}@${DOMAIN}`;
}

function userOf(login: string, first: string, last: string): QualtricsUser {
  return { id: idOf('UR', login), login, first, last };
}
