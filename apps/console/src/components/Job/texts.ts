/** Texts of ours for work that goes on, and for what came of it. */
const n = (count: number) => count.toLocaleString('en-GB');

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
  of: (done: number, total: number) => `${n(done)} of ${n(total)}`,
  sofar: (done: number, unit: string) => `${n(done)} ${unit}`,
  percent: (done: number) => `${n(done)}%`,
  left: (seconds: number) =>
    seconds < 60 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`,
  soFar: (what: string) => `${what} so far`,
  waitingUntil: (why: string, until: string) => `${why} It goes on at ${until}.`,
  leave: 'You may leave this page: the work goes on.',
  pollNow: 'Check again',
  lost: 'This cannot be seen at the moment. It may still be running. It is looked for again by itself.',
  gaveUp: 'Following this was given up for now. It may still be running.',
  cancel: 'Cancel',
  cancelling: 'Cancelling …',
  cancelTitle: 'Cancel this work?',
  cancelText:
    'What is done already stays done; what is not begun yet is left out. What is under way is finished first.',
  /** An import can be cancelled only before it is sent. */
  cancelUnsent:
    'It is cancelled only if nothing of it has been sent to the LMS yet: then nothing changes there. If it is on its way already, it goes on, and its result is shown.',
  cancelDone: (done: string) => `Done so far: ${done}.`,
  cancelYes: 'Cancel the work',
  cancelNo: 'Let it go on',
  cancelFailed: 'It could not be cancelled.',
  runningImport: (at: string, how: string) => `Your import of ${at} ${how}.`,
  isAt: (how: string) => `is at ${how}`,
  isQueued: 'is queued',
  isWaiting: 'is waiting',
  isRunning: 'is running',
  showImport: 'Show the import',
  otherImports: (count: number) =>
    count === 1
      ? 'One more import of this tool is running.'
      : `${n(count)} more imports of this tool are running.`,
  showAll: 'Show all',
} as const;
