/** Following an import: what the screen shows after each look, and when the next look is due (IMP-05 to IMP-18). Pure. */
import type { SisImport } from '@lms-admin/contract/imports';
import { messages } from '@lms-admin/contract/messages';
import { IMPORT_POLL_MS } from '@lms-admin/domain/constants';
import {
  type ImportScreen,
  importPhase,
  importProgress,
  isFinal,
  joinMessages,
  keepsPolling,
  START_PROGRESS,
} from '@lms-admin/domain/import-states';

export interface WatchState {
  screen: ImportScreen;
  /** Percent of the bar, as documented for the screen. */
  progress: number;
  /** The documented text of the state. */
  message: string;
  import: SisImport | null;
  /** Looks in a row that brought no answer. */
  failures: number;
  /** True when following was given up; the import itself goes on (OP-39). */
  gaveUp: boolean;
}

export type WatchAction =
  | { type: 'seen'; import: SisImport }
  /** A look that brought no answer. */
  | { type: 'missed' }
  /** The server will not show this import: looking again would not help. */
  | { type: 'refused' }
  | { type: 'again' };

/** Looks that may fail in a row before following is given up: with the pauses below about ten minutes. */
const MOST_FAILURES = 22;
/** From this many failed looks on, a hint says that nothing can be seen at the moment. */
const HINT_AFTER = 3;
const LONGEST_PAUSE_MS = 30_000;

/** What the view shows before the first answer. */
export function startWatch(screen: ImportScreen): WatchState {
  return {
    screen,
    progress: START_PROGRESS[screen],
    message: messages.import.start,
    import: null,
    failures: 0,
    gaveUp: false,
  };
}

export function watchImport(state: WatchState, action: WatchAction): WatchState {
  switch (action.type) {
    case 'seen':
      return {
        ...state,
        import: action.import,
        // A state that even the extended table does not know keeps what is shown (OP-35).
        progress: importProgress(state.screen, action.import.workflow_state) ?? state.progress,
        message: stateMessage(state.screen, action.import.workflow_state) ?? state.message,
        failures: 0,
        // Ended in a state nobody knows: there is nothing more to see.
        gaveUp: action.import.final && !isFinal(action.import.workflow_state),
      };
    case 'missed':
      return { ...state, failures: state.failures + 1, gaveUp: state.failures + 1 >= MOST_FAILURES };
    case 'refused':
      return { ...state, gaveUp: true };
    case 'again':
      return { ...state, failures: 0, gaveUp: false };
  }
}

/** Milliseconds until the next look, or null when none is needed. */
export function nextLook(state: WatchState, id: string | null): number | null {
  if (state.gaveUp || !keepsPolling(state.progress, id)) return null;
  return Math.min(IMPORT_POLL_MS * 2 ** state.failures, LONGEST_PAUSE_MS);
}

/** Whether the screen should say that it cannot see the import at the moment. */
export function lostSight(state: WatchState): boolean {
  return state.gaveUp || state.failures >= HINT_AFTER;
}

export type Outcome = 'running' | 'done' | 'partly' | 'failed';

/** How the import ended, or that it has not. */
export function outcome(state: WatchState): Outcome {
  switch (state.import && importPhase(state.import.workflow_state)) {
    case 'imported':
      return 'done';
    case 'imported_with_messages':
      return 'partly';
    case 'failed':
      return 'failed';
    default:
      return 'running';
  }
}

/** The documented text of a state on a screen; null for a state without one. */
function stateMessage(screen: ImportScreen, state: string): string | null {
  const all = screen === 'group' || screen === 'sis-import';
  switch (importPhase(state)) {
    case 'created':
      return screen === 'group' ? messages.import.createdGroup : messages.import.created;
    case 'importing':
      return messages.import.importing;
    case 'imported':
      return all ? messages.import.importedAll : messages.import.imported;
    case 'imported_with_messages':
    case 'failed':
      return messages.import.error;
    case null:
      return null;
  }
}

/** Warnings and errors in one line, errors of a failed import first (IMP-18, OP-37). */
export function joinedTexts(one: SisImport): string {
  return joinMessages([...one.processing_errors, ...one.processing_warnings]);
}

/** The counts that are not zero, in the order of the specification. */
export function importedCounts(one: SisImport, names: readonly string[]): [name: string, count: number][] {
  return names.flatMap((name): [string, number][] => {
    const count = one.data.counts[name] ?? 0;
    return count > 0 ? [[name, count]] : [];
  });
}

/** How many entries an import applied, over all kinds. */
export function appliedTotal(one: SisImport, names: readonly string[]): number {
  return importedCounts(one, names).reduce((sum, [, count]) => sum + count, 0);
}
