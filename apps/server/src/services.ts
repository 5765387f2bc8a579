/** What the parts of the back end are to each other. `app.ts` puts them together; routes and background tasks take this. */
import type { SisImport, SubmitPayload } from '@lms-admin/contract/imports';
import type { Logger } from 'pino';
import type { Admin, Scope } from './access/admin.ts';
import type { AccessRecords } from './access/records.ts';
import type { Grants } from './auth/grants.ts';
import type { Sessions } from './auth/sessions.ts';
import type { CanvasClient } from './canvas/types.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/database.ts';

export interface AuditLine {
  /** Login of the admin; empty when nobody is signed in. */
  login: string;
  /** Tool id, or a part of the back end such as `auth` or `lms`. */
  tool: string;
  event: string;
  detail: Record<string, unknown>;
  requestId?: string | null;
}

export interface Audit {
  write(line: AuditLine): Promise<void>;
}

export interface Submission {
  requestId?: string;
  /** Ends the check of hand-made rows when the browser has gone; what is recorded is not called back. */
  signal?: AbortSignal;
}

/** The part of `imports/` that the LMS wrapper hands calls to. */
export interface ImportsPort {
  /** Records and starts an import; a repeat with the same key or plan answers with the first one (OP-42). */
  submit(admin: Admin, payload: SubmitPayload, asking?: Submission): Promise<SisImport>;
  /** Our id (UUID), or a number of the LMS for admins whose `perm` is `ALL`. @throws AppError not-found (OP-40) */
  status(admin: Admin, id: string, signal?: AbortSignal): Promise<SisImport>;
}

/** Services of the first half; the second half adds `plans`, `jobs` and its own. */
export interface CoreServices {
  config: Config;
  log: Logger;
  db: Database;
  canvas: CanvasClient;
  access: AccessRecords;
  scope: Scope;
  sessions: Sessions;
  grants: Grants;
  audit: Audit;
  /** Public origin of the console; follows the port where no address is set. */
  site: { origin: string };
}

export interface Services extends CoreServices {
  imports: ImportsPort;
}
