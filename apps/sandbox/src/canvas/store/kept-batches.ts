/**
 * Messages and state records of imports, in the form in which they are saved: such a list only grows, up to
 * half a million lines, so it is written in parts.
 */

import { type Kept, PIECE } from '../../memory/kept.ts';
import type { SisBatch, SisError, StateChange } from './sis-batch.ts';
import type { Table } from './table.ts';

/** In `marks`: 1 for the batch clean-up, 2 for restored, 4 for failed to restore. */
type PackedChange = [kind: string, id: number, from: string, to: string, marks: number];
/** Lines of one import, and their position in its lists. */
type Part = { id: number; errors: [from: number, SisError[]]; changes: [from: number, PackedChange[]] };

/** The lists, and how much of them has been written. */
type Written = { errors: SisError[]; errorCount: number; changes: StateChange[]; changeCount: number };

export function keptBatchLists(batches: Table<SisBatch>): Kept {
  const written = new WeakMap<SisBatch, Written>();

  /** Returns the written part of a batch. A list that replaces another is written from its beginning. */
  const writtenOf = (batch: SisBatch): Written => {
    const known = written.get(batch);
    if (known && known.errors === batch.errors && known.changes === batch.state_changes) return known;
    const fresh = { errors: batch.errors, errorCount: 0, changes: batch.state_changes, changeCount: 0 };
    written.set(batch, fresh);
    return fresh;
  };

  return {
    follow: (changed) => batches.onChange(({ id }) => changed(id)),

    *pack(keys, whole) {
      for (const key of keys) {
        const batch = batches.must(Number(key));
        const at = writtenOf(batch);
        if (whole) {
          at.errorCount = 0;
          at.changeCount = 0;
        }
        const { id, errors, state_changes: changes } = batch;
        // Runs at least once, because a list may have become empty.
        do {
          const part: Part = {
            id,
            errors: [at.errorCount, errors.slice(at.errorCount, at.errorCount + PIECE)],
            changes: [at.changeCount, changes.slice(at.changeCount, at.changeCount + PIECE).map(packChange)],
          };
          at.errorCount += part.errors[1].length;
          at.changeCount += part.changes[1].length;
          yield part;
        } while (at.errorCount < errors.length || at.changeCount < changes.length);
      }
    },

    unpack(piece) {
      const { id, errors, changes } = piece as Part;
      const batch = batches.must(id);
      put(batch.errors, errors[0], errors[1]);
      put(batch.state_changes, changes[0], changes[1].map(unpackChange));
      const at = writtenOf(batch);
      at.errorCount = batch.errors.length;
      at.changeCount = batch.state_changes.length;
      batches.touch(batch);
    },
  };
}

function put<T>(list: T[], from: number, lines: readonly T[]): void {
  list.length = from;
  for (const line of lines) list.push(line);
}

function packChange(change: StateChange): PackedChange {
  const { context_type, context_id, previous_state, updated_state } = change;
  const marks = (change.batch_mode_delete ? 1 : 0) + (change.restored ? 2 : 0) + (change.failed ? 4 : 0);
  return [context_type, context_id, previous_state, updated_state, marks];
}

function unpackChange([kind, id, from, to, marks]: PackedChange): StateChange {
  return {
    context_type: kind as StateChange['context_type'],
    context_id: id,
    previous_state: from,
    updated_state: to,
    batch_mode_delete: (marks & 1) > 0,
    ...((marks & 2) > 0 ? { restored: true } : {}),
    ...((marks & 4) > 0 ? { failed: true } : {}),
  };
}
