/** The progress of an upload and its check: real numbers, with an estimate for the upload only. Pure. */
import { advance, type Pace } from '../../components/Job/pace.ts';

const UPLOAD = 'upload';
/** Every byte has arrived, and the server is checking the rows; the duration is unknown. */
const CHECK = 'check';

/** @param size of the file in bytes */
export function startUpload(size: number, now: number): Pace {
  return advance(null, { stage: UPLOAD, done: 0, total: size }, now);
}

/** Adds a new figure. @param bytes of the request, which is slightly larger than the file */
export function sent(before: Pace, bytes: number, now: number): Pace {
  if (isChecked(before)) return before;
  const { stage, total } = before;
  return advance(before, { stage, done: Math.min(bytes, total ?? bytes), total }, now);
}

/** Marks every byte as sent. */
export function arrived(before: Pace, now: number): Pace {
  return advance(before, { stage: CHECK, done: 0, total: null }, now);
}

/** Tells whether the server is checking the rows. */
export function isChecked({ stage }: Pace): boolean {
  return stage === CHECK;
}
