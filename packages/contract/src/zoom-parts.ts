/** Parts of the requests and answers of both Zoom tools. */
import { z } from 'zod';

export const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const count = z.number().int().nonnegative();

export const ofEvent = { event: id, title: z.string(), start_at: z.string().nullable() };

/** An id as a number or as text. */
export const numeric = z.union([
  id,
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number),
]);
