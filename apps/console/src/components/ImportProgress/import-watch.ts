/**
 * Following an import: what the screen shows after each poll, and when the next poll is due (IMP-05 to IMP-18). Pure.
 */
import type { SisImport } from '@lms-admin/contract/imports';
import { messages } from '@lms-admin/contract/messages';
import { ATTACHMENT_POLL_MS, IMPORT_POLL_MS } from '@lms-admin/domain/constants';
import {
  type ImportScreen,
  importPhase,
  importProgress,
  isFinal,
  joinMessages,
  keepsPolling,
  START_PROGRESS,
} from '@lms-admin/domain/import-states';
import { FATE_COUNTS, wasBrokenOff } from '@lms-admin/domain/import-verdict';
import type { WatchRules } from '../Job/watch.ts';
import { texts } from './texts.ts';

/** State of the view. */
export interface ImportShown {
  screen: ImportScreen;
  /** Percent of the bar, as documented for the screen. */
  progress: number;
  /** The documented text of the import's state. */
  message: string;
  import: SisImport | null;
}

/** Returns the state of the view before the first answer. */
export function startImport(screen: ImportScreen): ImportShown {
  return { screen, progress: START_PROGRESS[screen], message: messages.import.start, import: null };
}

/** Returns the state of the view after an answer. An unknown import state leaves the text unchanged (OP-35). */
export function seenImport(before: ImportShown, one: SisImport): ImportShown {
  return {
    ...before,
    import: one,
    progress: importProgress(before.screen, one.workflow_state) ?? before.progress,
    message: stateMessage(before.screen, one.workflow_state) ?? before.message,
  };
}

/** Tells whether the import ended in an unknown state: polling again shows nothing new. */
export function endedOddly({ import: one }: ImportShown): boolean {
  return one !== null && one.final && !isFinal(one.workflow_state);
}

/** Returns the rules for following an import on a screen. */
export function importRules(screen: ImportScreen): WatchRules<ImportShown, SisImport> {
  return { start: startImport(screen), fold: seenImport, pace: importPace };
}

/** Returns the milliseconds until the next poll; null once the import has ended and nothing more will change. */
function importPace(shown: ImportShown): number | null {
  if (endedOddly(shown)) return null;
  if (keepsPolling(shown.progress, shown.import?.id ?? '')) return IMPORT_POLL_MS;
  // The job of an import ends a moment after the import, and only then says whether undo is possible.
  if (shown.import?.final === false) return IMPORT_POLL_MS;
  // The LMS may write its list of errors after the end.
  return shown.import?.attachment_pending === true ? ATTACHMENT_POLL_MS : null;
}

export type Outcome = 'running' | NonNullable<SisImport['verdict']>;

/** Returns the outcome of the import according to the server, or that the import is still running. */
export function outcome(shown: Pick<ImportShown, 'import'>): Outcome {
  return shown.import?.verdict ?? 'running';
}

/** Tells whether the LMS accepted everything without a message, but not everything in the review was done. */
export function endedQuietly({ workflow_state, verdict }: SisImport): boolean {
  return importPhase(workflow_state) === 'imported' && verdict !== 'done';
}

/**
 * Tells whether the import was sent but, as far as is known, is not in the LMS, so that the LMS has no messages about
 * it.
 */
export function notInLms({ canvas_id, nothing_sent }: SisImport): boolean {
  return canvas_id === null && !nothing_sent;
}

/** Chooses the heading of an incomplete import: 'CSV error' is only for rows that the LMS rejected. */
export function titleOf(one: SisImport): string {
  if (one.nothing_sent) return texts.nothingSent;
  if (notInLms(one)) return one.applied === 0 ? texts.noneCarriedOut : texts.notKnown;
  return endedQuietly(one) ? texts.inPart : messages.import.error;
}

/** Chooses the heading of an import that runs or has ended. If it succeeded without sending anything, the heading says so. */
export function headingOf({ import: one, message }: ImportShown): string {
  const end = one?.verdict ?? null;
  if (one !== null && (end === 'partly' || end === 'failed')) return titleOf(one);
  return end === 'done' && one?.nothing_sent === true ? texts.nothingToSend : message;
}

/** Describes the applied part of an incomplete import in a sentence; empty if nothing reached the LMS. */
export function whatWasApplied(one: SisImport): string {
  const { workflow_state, canvas_id, verdict, applied, rows, data } = one;
  if (canvas_id === null) return '';
  if (wasBrokenOff(workflow_state)) {
    const unknown = data.counts[FATE_COUNTS.unknown] ?? 0;
    return applied === null ? texts.stoppedUnknown(rows) : texts.stopped(applied, rows, unknown);
  }
  if (importPhase(workflow_state) === 'failed') {
    return applied === null ? texts.stoppedUnknown(rows) : texts.failed(applied, rows);
  }
  if (endedQuietly(one)) {
    return applied === null || applied >= rows ? texts.allSent(rows) : texts.passedOver(applied, rows);
  }
  if (applied === null) return texts.some;
  return verdict === 'failed' ? texts.none(rows) : texts.partly(applied, rows);
}

/** Advises the administrator about an incomplete import. @param canSearch whether the administrator has Search Users */
export function whatNext(one: SisImport, canSearch: boolean): string | null {
  const { workflow_state, canvas_id, verdict, applied, errors_attachment, note } = one;
  // The other texts about such an import already say what to do.
  if (one.nothing_sent) return one.rows === 0 ? texts.next.nothingSent : null;
  if (notInLms(one)) return null;
  if (canvas_id !== null && wasBrokenOff(workflow_state)) {
    if (applied === 0 && (one.data.counts[FATE_COUNTS.unknown] ?? 0) === 0) return texts.next.brokenOffNone;
    if (one.tool === 'create-users')
      return applied === null ? texts.next.unknownPeople(canSearch) : texts.next.brokenOffPeople;
    return applied === null ? texts.next.unknown : texts.next.brokenOff;
  }
  // Without a message, the texts below would refer to nothing; a note already says what to do.
  if (joinedTexts(one) === '' && errors_attachment === null) return note === null ? texts.nextSilent : null;
  return verdict === 'failed' ? texts.next.failed : texts.next.partly;
}

/** Returns the documented text of a state on a screen; null for a state without one. */
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

/** Joins warnings and errors in one line; errors of a failed import come first (IMP-18, OP-37). */
export function joinedTexts(one: SisImport): string {
  return joinMessages([...one.processing_errors, ...one.processing_warnings]);
}

/** Lists the non-zero counts, in the order of the specification. */
export function importedCounts(one: SisImport, names: readonly string[]): [name: string, count: number][] {
  return names.flatMap((name): [string, number][] => {
    const count = one.data.counts[name] ?? 0;
    return count > 0 ? [[name, count]] : [];
  });
}
