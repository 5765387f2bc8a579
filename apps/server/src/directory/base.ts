/** The copy in use: which report it is from, and whether it can be used. */
import { DIRECTORY_KNOWN_MS, DIRECTORY_USED_MS } from '@lms-admin/domain/directory';
import { type LmsIdentity, sameLms } from '../canvas/identity.ts';
import type { DirectoryConfig } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { isOpen, latestRuns } from './runs.ts';

export interface BaseParts {
  config: { directory: DirectoryConfig };
  db: Database;
  identity: LmsIdentity;
  /** Clock, in milliseconds since 1970. */
  now: () => number;
}

export interface Base {
  /** Number of the run that the rows are from. */
  number: number;
  lms: string;
  /** When the LMS started the report: later changes may not be in it. */
  startedAt: Date;
  /** Whether the copy is recent, and no refresh has failed since. */
  isRecent: boolean;
}

/** Number of recent runs searched for the base; one from before them would be too old anyway. */
const LATEST = 10;

/** Returns the copy, or null if the directory is off, empty, too old, or of another LMS. */
export async function usableBase({ config, db, identity, now }: BaseParts): Promise<Base | null> {
  if (!config.directory.on) return null;
  const runs = await latestRuns(db.db, LATEST);
  const base = runs.find(({ swappedAt }) => swappedAt !== null);
  if (!base?.startedAt || !sameLms(base.lms, identity.known())) return null;
  const age = now() - base.startedAt.getTime();
  if (age > DIRECTORY_USED_MS) return null;
  const { number, lms, startedAt } = base;
  const last = runs.find((run) => !isOpen(run));
  return { number, lms, startedAt, isRecent: age <= DIRECTORY_KNOWN_MS && last?.number === number };
}
