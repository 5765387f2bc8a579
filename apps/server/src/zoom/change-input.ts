/** Stored input of a change's job. */
import { type ZoomChange, zoomChange, zoomChangeOrder } from '@lms-admin/contract/zoom';
import { z } from 'zod';

export interface ChangeInput {
  change: ZoomChange;
  /** Digest of the preview that the person saw; null if there was none. */
  digest: string | null;
}

/** Calls for single events (OP-68) and changes of earlier versions have no preview: their input is the change alone. */
export const changeInput: z.ZodType<ChangeInput> = z.union([
  zoomChangeOrder,
  zoomChange.transform((change) => ({ change, digest: null })),
]);
