/** That each row still does what the review showed: a file is compared again right before it is sent (SIS-06). */

import { MAX_RECOUNTED_ROWS, type SisEffectRow } from '@lms-admin/contract/sis-effects';
import { counted } from '@lms-admin/domain/numbers';
import { DOING, isDangerous, type SisDoes } from '@lms-admin/domain/sis-effect';
import { IN_DEFAULT } from '@lms-admin/domain/sis-effect/place-words';
import { shown } from '@lms-admin/domain/sis-rows';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import type { Db } from '../../platform/database.ts';
import type { AppError } from '../../platform/errors.ts';
import { changed } from '../policies/policy.ts';
import { readKept, type Where } from './effect-store.ts';
import type { KeptRow, Sink } from './sink.ts';

/** Tables of which every row is compared, however large the file is: whom they mean may be someone else by then. */
const WHOM: readonly SisKind[] = ['user', 'login'];
/** Tables whose rows are about people. */
const PEOPLE: readonly SisKind[] = [...WHOM, 'enrollment', 'group_membership', 'user_observer'];
/** Tables whose rows name what goes with them; others count it, and more than was confirmed is refused anyway. */
const NAMING: readonly SisKind[] = ['enrollment', 'group_membership'];

type Thing = SisEffectRow['of'];

interface Now extends Pick<KeptRow, 'of' | 'in' | 'section' | 'why' | 'takes' | 'fields'> {
  kind: SisKind;
  does: SisDoes;
}

/** Whether a row of one of the CSVs is sent. */
export type IsSent = (part: number, row: number) => boolean;

const keyOf = ({ part, row }: Pick<KeptRow, 'part' | 'row'>): string => `${part} ${row}`;

/** Notes what rows do now: all of them, or of a large file those that remove something, and all of people. */
export class RowsNow implements Sink {
  readonly #rows = new Map<string, Now>();
  readonly #large: boolean;

  /** @param rows of the file */
  constructor(rows: number) {
    this.#large = rows > MAX_RECOUNTED_ROWS;
  }

  async row(kind: SisKind, does: SisDoes, row: KeptRow): Promise<void> {
    if (!this.#isCompared(kind, does)) return;
    const { of, in: place, section, why, takes, fields } = row;
    this.#rows.set(keyOf(row), { kind, does, of, in: place, section, why, takes, fields });
  }

  async course(): Promise<void> {}

  #isCompared(kind: SisKind, does: SisDoes): boolean {
    return !this.#large || WHOM.includes(kind) || isDangerous(does);
  }

  /**
   * @param options `said`: whether the sentences about rows are compared, too
   * @throws AppError conflict where rows do something else than was shown, or to someone else, or elsewhere
   */
  async requireAsShown(
    db: Db,
    where: Where,
    { said, isSent }: { said: boolean; isSent: IsSent },
  ): Promise<void> {
    const others: [row: number, of: string, what: string][] = [];
    const left = new Map(this.#large ? this.#rows : []);
    const isKept = (kind: SisKind, does: SisDoes) => does === 'unknown' || this.#isCompared(kind, does);
    for await (const { kind, does, items } of readKept(db, where, isKept)) {
      for (const one of items) {
        const now = this.#rows.get(keyOf(one));
        left.delete(keyOf(one));
        // What could not be compared was shown as that.
        if (!now || does === 'unknown' || !isSent(one.part, one.row)) continue;
        const what = differs({ ...one, kind, does }, now, said && !this.#large);
        if (what !== null) others.push([one.row, one.of.name || one.of.id, what]);
      }
    }
    // Of a large file: rows of which the review did not show that they remove something.
    for (const [key, { does, of }] of left) {
      const [part = 0, row = 0] = key.split(' ').map(Number);
      if (!isDangerous(does) || !isSent(part, row)) continue;
      others.push([
        row,
        of.name || of.id,
        `the review did not show it as ${shown(DOING[does])}, which it is now`,
      ]);
    }
    if (others.length > 0) throw otherwise(others.sort(([one], [two]) => one - two));
  }
}

/** What is different now, as the end of a sentence; null where nothing is. */
function differs(was: Now, now: Now, said: boolean): string | null {
  // What the LMS would refuse by now does nothing that was not shown; the result names it.
  if (now.does === 'fails') return null;
  if (now.does === 'unknown') return 'it could not be compared with the LMS again';
  if (was.kind !== now.kind || was.does !== now.does)
    return `the review showed ${shown(DOING[was.does])}, now it is ${shown(DOING[now.does])}`;
  if (isOther(was.of, now.of) && was.kind === 'change_sis_id') return `it now means another ${now.of.name}`;
  if (isOther(was.of, now.of))
    return PEOPLE.includes(was.kind)
      ? 'it now means another person'
      : `it now means ${shown(now.of.name ?? now.of.id)}`;
  if (isOther(was.in, now.in))
    return `it is now carried out in ${shown(now.in?.name || now.in?.id || 'another place')}`;
  if (was.in?.name && now.in?.name && was.in.name !== now.in.name)
    return `${shown(was.in.name)} is now called ${shown(now.in.name)}`;
  if (was.section !== now.section) return `its section is now ${shown(now.section ?? '')}`;
  const old = new Map(was.fields.map(([field, ...values]) => [field, JSON.stringify(values)]));
  const fresh = new Map(now.fields.map(([field, ...values]) => [field, JSON.stringify(values)]));
  const field = [...new Set([...old.keys(), ...fresh.keys()])].find((one) => old.get(one) !== fresh.get(one));
  if (field !== undefined) return `${shown(field)} has been changed in the LMS`;
  if (NAMING.includes(was.kind) && was.takes !== now.takes)
    return now.takes === null
      ? `this is no longer true: ${was.takes}`
      : `the review would now say: ${now.takes}`;
  // An unknown default section does not change what the row does.
  if (!said || was.does === 'nothing' || was.why === now.why || now.why === IN_DEFAULT) return null;
  return now.why === null ? `this is no longer true: ${was.why}` : `the review would now say: ${now.why}`;
}

/** Whether two are not the same thing: by their pages, or by their names where they have none. */
function isOther(was: Thing | null, now: Thing | null): boolean {
  if (was === null || now === null) return was !== now;
  return was.page !== now.page || (was.page === null && was.name !== now.name);
}

function otherwise(others: readonly [row: number, of: string, what: string][]): AppError {
  const details = others.map(([row, of, what]): [string, string] => [
    'file',
    // What is quoted may be a sentence with its own full stop.
    `Row ${row} (${shown(of)}): ${what.replace(/\.$/, '')}.`,
  ]);
  const [first] = details;
  const many = `${counted(others.length, 'row')} of this file would not do what the review showed`;
  return changed(`${many}: the LMS has changed since then. ${first?.[1] ?? ''}`, details);
}
