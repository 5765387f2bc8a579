/** How an import ended: one verdict, for the wizard, Activity and the job (OP-35, OP-36). */
import { COUNT_NAMES, importPhase } from './import-states.ts';

export type Verdict = 'done' | 'partly' | 'failed';

/** Names among an import's counts for what was found out about its rows after the LMS broke it off. */
export const FATE_COUNTS = {
  applied: 'rows_applied',
  not: 'rows_not_applied',
  unknown: 'rows_unknown',
} as const;
export type RowFate = keyof typeof FATE_COUNTS;

export interface EndedImport {
  /** State of the LMS. */
  state: string;
  /** Rows that were sent. */
  rows: number;
  /** As the LMS counts, with the `FATE_COUNTS` where rows were looked up. */
  counts: Readonly<Record<string, number>>;
  /** Whether something that was reviewed was not sent. */
  leftOut: boolean;
  /** Rows that the LMS need not count though it takes them. */
  uncounted?: number;
  /** Rows that messages say were not applied, where the LMS may count some of them anyway. */
  notApplied?: number;
}

/**
 * Whether the LMS broke the import off: it applies row by row and counts whole files, so that its counts then say nothing
 * about how many rows were applied.
 */
export function wasBrokenOff(state: string): boolean {
  return state === 'failed' || state === 'aborted';
}

/** Rows that were applied; null where that is not known, or what the LMS counts cannot be the rows that were sent. */
export function appliedRows({
  state,
  rows,
  counts,
  uncounted = 0,
  notApplied = 0,
}: EndedImport): number | null {
  if (wasBrokenOff(state)) {
    const found = counts[FATE_COUNTS.applied] ?? null;
    // None found of those that could be looked up is not none.
    return found === 0 && (counts[FATE_COUNTS.unknown] ?? 0) > 0 ? null : found;
  }
  const known = COUNT_NAMES.flatMap((name) => counts[name] ?? []);
  const counted = known.reduce((sum, count) => sum + count, 0);
  if (known.length === 0 || counted > rows) return null;
  return importPhase(state) === 'imported' && counted + uncounted >= rows
    ? rows
    : Math.max(0, Math.min(counted, rows - notApplied));
}

/** The verdict; null for an import that has not ended. `done` only where everything that was reviewed was applied. */
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
