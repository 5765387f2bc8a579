/** An upload and its check while they go on: true numbers, and an estimate made of them. Pure. */

export interface UploadProgress {
  /** `check`: every byte has arrived, and the server is at work on the rows. */
  stage: 'upload' | 'check';
  /** Bytes. */
  done: number;
  total: number;
  /** Milliseconds at which the upload began, by the clock that the caller uses. */
  since: number;
  now: number;
}

/** @param size of the file in bytes */
export function startUpload(size: number, now: number): UploadProgress {
  return { stage: 'upload', done: 0, total: size, since: now, now };
}

/** The next figure. @param bytes of the request, which is a little larger than the file */
export function sent(before: UploadProgress, bytes: number, now: number): UploadProgress {
  if (before.stage === 'check') return before;
  return { ...before, done: Math.max(before.done, Math.min(bytes, before.total)), now };
}

/** Every byte has left. */
export function arrived(before: UploadProgress, now: number): UploadProgress {
  return { ...before, stage: 'check', done: before.total, now };
}
