/** An upload and its check while they go on: true numbers, an estimate of the upload only. Pure. */
import { advance, type Pace } from '../../components/Job/pace.ts';

const UPLOAD = 'upload';
/** Every byte has arrived, and the server is at work on the rows; no one knows how long that takes. */
const CHECK = 'check';

/** @param size of the file in bytes */
export function startUpload(size: number, now: number): Pace {
  return advance(null, { stage: UPLOAD, done: 0, total: size }, now);
}

/** The next figure. @param bytes of the request, which is a little larger than the file */
export function sent(before: Pace, bytes: number, now: number): Pace {
  if (isChecked(before)) return before;
  const { stage, total } = before;
  return advance(before, { stage, done: Math.min(bytes, total ?? bytes), total }, now);
}

/** Every byte has left. */
export function arrived(before: Pace, now: number): Pace {
  return advance(before, { stage: CHECK, done: 0, total: null }, now);
}

/** Whether the server is at work on the rows. */
export function isChecked({ stage }: Pace): boolean {
  return stage === CHECK;
}
