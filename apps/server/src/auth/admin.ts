/** The signed-in administrator. */
import type { SubAccount } from '@lms-admin/contract/session';
import type { CanvasToken } from '../canvas/types.ts';

/** A signed-in administrator, as all services see them. */
export interface Admin {
  /** Login in the LMS, lower case. */
  login: string;
  name: string;
  canvasUserId: number;
  /** The access record: flags, programmes and roles. */
  record: SubAccount;
  /** End of the record as an ISO 8601 time, or null if it does not end. */
  accessUntil?: string | null;
  /** Id of the session in logs, different from the cookie's value. */
  sessionId: string;
  /** Grant with the admin's LMS tokens. It outlives the session while an import is followed. */
  grantId: string;
  /** Token for calls on the root account: the service token if set, otherwise the admin's own. */
  token: CanvasToken;
}

/** Source of the access records. It does not decide what they permit. */
export interface FindRecord {
  /** Returns the record of a login or email address, ignoring case, or null. */
  find(login: string): SubAccount | null;
  /** Returns the end of a login's record as an ISO 8601 time, or null. */
  until(login: string): string | null;
  /** Reads changes made elsewhere, unless that was done a moment ago. @throws if they cannot be read */
  fresh(): Promise<void>;
}
