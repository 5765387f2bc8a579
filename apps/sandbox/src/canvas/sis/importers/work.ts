import type { Row, StuckFields } from '../../store/model.ts';
import type { SisBatch, SisOptions, StateChange, StateKind } from '../../store/sis-batch.ts';
import type { NewRow, Table } from '../../store/table.ts';
import type { World } from '../../store/world.ts';
import type { ImportKind } from '../csv/detect.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';

/** The result of a row: `true` counts it; `false` silently skips it; text rejects it with a warning. */
export type Outcome = boolean | string;

/** One kind of CSV file (§9). Importers keep no state beyond one import. */
export interface Importer<C extends string = string> {
  kind: ImportKind;
  columns: readonly C[];
  /**
   * How many rows pass `check` before `apply` is called for them. Users and enrolments are buffered, so their
   * basic messages come before the lookup messages of the same buffer (§7.4). Others: 1.
   */
  buffer: number;
  /** Checks the row on its own; a returned text rejects the row. */
  check(row: Cells<C>, work: Work): string | undefined;
  apply(row: Cells<C>, work: Work): Outcome;
}

/** Users and email channels do not record the import that touched them. */
type Stored = Row & { sis_batch_id?: number | null };
type WithState = { workflow_state: string };

/** Compares two values of a Canvas column. */
function same(a: unknown, b: unknown): boolean {
  return a === b || (a === undefined && b === null) || (a === null && b === undefined);
}

/**
 * A running import: the world it changes, its options, its messages, and the state changes that statistics and
 * restore_states are based on (§7.2, §7.5).
 */
export class Work {
  readonly world: World;
  readonly batch: SisBatch;
  readonly options: SisOptions;
  /** The name used in messages about the file being applied. */
  fileName = '';
  /** True while batch mode deletes: such changes can be undone separately (§7.5). */
  cleaningUp = false;
  /** False while an import is undone: the side effects are not part of its record (§7.5). */
  recording = true;
  /** True while a stopped import reads its files again: their messages were reported before. */
  isRereading = false;

  constructor(world: World, batch: SisBatch) {
    this.world = world;
    this.batch = batch;
    this.options = batch.options;
  }

  readonly #remembered = new Map<string, unknown>();

  /** Looks something up once per import, such as a role, because rows name it repeatedly. */
  remember<V>(key: string, find: () => V): V {
    if (!this.#remembered.has(key)) this.#remembered.set(key, find());
    return this.#remembered.get(key) as V;
  }

  /** Adds a message about one row. The row number is separate, never in the text (§8.3). */
  warn(row: number | null, message: string): void {
    this.report(this.fileName, message, row, false);
  }

  /** Adds a message about a whole file: the import will end as failed (§7.3). */
  fail(file: string | null, message: string): void {
    this.report(file, message, null, true);
  }

  report(file: string | null, message: string, row: number | null, failure: boolean): void {
    if (this.isRereading) return;
    this.batch.errors.push({ file, message, row, failure, created_at: this.world.now() });
    this.world.sisBatches.touch(this.batch);
  }

  /** Returns whether this import must not change a field (§10). */
  isStuck(row: { stuck_sis_fields: StuckFields }, field: string): boolean {
    return !this.options.override_sis_stickiness && row.stuck_sis_fields?.has(field) === true;
  }

  /** Creates a row and records it as new. */
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
   * Writes the differences except for sticky fields, marks the row as touched by this import, applies the stickiness
   * options (§10) and records a change of state.
   * @param kind null for users, whose state is not part of an import's record.
   * @param sticky the fields of this kind that can be sticky; [] for kinds without any.
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

/** Returns the state of a row; group categories have a date of deletion instead of a state. */
export function stateOf(row: object): string {
  if ('workflow_state' in row) return (row as WithState).workflow_state;
  return 'deleted_at' in row && row.deleted_at !== null ? 'deleted' : 'active';
}

/** Returns whether a status cell starts with one of the words, in any case (§8.3). */
export function startsWithOne(status: string | null, ...words: readonly string[]): boolean {
  if (status === null) return false;
  const lower = status.toLowerCase();
  return words.some((word) => lower.startsWith(word));
}

/** Characters that a Canvas column can hold. */
export const LONGEST = 255;

/** Returns Canvas's message for the first of these texts that is too long. */
export function tooLong(
  fields: readonly (readonly [field: string, value: string | null])[],
): string | undefined {
  const long = fields.find(([, value]) => Array.from(value ?? '').length > LONGEST);
  return long && messages.tooLong(long[0], LONGEST);
}

/** Returns the message that the end is before the start. @param field the end, in Canvas's words */
export function endsTooEarly(
  field: string,
  start: string | null | undefined,
  end: string | null | undefined,
): string | undefined {
  return start && end && end < start ? `${field} ${messages.endBeforeStart}` : undefined;
}

/** Returns Canvas's message that another object has the integration ID. */
export function integrationTaken<T>(
  id: string | null,
  present: T | undefined,
  holder: T | undefined,
): string | undefined {
  return id !== null && holder !== undefined && holder !== present
    ? messages.integrationTaken(id)
    : undefined;
}
