import type { Spool } from '../../../files/spool.ts';
import { storeFile } from '../../files/stored.ts';
import { type SisBatch, STATE_KINDS, type StateKind } from '../../store/sis-batch.ts';
import type { World } from '../../store/world.ts';
import { countName, IMPORT_KINDS } from '../csv/detect.ts';
import { stringify } from '../csv/write.ts';
import { messages } from '../messages.ts';
import type { Pace } from './pace.ts';

/**
 * Returns the counts of a finished import, in Canvas's order, all zero (§7.2). Tags count only if a file
 * names them.
 */
export function zeroCounts(): Record<string, number> {
  const usual = IMPORT_KINDS.filter((kind) => !kind.startsWith('differentiation_'));
  return Object.fromEntries(usual.map((kind) => [countName(kind), 0]));
}

/** States that count as in use in the statistics, by kind; for other kinds only `active` does. */
const IN_USE: Partial<Record<StateKind, readonly string[]>> = {
  Course: ['created', 'claimed', 'available'],
  Group: ['available'],
  GroupMembership: ['accepted'],
};

/**
 * States from which an object is restored, by kind; for other kinds `deleted`. A suspended login that becomes
 * active is not restored.
 */
const RESTORED_FROM: Partial<Record<StateKind, readonly string[]>> = {
  CommunicationChannel: ['retired', 'unconfirmed'],
  Course: ['completed', 'deleted'],
  Enrollment: ['inactive', 'completed', 'rejected', 'deleted'],
};

type Tally = { created: number; restored: number; concluded?: number; deactivated?: number; deleted: number };

/** Counts changes of state by kind for `data.statistics` (§7.2). */
export function statisticsOf(batch: SisBatch): Record<string, unknown> {
  const tallies = Object.fromEntries(
    STATE_KINDS.map((kind): [StateKind, Tally] => [
      kind,
      {
        created: 0,
        restored: 0,
        ...(kind === 'Course' || kind === 'Enrollment' ? { concluded: 0 } : {}),
        ...(kind === 'Enrollment' ? { deactivated: 0 } : {}),
        deleted: 0,
      },
    ]),
  ) as Record<StateKind, Tally>;
  for (const { context_type: kind, previous_state: from, updated_state: to } of batch.state_changes) {
    const tally = tallies[kind];
    if (to === (kind === 'CommunicationChannel' ? 'retired' : 'deleted')) tally.deleted++;
    else if (to === 'completed' && tally.concluded !== undefined) tally.concluded++;
    else if (to === 'inactive' && tally.deactivated !== undefined) tally.deactivated++;
    else if ((IN_USE[kind] ?? ['active']).includes(to)) {
      if (from === 'non-existent' || from === 'creation_pending') tally.created++;
      else if ((RESTORED_FROM[kind] ?? ['deleted']).includes(from)) tally.restored++;
    }
  }
  return { total_state_changes: batch.state_changes.length, ...tallies };
}

/** How many messages of each sort the import itself contains (§7.2). */
const SHOWN = 24;

/** Fills `processing_warnings` and `processing_errors` from the reported messages. */
export function showMessages(batch: SisBatch): void {
  const warnings = batch.errors.filter((error) => !error.failure);
  const failures = batch.errors.filter((error) => error.failure);
  const pair = ({ file, message }: { file: string | null; message: string }): [string | null, string] => [
    file,
    message,
  ];
  batch.processing_warnings = warnings.slice(0, SHOWN).map(pair);
  batch.processing_errors = failures.slice(0, SHOWN).map(pair);
  const { moreWarnings, seeWarnings, moreErrors, seeErrors } = messages.file;
  if (warnings.length > SHOWN)
    batch.processing_warnings.push([moreWarnings(warnings.length - SHOWN), seeWarnings]);
  if (failures.length > SHOWN) batch.processing_errors.push([moreErrors(failures.length - SHOWN), seeErrors]);
}

/** Writes `sis_errors_attachment_<id>.csv` if there are messages (§7.2). */
export async function writeErrorsFile(
  world: World,
  batch: SisBatch,
  spool: Spool,
  pace: Pace,
): Promise<void> {
  if (batch.errors.length === 0) return;
  const parts = [Buffer.from('sis_import_id,file,message,row\n')];
  const group = 500;
  for (let at = 0; at < batch.errors.length; at += group) {
    const lines = batch.errors
      .slice(at, at + group)
      .map(({ file, message, row }) => stringify([batch.id, file, message, row]));
    parts.push(Buffer.from(lines.join('')));
    await pace.yieldNow();
  }
  const { key, size } = await spool.keepBuffer(Buffer.concat(parts));
  const name = `sis_errors_attachment_${batch.id}.csv`;
  batch.errors_attachment_id = storeFile(world, name, size, { key, member: null }, batch.user_id).id;
}

/** Counts errors and warnings, which join the other counts at the end. */
export function countMessages(batch: SisBatch): { error_count: number; warning_count: number } {
  const errors = batch.errors.reduce((n, error) => n + Number(error.failure), 0);
  return { error_count: errors, warning_count: batch.errors.length - errors };
}
