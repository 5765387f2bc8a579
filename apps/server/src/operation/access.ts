/** Operations on access: the way back in when everyone is locked out, and the access file. */
import { accessRecord } from '@lms-admin/contract/access';
import type { SubAccount } from '@lms-admin/contract/session';
import { loginKey, type Right, rightsChange, shownChange } from '@lms-admin/domain/access-records';
import { z } from 'zod';
import {
  afterChange,
  type ChangedBy,
  refusalOf,
  type Stored,
  withinLock,
  writeChange,
} from '../access/change.ts';
import { readAccessFile } from '../access/file.ts';
import { keyed } from '../access/records.ts';
import { refusalError } from '../access/refusals.ts';
import { isSame, plain, readEntries } from '../access/table.ts';
import { AppError } from '../platform/errors.ts';
import type { Operation, OperationParts } from './parts.ts';
import { Refusal } from './refusal.ts';

export interface AccessGained {
  login: string;
  gains: Right[];
  loses: Right[];
}

const imported = z.array(accessRecord);
const granted = z.object({
  person: accessRecord.shape.login,
  email: z.string().optional(),
  why: z.string().max(500).default(''),
});

export const ACCESS_OPERATIONS = {
  async accessList({ db, config }) {
    const records =
      config.accessSource === 'file'
        ? await readAccessFile(config.accessFile)
        : [...(await readEntries(db.db)).values()].map(plain);
    return { source: config.accessSource, records };
  },
  /** Compares a file with the stored records; applies it only if `sure`. People missing from the file are disabled. */
  async accessImport(parts, { login, records, file, sure }) {
    const wanted = imported.parse(records);
    return changed(parts, async (change, now) =>
      withinLock(change, async (tx, before) => {
        const all = [...wanted, ...leftOut(before, new Set(keyed(wanted).keys()))];
        const by: ChangedBy = { login, person: null, why: `import of ${String(file)}`, kind: 'import' };
        const after = afterChange(before, all);
        const gained: AccessGained[] = [...after].flatMap(([key, entry]) => {
          const { gains, loses } = shownChange(rightsChange(before.get(key), entry, now));
          return gains.length + loses.length === 0 ? [] : [{ login: entry.login, gains, loses }];
        });
        const other = [...after].flatMap(([key, entry]) => {
          const former = before.get(key);
          const isNotified = gained.some((one) => one.login === entry.login);
          return isNotified || (former && isSame(former, entry)) ? [] : [entry.login];
        });
        if (sure === true) return { gained, other, changed: await writeChange(change, tx, before, all, by) };
        // Refusals are reported before anyone relies on the review.
        const refusal = await refusalOf(tx, before, all, null, now);
        if (refusal !== null) throw refusalError(refusal);
        return { gained, other, changed: 0 };
      }),
    );
  },
  /** Makes a person an access administrator, whatever their current record. */
  async accessGrant(parts, { login, ...given }) {
    const { person: who, email, why } = granted.parse(given);
    return changed(parts, async (change) =>
      withinLock(change, async (tx, before) => {
        const former = before.get(loginKey(who));
        const record = {
          ...(former?.record ?? blankRecord(email ?? who)),
          perm: 'ALL' as const,
          access_admin: true,
        };
        const wanted = accessRecord.parse({
          login: former?.login ?? who,
          record,
          reason: former?.reason ?? '',
          expires_at: null,
          disabled: false,
        });
        const by: ChangedBy = { login, person: null, why, kind: 'grant' };
        const wasLimited = former !== undefined && former.record.perm !== 'ALL';
        return { changed: await writeChange(change, tx, before, [wanted], by), wasLimited };
      }),
    );
  },
} as const satisfies Record<string, Operation>;

/** @throws Refusal with the reason for a change that is not accepted */
async function changed<T>(
  { config, db, audit }: OperationParts,
  act: (change: { db: typeof db.db; audit: typeof audit; now: () => number }, now: number) => Promise<T>,
): Promise<T> {
  if (config.accessSource === 'file') {
    throw new Refusal(
      `ACCESS_SOURCE is file, so access is defined only in ${config.accessFile}.`,
      'Edit the file and restart the server.',
    );
  }
  try {
    return await act({ db: db.db, audit, now: Date.now }, Date.now());
  } catch (error) {
    if (error instanceof AppError) throw new Refusal(error.message, error.next);
    throw error;
  }
}

function leftOut(before: Stored, named: ReadonlySet<string>) {
  return [...before]
    .filter(([key]) => !named.has(key))
    .map(([, entry]) => ({ ...plain(entry), disabled: true }));
}

function blankRecord(email: string): SubAccount {
  const { record } = accessRecord.parse({ login: email, record: { perm: 'ALL', email } });
  return record;
}
