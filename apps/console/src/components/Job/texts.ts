/** Texts for running work and for its results. */
import type { JobOutcome } from '@lms-admin/contract/jobs';
import { grouped } from '@lms-admin/domain/numbers';

const OUTCOMES: Readonly<Record<JobOutcome, string>> = {
  done: 'done',
  partly: 'partly done',
  failed: 'failed',
  cancelled: 'cancelled',
};

export const texts = {
  states: {
    queued: 'Queued',
    running: 'Running',
    waiting: 'Waiting',
    done: 'Done',
    partly: 'Partly done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  start: 'Starting',
  of: (done: number, total: number) => `${grouped(done)} of ${grouped(total)}`,
  sofar: (done: number, unit: string) => `${grouped(done)} ${unit}`,
  percent: (done: number) => `${grouped(done)}%`,
  left: (seconds: number) =>
    seconds < 60 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`,
  soFar: (what: string) => `${what} so far`,
  waitingUntil: (why: string, until: string) => `${why} It continues at ${until}.`,
  signIn: 'Sign in again',
  leave: 'You can leave this page. The work continues.',
  pollNow: 'Check again',
  lost: 'The progress cannot be loaded at the moment. The work may still be running. LMS Admin keeps checking.',
  gaveUp: 'LMS Admin has stopped checking. The work may still be running.',
  cancel: 'Cancel',
  cancelling: 'Cancelling …',
  cancelTitle: 'Stop this work?',
  cancelText: 'Finished steps are kept. The current step will finish. The remaining steps will not run.',
  /** An import can be cancelled only before it is sent. */
  cancelUnsent:
    'The import can be stopped only if nothing has been sent to the LMS yet. In that case nothing changes in the LMS. Otherwise the import continues, and its result is shown.',
  cancelDone: (done: string) => `Done so far: ${done}.`,
  cancelYes: 'Stop',
  cancelNo: 'Keep running',
  cancelFailed: 'The work could not be cancelled.',
  runningImport: (at: string, how: string) => `Your import from ${at} ${how}.`,
  endedImport: (at: string, outcome: JobOutcome) => `Your import from ${at} has ended: ${OUTCOMES[outcome]}.`,
  isAt: (how: string) => `is at ${how}`,
  isQueued: 'is queued',
  isWaiting: 'is waiting',
  isRunning: 'is running',
  showImport: 'Show the import',
  otherImports: (count: number) =>
    count === 1
      ? '1 more import in this tool is running, or has ended and has not been opened yet.'
      : `${grouped(count)} more imports in this tool are running, or have ended and have not been opened yet.`,
  showAll: 'Show all',
} as const;
