/** Unanswered corrections, kept in the tab so that an expired session or a reload loses none. */
import { draftCorrection, type SisDraft } from '@lms-admin/contract/sis-drafts';
import { SIS_KINDS } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';
import { readStored, writeStored } from '../../../api/stored-state.ts';

/** A correction that is waiting or being sent. */
const waiting = z.object({
  step: draftCorrection.shape.step,
  /** Whether the correction is of a single cell: consecutive ones are sent together, a pasted column separately. */
  single: z.boolean(),
  /** Kind of the group whose rows are skipped: the numbers of groups change with every correction. */
  group: z.string().nullable(),
  /** The unused part of a paste, for the message; empty if all of it was used. */
  left: z.string().default(''),
  /** Key and version with which the correction was first sent, so that a repeat is recognised. Null before that. */
  sent: z.object({ key: z.uuid(), version: z.number() }).nullable(),
});
export type Waiting = z.infer<typeof waiting>;

/** Waiting corrections by draft. */
export const unsentShape = { unsent: z.record(z.string(), z.array(waiting)) };
const NONE: { unsent: Record<string, Waiting[]> } = { unsent: {} };

export function readUnsent(draft: string, storage?: Storage): Waiting[] {
  return readStored('sis-import', unsentShape, NONE, storage).unsent[draft] ?? [];
}

export function keepUnsent(draft: string, corrections: readonly Waiting[], storage?: Storage): void {
  const { [draft]: before, ...others } = readStored('sis-import', unsentShape, NONE, storage).unsent;
  if (before === undefined && corrections.length === 0) return;
  writeStored(
    'sis-import',
    { unsent: corrections.length === 0 ? others : { ...others, [draft]: corrections } },
    null,
    storage,
  );
}

const columns = z.object({
  kind: z.enum(SIS_KINDS),
  names: z.array(z.string()),
  values: z.record(z.string(), z.string()),
});
/** The chosen columns of a file, before they are applied. */
export type ChosenColumns = z.infer<typeof columns>;

const columnsOf = columns.extend({ draft: z.string(), version: z.number() }).nullable();
export const columnsShape = { columns: columnsOf };
const NO_COLUMNS: { columns: z.infer<typeof columnsOf> } = { columns: null };

/** Reads the stored choice; null if none for this version of the draft. */
export function readColumns({ id, version }: SisDraft, storage?: Storage): ChosenColumns | null {
  const { columns: kept } = readStored('sis-import', columnsShape, NO_COLUMNS, storage);
  return kept !== null && kept.draft === id && kept.version === version ? kept : null;
}

export function keepColumns({ id, version }: SisDraft, chosen: ChosenColumns, storage?: Storage): void {
  writeStored('sis-import', { columns: { ...chosen, draft: id, version } }, null, storage);
}
