/** Definition of an operation, and of the parts it works with. */
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
  /** Services for jobs and sign-ins, as in the server; null if a command needs only the database. */
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
  /** Every recorded kind of work. */
  listed: readonly ListedKind[];
}

/** @param hear receives the output piece by piece @returns JSON */
export type Operation = (
  parts: OperationParts,
  args: Args,
  hear: (text: string) => Promise<void>,
) => Promise<unknown>;

/** The person who runs the command, for the audit, and the arguments. */
export interface Args {
  login: string;
  [name: string]: unknown;
}
