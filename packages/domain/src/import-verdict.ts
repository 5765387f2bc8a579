/** Outcome of an import: one verdict, for the wizard, Activity and the job (OP-35, OP-36). */
import { COUNT_NAMES, importPhase } from './import-states.ts';

export type Verdict = 'done' | 'partly' | 'failed';

/** Names of an import's counts for findings about its rows after the LMS stopped it. */
export const FATE_COUNTS = {
  applied: 'rows_applied',
  not: 'rows_not_applied',
  unknown: 'rows_unknown',
} as const;
export type RowFate = keyof typeof FATE_COUNTS;

export interface EndedImport {
  /** State in the LMS. */
  state: string;
  /** Rows that were sent. */
  rows: number;
  /** Counts of the LMS, with the `FATE_COUNTS` if rows were looked up. */
  counts: Readonly<Record<string, number>>;
  /** Whether something reviewed was not sent. */
  leftOut: boolean;
  /** Rows that the LMS may apply without counting them. */
  uncounted?: number;
  /** Rows that, according to messages, were not applied, although the LMS may count some of them. */
  notApplied?: number;
}

/**
 * Returns whether the LMS stopped the import: it applies single rows but counts whole files, so its counts then do
 * not show how many rows were applied.
 */
export function wasBrokenOff(state: string): boolean {
  return state === 'failed' || state === 'aborted';
}

/** Returns the number of applied rows; null if unknown, or if the LMS's counts cannot be those of the sent rows. */
export function appliedRows({
  state,
  rows,
  counts,
  uncounted = 0,
  notApplied = 0,
}: EndedImport): number | null {
  if (wasBrokenOff(state)) {
    const found = counts[FATE_COUNTS.applied] ?? null;
    // Finding none of the rows that could be looked up does not mean that none was applied.
    return found === 0 && (counts[FATE_COUNTS.unknown] ?? 0) > 0 ? null : found;
  }
  const known = COUNT_NAMES.flatMap((name) => counts[name] ?? []);
  const counted = known.reduce((sum, count) => sum + count, 0);
  if (known.length === 0 || counted > rows) return null;
  return importPhase(state) === 'imported' && counted + uncounted >= rows
    ? rows
    : Math.max(0, Math.min(counted, rows - notApplied));
}

/** Returns the verdict; null for an unfinished import. `done` only if everything reviewed was applied. */
export function importVerdict(of: EndedImport): Verdict | null {
  const phase = importPhase(of.state);
  const applied = appliedRows(of);
  const nothing = applied === 0 && of.rows > 0;
  switch (phase) {
    case 'imported':
      if (nothing) return 'failed';
      return of.leftOut || (applied !== null && applied < of.rows) ? 'partly' : 'done';
    case 'imported_with_messages':
      return nothing ? 'failed' : 'partly';
    case 'failed': {
      const some = applied === null && !wasBrokenOff(of.state) && COUNT_NAMES.some((name) => of.counts[name]);
      return some || (applied ?? 0) > 0 ? 'partly' : 'failed';
    }
    default:
      return null;
  }
}
