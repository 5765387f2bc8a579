/** Who is signed in. */
import type { SubAccount } from '@lms-admin/contract/session';
import type { CanvasToken } from '../canvas/types.ts';

/** A signed-in administrator, as every service gets to know them. */
export interface Admin {
  /** Login in the LMS, lower case. */
  login: string;
  name: string;
  canvasUserId: number;
  /** The access record: flags, reach and roles. */
  record: SubAccount;
  /** The moment at which the record ends, as ISO 8601; null: none. */
  accessUntil?: string | null;
  /** Handle of the session in logs; not the cookie's value. */
  sessionId: string;
  /** Grant that holds the admin's LMS tokens; outlives the session while an import is followed. */
  grantId: string;
  /** Token for calls on the root account: the service token where there is one, else the admin's own. */
  token: CanvasToken;
}

/** Where the access records come from; what they permit is not decided here. */
export interface FindRecord {
  /** The record of a login or email address, compared without letter case; null when there is none. */
  find(login: string): SubAccount | null;
  /** The moment at which the record of a login ends, as ISO 8601; null: none. */
  until(login: string): string | null;
  /** Reads what has changed elsewhere, unless that was done a moment ago. @throws when it cannot be read */
  fresh(): Promise<void>;
}
