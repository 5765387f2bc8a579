/** What the job of a change was started with. */
import { type ZoomChange, zoomChange, zoomChangeOrder } from '@lms-admin/contract/zoom';
import { z } from 'zod';

export interface ChangeInput {
  change: ZoomChange;
  /** Of the preview that the person has seen; null: there was none. */
  digest: string | null;
}

/** Calls for single events (OP-68) have no preview, nor have changes of earlier versions: those are the change alone. */
export const changeInput: z.ZodType<ChangeInput> = z.union([
  zoomChangeOrder,
  zoomChange.transform((change) => ({ change, digest: null })),
]);
