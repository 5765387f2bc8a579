/** People with several logins may have a row for each. The LMS takes them in order, so each depends on the others. */
import { begins, rowName } from '@lms-admin/domain/sis-effect';
import { type HeldPerson, type PersonEffect, sameLogin } from '@lms-admin/domain/sis-effect/people';
import type { LmsLogin } from '../../canvas/resources/users.ts';
import type { Evaluation } from './evaluation.ts';
import type { CellsRow } from './gathered.ts';
import type { Found } from './people.ts';

/** People of whom a row names a login beside the one that the LMS shows. */
export function withSeveralLogins(rows: Iterable<CellsRow>, byId: (sisId: string) => Found): Set<number> {
  const people = new Set<number>();
  for (const { cell } of rows) {
    const found = byId(cell('user_id') ?? '');
    if (typeof found === 'object' && found.sisUserId !== cell('user_id')) people.add(found.id);
  }
  return people;
}

type Names = Partial<Pick<HeldPerson, 'name' | 'sortableName' | 'shortName' | 'pronouns'>>;

const FIELDS: Readonly<Record<string, keyof Names>> = {
  full_name: 'name',
  sortable_name: 'sortableName',
  short_name: 'shortName',
  pronouns: 'pronouns',
};

/** What the rows so far call people. */
export class NamesSoFar {
  /** The names after the last row so far, of those who have several rows. */
  readonly #names = new Map<number, Promise<Names>>();

  constructor(people: Iterable<number>) {
    for (const person of people) this.#names.set(person, Promise.resolve({}));
  }

  /** Compares a row once the earlier ones of the same person are compared. To be called in the order of the rows. */
  async follow<T extends { effect: PersonEffect }>(
    person: number | null,
    compare: (names: Names) => Promise<T>,
  ): Promise<T> {
    const before = person === null ? undefined : this.#names.get(person);
    if (person === null || before === undefined) return compare({});
    const compared = before.then(async (names) => ({ names, row: await compare(names) }));
    const after = compared.then(({ names, row }) => ({ ...names, ...namesAfter(row.effect) }));
    // Anyone who waits for the row is told.
    after.catch(() => {});
    this.#names.set(person, after);
    return (await compared).row;
  }
}

/** Rows of such people that are not judged yet. */
export class RowsToCome {
  readonly #rows = new Map<string, CellsRow>();

  /** Logins that rows of logins give to people, by the SIS ID of whom they name. */
  readonly #given = new Map<string, string>();

  readonly #fileOf: Evaluation['fileOf'];

  constructor({ gathered, fileOf }: Evaluation, byId: (sisId: string) => Found, people: ReadonlySet<number>) {
    this.#fileOf = fileOf;
    for (const { cell } of gathered.of('login'))
      this.#given.set(cell('existing_user_id') ?? '', cell('login_id') ?? '');
    if (people.size === 0) return;
    for (const row of gathered.of('user')) {
      const id = row.cell('user_id') ?? '';
      const found = byId(id);
      if (typeof found === 'object' && people.has(found.id)) this.#rows.set(id, row);
    }
  }

  /** Takes out a row that is judged. */
  judged(sisId: string): void {
    this.#rows.delete(sisId);
  }

  /** The login that someone gets by a row of logins. */
  given(sisId: string): string | null {
    return this.#given.get(sisId) ?? null;
  }

  /** Whether a row to come opens a login that is suspended. */
  opening({ sis_user_id, unique_id }: LmsLogin): boolean {
    const later = sis_user_id === null ? undefined : this.#rows.get(sis_user_id);
    return (
      later !== undefined &&
      sameLogin(unique_id, later.cell('login_id') ?? '') &&
      begins(later.cell('status'), 'active')
    );
  }

  /** The row to come that deletes or suspends a login. */
  ending({ sis_user_id, unique_id }: LmsLogin): { name: string; deletes: boolean } | null {
    const later = sis_user_id === null ? undefined : this.#rows.get(sis_user_id);
    if (!later || !sameLogin(unique_id, later.cell('login_id') ?? '')) return null;
    const deletes = begins(later.cell('status'), 'deleted');
    const name = rowName(later.row, this.#fileOf(later.part), 'this');
    return deletes || begins(later.cell('status'), 'suspended') ? { name, deletes } : null;
  }
}

function namesAfter({ does, fields = [] }: PersonEffect): Names {
  if (does !== 'changes' && does !== 'suspends' && does !== 'deletes') return {};
  return Object.fromEntries(
    fields.flatMap(([field, , after]) => {
      const key = FIELDS[field];
      return key === undefined ? [] : [[key, after]];
    }),
  );
}
