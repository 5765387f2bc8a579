/** The doctor's checks for the running server: each part separately, with the server's own clients. */
import type { SystemCheck } from '@lms-admin/contract/system';
import type { Audit } from '../../platform/audit.ts';
import { cached } from '../../platform/cached.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database.ts';
import type { OutsideSystem } from '../../platform/outside.ts';
import type { Finding } from '../doctor/check.ts';
import { findingsFrom } from '../doctor/database.ts';
import { lmsFindings } from '../doctor/lms.ts';
import { machineFindings } from '../doctor/machine.ts';
import { publicFindings, statesOf } from '../doctor/outside.ts';
import { accessFindings, keyFindings, understoodFindings } from '../doctor/settings.ts';
import type { TokenWatch } from '../figures.ts';
import { type DatabaseState, OPERATIONS } from '../operations.ts';

/** All checks but that of the proxy, which depends on the current request. */
export type OwnCheck = Exclude<SystemCheck, 'proxy'>;

export interface Looked {
  /** Time of the check, in milliseconds since 1970. */
  at: number;
  findings: Finding[];
}

export interface CheckParts {
  config: Config;
  db: Database;
  audit: Audit;
  site: { origin: string };
  /** Zoom and the other systems that `/readyz` checks; the LMS has its own check. */
  systems: readonly OutsideSystem[];
  token: TokenWatch;
  env: Readonly<Record<string, string | undefined>>;
}

/** How long a result is reused, so that opening pages does not burden other systems (milliseconds). */
const SEEN_MS = 10_000;

export function createChecks({ config, db, audit, site, systems, token, env }: CheckParts) {
  const checks: Readonly<Record<OwnCheck, () => Promise<Finding[]>>> = {
    machine: () => machineFindings(config.dataFolder),
    settings: async () => [
      ...understoodFindings(config, env),
      ...(await accessFindings(config)),
      ...(await keyFindings(config)).findings,
    ],
    async database() {
      const { secrets } = await keyFindings(config);
      const ask = (): Promise<DatabaseState> =>
        OPERATIONS.databaseState({ config, db, audit, services: null });
      return (await findingsFrom(ask, secrets)).findings;
    },
    async lms() {
      const [findings] = await Promise.all([lmsFindings(config), token.look()]);
      return findings;
    },
    systems: () => statesOf(systems),
    address: () => publicFindings({ origin: site.origin }, true),
  };
  const look = async (check: OwnCheck): Promise<Looked> => ({
    findings: await checks[check](),
    at: Date.now(),
  });
  const names = Object.keys(checks) as OwnCheck[];
  const looks = new Map(names.map((name) => [name, cached(SEEN_MS, () => look(name))]));
  return {
    names,
    look: (check: OwnCheck): Promise<Looked> => (looks.get(check) ?? (() => look(check)))(),
  };
}
