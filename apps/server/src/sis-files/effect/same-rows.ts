/** That each row still does what the review showed: a file is compared once more right before it is sent (SIS-06). */
import { MAX_RECOUNTED_ROWS, type SisEffectRow } from '@lms-admin/contract/sis-effects';
import { DOING, type SisDoes } from '@lms-admin/domain/sis-effect';
import { shown } from '@lms-admin/domain/sis-rows';
import { SIS_KINDS, type SisKind } from '@lms-admin/domain/sis-tables';
import type { Db } from '../../platform/database.ts';
import type { AppError } from '../../platform/errors.ts';
import { counted } from '../../platform/text.ts';
import { changed } from '../policies/policy.ts';
import { readKept, type Where } from './effect-store.ts';
import type { KeptRow, Sink } from './sink.ts';

/** Tables of which every row is compared, however large the file is: whom they mean may be somebody else by then. */
const WHOM: readonly SisKind[] = ['user', 'login'];

interface Now {
  kind: SisKind;
  does: SisDoes;
  of: SisEffectRow['of'];
  fields: readonly (readonly (string | null)[])[];
}

const keyOf = ({ part, row }: Pick<KeptRow, 'part' | 'row'>): string => `${part} ${row}`;

/** Notes what rows do now. */
export class RowsNow implements Sink {
  readonly #rows = new Map<string, Now>();
  readonly kinds: readonly SisKind[];

  /** @param rows of the file */
  constructor(rows: number) {
    this.kinds = rows > MAX_RECOUNTED_ROWS ? WHOM : SIS_KINDS;
  }

  async row(kind: SisKind, does: SisDoes, row: KeptRow): Promise<void> {
    if (!this.kinds.includes(kind)) return;
    this.#rows.set(keyOf(row), { kind, does, of: row.of, fields: row.fields });
  }

  async course(): Promise<void> {}

  /** @throws AppError conflict where rows do something else than was shown */
  async requireAsShown(db: Db, where: Where): Promise<void> {
    const others: [row: number, of: string, what: string][] = [];
    for await (const { kind, does, items } of readKept(db, where, this.kinds)) {
      for (const one of items) {
        const now = this.#rows.get(keyOf(one));
        // What could not be compared was shown as that.
        if (!now || does === 'unknown') continue;
        const what = differs({ kind, does, of: one.of, fields: one.fields }, now);
        if (what !== null) others.push([one.row, one.of.name || one.of.id, what]);
      }
    }
    if (others.length > 0) throw otherwise(others.sort(([one], [two]) => one - two));
  }
}

/** What is different now, as the end of a sentence; null where nothing is. */
function differs(was: Now, now: Now): string | null {
  // What the LMS would refuse by now does nothing that was not shown; the result names it.
  if (now.does === 'fails') return null;
  if (now.does === 'unknown') return 'it could not be compared with the LMS again';
  if (was.kind !== now.kind || was.does !== now.does)
    return `the review showed ${shown(DOING[was.does])}, now it is ${shown(DOING[now.does])}`;
  if (WHOM.includes(was.kind) && was.of.page !== now.of.page) return 'it now means another person';
  const old = new Map(was.fields.map(([field, ...values]) => [field, JSON.stringify(values)]));
  const fresh = new Map(now.fields.map(([field, ...values]) => [field, JSON.stringify(values)]));
  const field = [...new Set([...old.keys(), ...fresh.keys()])].find((one) => old.get(one) !== fresh.get(one));
  return field === undefined ? null : `${shown(field ?? '')} has been changed in the LMS`;
}

function otherwise(others: readonly [row: number, of: string, what: string][]): AppError {
  const details = others.map(([row, of, what]): [string, string] => [
    'file',
    `Row ${row} (${shown(of)}): ${what}.`,
  ]);
  const [first] = details;
  const many = `${counted(others.length, 'row')} of this file would not do what the review showed`;
  return changed(`${many}: the LMS has changed since then. ${first?.[1] ?? ''}`, details);
}
