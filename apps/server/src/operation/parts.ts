/** What an operation is, and what it works with. */
import type { FindRecord } from '../auth/admin.ts';
import type { Grants } from '../auth/grants.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { Directory } from '../directory/directory.ts';
import type { Files } from '../files/files.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ListedKind } from '../jobs/kind.ts';
import type { Audit } from '../platform/audit.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import type { Secrets } from '../platform/secrets.ts';

export interface OperationParts {
  config: Config;
  db: Database;
  audit: Audit;
  /** What acts on jobs and sign-ins, as the server does; null where a command needs nothing but the database. */
  services: OperationServices | null;
}

export interface OperationServices {
  jobs: Jobs;
  sessions: Sessions;
  grants: Grants;
  secrets: Secrets;
  files: Files;
  access: FindRecord;
  directory: Directory;
  /** Every kind of work that is recorded. */
  listed: readonly ListedKind[];
}

/** @param hear takes text as it comes @returns JSON */
export type Operation = (
  parts: OperationParts,
  args: Args,
  hear: (text: string) => Promise<void>,
) => Promise<unknown>;

/** Who runs the command, for the audit, and what it was given. */
export interface Args {
  login: string;
  [name: string]: unknown;
}
