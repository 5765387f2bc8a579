/** Checks that each row still does what the review showed: files are compared again before sending (SIS-06). */

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

/**
 * Tables whose rows are all compared, however large the file is: they may refer to another person by the time they are
 * sent.
 */
const WHOM: readonly SisKind[] = ['user', 'login'];
/** Tables whose rows are about people. */
const PEOPLE: readonly SisKind[] = [...WHOM, 'enrollment', 'group_membership', 'user_observer'];
/** Tables whose rows name what ends with them; other tables only count it, and a larger count is rejected anyway. */
const NAMING: readonly SisKind[] = ['enrollment', 'group_membership'];

type EffectObject = SisEffectRow['of'];

interface Now extends Pick<KeptRow, 'of' | 'in' | 'section' | 'why' | 'takes' | 'fields'> {
  kind: SisKind;
  does: SisDoes;
}

/** Whether a row of one of the CSVs is sent. */
export type IsSent = (part: number, row: number) => boolean;

const keyOf = ({ part, row }: Pick<KeptRow, 'part' | 'row'>): string => `${part} ${row}`;

/** Records what rows do now: all of them, or in a large file only removals and rows of people. */
export class RowsNow implements Sink {
  readonly #rows = new Map<string, Now>();
  readonly #large: boolean;

  /** @param rows number of rows of the file */
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
   * @param options `comparesObservers`: whether the sentences about rows are also compared
   * @throws AppError conflict if a row does something other than was shown, or affects another person or place
   */
  async requireAsShown(
    db: Db,
    where: Where,
    { comparesObservers, isSent }: { comparesObservers: boolean; isSent: IsSent },
  ): Promise<void> {
    const others: [row: number, of: string, what: string][] = [];
    const left = new Map(this.#large ? this.#rows : []);
    const isKept = (kind: SisKind, does: SisDoes) => does === 'unknown' || this.#isCompared(kind, does);
    for await (const { kind, does, items } of readKept(db, where, isKept)) {
      for (const one of items) {
        const now = this.#rows.get(keyOf(one));
        left.delete(keyOf(one));
        // The review showed such rows as not compared.
        if (!now || does === 'unknown' || !isSent(one.part, one.row)) continue;
        const what = differs({ ...one, kind, does }, now, comparesObservers && !this.#large);
        if (what !== null) others.push([one.row, one.of.name || one.of.id, what]);
      }
    }
    // For a large file: rows that the review did not show as removals.
    for (const [key, { does, of }] of left) {
      const [part = 0, row = 0] = key.split(' ').map(Number);
      if (!isDangerous(does) || !isSent(part, row)) continue;
      others.push([
        row,
        of.name || of.id,
        `it would now be ${shown(DOING[does])}, which the review did not show`,
      ]);
    }
    if (others.length > 0) throw otherwise(others.sort(([one], [two]) => one - two));
  }
}

/** Describes the difference, as the end of a sentence; null if there is none. */
function differs(was: Now, now: Now, comparesObservers: boolean): string | null {
  // A row that the LMS would now reject does nothing unexpected; the result names it.
  if (now.does === 'fails') return null;
  if (now.does === 'unknown') return 'it could not be compared with the LMS again';
  if (was.kind !== now.kind || was.does !== now.does)
    return `the review showed ${shown(DOING[was.does])}, now it is ${shown(DOING[now.does])}`;
  if (isOther(was.of, now.of) && was.kind === 'change_sis_id')
    return `it now refers to another ${now.of.name}`;
  if (isOther(was.of, now.of)) return otherThing(was, now.of);
  if (isOther(was.in, now.in))
    return `it is now applied in ${shown(now.in?.name || now.in?.id || 'another place')}`;
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
  if (!comparesObservers || was.does === 'nothing' || was.why === now.why || now.why === IN_DEFAULT)
    return null;
  return now.why === null ? `this is no longer true: ${was.why}` : `the review would now say: ${now.why}`;
}

/** Describes the other item, or other place, that a row now refers to. */
function otherThing(was: Now, now: EffectObject): string {
  if (PEOPLE.includes(was.kind)) return 'it now refers to another person';
  const section = sectionIn(was.of);
  if (section !== null && section === sectionIn(now)) return 'the section is in another course now';
  const name = shown(now.name ?? now.id);
  return was.of.name === now.name ? `it now refers to another ${name}` : `it now refers to ${name}`;
}

/** Returns the number of a section from its page address; null for other items. */
const sectionIn = ({ page }: EffectObject): string | null =>
  /\/sections\/(\d+)$/.exec(page ?? '')?.[1] ?? null;

/** Returns whether two items differ: by their pages, or by name if they have none. */
function isOther(was: EffectObject | null, now: EffectObject | null): boolean {
  if (was === null || now === null) return was !== now;
  return was.page !== now.page || (was.page === null && was.name !== now.name);
}

function otherwise(others: readonly [row: number, of: string, what: string][]): AppError {
  const details = others.map(([row, of, what]): [string, string] => [
    'file',
    // The quoted text may be a sentence with its own full stop.
    `Row ${row} (${shown(of)}): ${what.replace(/\.$/, '')}.`,
  ]);
  const [first] = details;
  const many = `${counted(others.length, 'row')} of this file would not do what the review showed`;
  return changed(`${many}: the LMS has changed since then. ${first?.[1] ?? ''}`, details);
}
