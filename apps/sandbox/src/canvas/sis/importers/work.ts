import type { Row, StuckFields } from '../../store/model.ts';
import type { SisBatch, SisOptions, StateChange, StateKind } from '../../store/sis-batch.ts';
import type { NewRow, Table } from '../../store/table.ts';
import type { World } from '../../store/world.ts';
import type { ImportKind } from '../csv/detect.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';

/**
 * What became of a row: `true` counts it; `false` passes over it in silence; a text refuses it with a warning.
 */
export type Outcome = boolean | string;

/** One kind of CSV file (§9). Importers hold no state of their own beyond one import. */
export interface Importer<C extends string = string> {
  kind: ImportKind;
  columns: readonly C[];
  /**
   * How many rows pass `check` before `apply` is called for them: users and enrolments are buffered, so
   * their basic messages come before the lookup messages of the same buffer (§7.4). Others: 1.
   */
  buffer: number;
  /** Looks at the row alone. A text refuses it. */
  check(row: Cells<C>, work: Work): string | undefined;
  apply(row: Cells<C>, work: Work): Outcome;
}

/** Users and email channels carry no mark of the import that touched them. */
type Stored = Row & { sis_batch_id?: number | null };
type WithState = { workflow_state: string };

/** Values that a column of Canvas's can hold and that importers compare. */
function same(a: unknown, b: unknown): boolean {
  return a === b || (a === undefined && b === null) || (a === null && b === undefined);
}

/**
 * One import at work: the world it changes, its options, its messages, and the record of state changes
 * from which statistics and restore_states are made (§7.2, §7.5).
 */
export class Work {
  readonly world: World;
  readonly batch: SisBatch;
  readonly options: SisOptions;
  /** The file being applied, as shown in messages. */
  fileName = '';
  /** True while batch mode deletes: such changes can be undone by themselves (§7.5). */
  cleaningUp = false;
  /** False while an import is undone: what follows from that is no part of its record (§7.5). */
  recording = true;
  /** True while an import that was stopped reads its files again: what there is to say of them has been said. */
  readingAgain = false;

  constructor(world: World, batch: SisBatch) {
    this.world = world;
    this.batch = batch;
    this.options = batch.options;
  }

  readonly #remembered = new Map<string, unknown>();

  /** Looks something up once an import: roles and the like, which rows name over and over. */
  remember<V>(key: string, find: () => V): V {
    if (!this.#remembered.has(key)) this.#remembered.set(key, find());
    return this.#remembered.get(key) as V;
  }

  /** A message about one row. The row number is kept beside it, never in the text (§8.3). */
  warn(row: number | null, message: string): void {
    this.report(this.fileName, message, row, false);
  }

  /** A message about a whole file: the import will have failed (§7.3). */
  fail(file: string | null, message: string): void {
    this.report(file, message, null, true);
  }

  report(file: string | null, message: string, row: number | null, failure: boolean): void {
    if (this.readingAgain) return;
    this.batch.errors.push({ file, message, row, failure, created_at: this.world.now() });
    this.world.sisBatches.touch(this.batch);
  }

  /** Fields that this import must leave alone (§10). */
  isStuck(row: { stuck_sis_fields: StuckFields }, field: string): boolean {
    return !this.options.override_sis_stickiness && row.stuck_sis_fields?.has(field) === true;
  }

  /** Makes a row and notes it as new. */
  create<T extends Stored>(
    table: Table<T, never> | Pick<Table<T>, 'add'>,
    kind: StateKind,
    fields: NewRow<T>,
  ): T {
    const row = table.add({ ...fields, sis_batch_id: this.batch.id });
    this.noteState(kind, row.id, 'non-existent', stateOf(row));
    return row;
  }

  /**
   * Writes what differs, except stuck fields, marks the row as touched by this import, applies the
   * stickiness options (§10) and notes a change of state.
   * @param kind null for users, whose state is no part of an import's record.
   * @param sticky the fields of this kind that can stick; [] for kinds without.
   */
  update<T extends Stored>(
    table: Pick<Table<T>, 'change'>,
    kind: StateKind | null,
    row: T,
    patch: Partial<Omit<T, 'id'>>,
    sticky: readonly string[] = [],
  ): boolean {
    const holder = row as unknown as Record<string, unknown> & { stuck_sis_fields: StuckFields };
    const changes: Record<string, unknown> = {};
    let changed = false;
    for (const [field, value] of Object.entries(patch)) {
      if (same(holder[field], value)) continue;
      if (holder.stuck_sis_fields && sticky.includes(field) && this.isStuck(holder, field)) continue;
      changes[field] = value;
      changed = true;
    }
    if (changed && sticky.length > 0) this.#stickiness(holder, changes, sticky);
    const before = stateOf(row);
    const marked = 'sis_batch_id' in row && row.sis_batch_id !== this.batch.id;
    if (marked) changes['sis_batch_id'] = this.batch.id;
    if (changed || marked) table.change(row, changes as Partial<Omit<T, 'id'>>);
    const after = stateOf(row);
    if (kind && before !== after) this.noteState(kind, row.id, before, after);
    return changed;
  }

  #stickiness(
    row: { stuck_sis_fields: StuckFields },
    changes: Record<string, unknown>,
    sticky: readonly string[],
  ): void {
    if (!this.options.override_sis_stickiness) return;
    if (this.options.clear_sis_stickiness) changes['stuck_sis_fields'] = null;
    else if (this.options.add_sis_stickiness) {
      const stuck = new Set(row.stuck_sis_fields);
      for (const field of sticky) if (field in changes) stuck.add(field);
      changes['stuck_sis_fields'] = stuck;
    }
  }

  noteState(kind: StateKind, id: number, previous: string, updated: string): void {
    if (!this.recording) return;
    const change: StateChange = {
      context_type: kind,
      context_id: id,
      previous_state: previous,
      updated_state: updated,
      batch_mode_delete: this.cleaningUp,
    };
    this.batch.state_changes.push(change);
    this.world.sisBatches.touch(this.batch);
  }
}

/** The state of a row, also of group categories, which have a date of deletion instead. */
export function stateOf(row: object): string {
  if ('workflow_state' in row) return (row as WithState).workflow_state;
  return 'deleted_at' in row && row.deleted_at !== null ? 'deleted' : 'active';
}

/** Whether a status cell starts with one of the words, in any case (§8.3). */
export function startsWithOne(status: string | null, ...words: readonly string[]): boolean {
  if (status === null) return false;
  const lower = status.toLowerCase();
  return words.some((word) => lower.startsWith(word));
}

/** Characters that a column of Canvas's holds. */
export const LONGEST = 255;

/** The first of these texts that Canvas does not take for its length, in its words. */
export function tooLong(
  fields: readonly (readonly [field: string, value: string | null])[],
): string | undefined {
  const long = fields.find(([, value]) => Array.from(value ?? '').length > LONGEST);
  return long && messages.tooLong(long[0], LONGEST);
}

/** That another one has the integration id, in Canvas's words. */
export function integrationTaken<T>(
  id: string | null,
  present: T | undefined,
  holder: T | undefined,
): string | undefined {
  return id !== null && holder !== undefined && holder !== present
    ? messages.integrationTaken(id)
    : undefined;
}
