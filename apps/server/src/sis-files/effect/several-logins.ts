/** People with several logins may have a row for each. The LMS applies them in order, so each depends on the others. */
import { begins, rowName } from '@lms-admin/domain/sis-effect';
import { type HeldPerson, type PersonEffect, sameLogin } from '@lms-admin/domain/sis-effect/people';
import type { LmsLogin } from '../../canvas/resources/users.ts';
import type { Evaluation } from './evaluation.ts';
import type { Found } from './people.ts';
import type { CellsRow } from './upload-rows.ts';

/** Finds people with rows for logins other than the one that the LMS shows. */
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

/** Names of people after the rows so far. */
export class NamesSoFar {
  /** Names after the latest row so far, for people with several rows. */
  readonly #names = new Map<number, Promise<Names>>();

  constructor(people: Iterable<number>) {
    for (const person of people) this.#names.set(person, Promise.resolve({}));
  }

  /** Compares a row after the earlier ones of the same person. Call it in the order of rows. */
  async follow<T extends { effect: PersonEffect }>(
    person: number | null,
    compare: (names: Names) => Promise<T>,
  ): Promise<T> {
    const before = person === null ? undefined : this.#names.get(person);
    if (person === null || before === undefined) return compare({});
    const compared = before.then(async (names) => ({ names, row: await compare(names) }));
    const after = compared.then(({ names, row }) => ({ ...names, ...namesAfter(row.effect) }));
    // The failure is thrown to the callers that wait for the row.
    after.catch(() => {});
    this.#names.set(person, after);
    return (await compared).row;
  }
}

/** Rows of people with several logins that are not evaluated yet. */
export class RowsToCome {
  readonly #rows = new Map<string, CellsRow>();

  /** Logins added by rows of logins, by the SIS ID in the row. */
  readonly #given = new Map<string, string>();

  readonly #fileOf: Evaluation['fileOf'];

  constructor(
    { uploadRows, fileOf }: Evaluation,
    byId: (sisId: string) => Found,
    people: ReadonlySet<number>,
  ) {
    this.#fileOf = fileOf;
    for (const { cell } of uploadRows.of('login'))
      this.#given.set(cell('existing_user_id') ?? '', cell('login_id') ?? '');
    if (people.size === 0) return;
    for (const row of uploadRows.of('user')) {
      const id = row.cell('user_id') ?? '';
      const found = byId(id);
      if (typeof found === 'object' && people.has(found.id)) this.#rows.set(id, row);
    }
  }

  /** Removes an evaluated row. */
  judged(sisId: string): void {
    this.#rows.delete(sisId);
  }

  /** Returns the login that a row of logins gives a person. */
  given(sisId: string): string | null {
    return this.#given.get(sisId) ?? null;
  }

  /** Returns whether a later row reactivates a suspended login. */
  opening({ sis_user_id, unique_id }: LmsLogin): boolean {
    const later = sis_user_id === null ? undefined : this.#rows.get(sis_user_id);
    return (
      later !== undefined &&
      sameLogin(unique_id, later.cell('login_id') ?? '') &&
      begins(later.cell('status'), 'active')
    );
  }

  /** Returns the later row that deletes or suspends a login. */
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
