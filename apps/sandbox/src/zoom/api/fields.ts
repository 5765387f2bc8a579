/** Fields that a body can have for a meeting (Zoom reference §7), and Zoom's names for errors in them. */

import { z } from 'zod';
import { isParams } from '../../http/params.ts';
import { invalidFields, notAnObject } from '../http/errors.ts';
import { MOST_OCCURRENCES } from '../store/occurrences.ts';
import { isZone, readTime, zoomTime } from '../store/time.ts';
import { settingsSchema } from './settings-table.ts';
import { SHORTEST_PASSCODE } from './user-settings.ts';

/** One day: Zoom does not accept longer meetings. */
const LONGEST_MINUTES = 24 * 60;

/** Clients in untyped languages send numbers as text. */
const wholeNumber = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);
const time = z
  .string()
  .refine((text) => text === '' || readTime(text, 'UTC') !== null)
  .transform((text) => text || undefined);

/** The account's rules. An empty passcode counts as none. */
const passcode = z
  .string()
  .regex(/^[A-Za-z0-9@_*-]{0,10}$/)
  .refine((text) => text === '' || text.length >= SHORTEST_PASSCODE);

const fields = z.object({
  type: wholeNumber.pipe(z.literal([1, 2, 3, 8, 10])).optional(),
  topic: z.string().max(200).optional(),
  agenda: z.string().max(2000).optional(),
  start_time: time.optional(),
  duration: wholeNumber.pipe(z.int().min(0).max(LONGEST_MINUTES)).optional(),
  timezone: z.string().refine(isZone).optional(),
  password: passcode.optional(),
  default_password: z.boolean().optional(),
  schedule_for: z.string().optional(),
  tracking_fields: z
    .array(z.object({ field: z.string(), value: z.union([z.string(), z.number()]).transform(String) }))
    .optional(),
  recurrence: z
    .object({
      type: wholeNumber.pipe(z.literal([1, 2, 3])),
      repeat_interval: wholeNumber.pipe(z.int().min(1).max(90)).default(1),
      weekly_days: z
        .string()
        .regex(/^[1-7](,[1-7])*$/)
        .optional(),
      monthly_day: wholeNumber.pipe(z.int().min(1).max(31)).optional(),
      monthly_week: z.literal([-1, 1, 2, 3, 4]).optional(),
      monthly_week_day: wholeNumber.pipe(z.int().min(1).max(7)).optional(),
      end_times: wholeNumber.pipe(z.int().min(1).max(MOST_OCCURRENCES)).optional(),
      end_date_time: time.transform((text) => text && zoomTime(readTime(text, 'UTC') ?? 0)).optional(),
    })
    .optional(),
  settings: settingsSchema.optional(),
});

export type MeetingFields = z.output<typeof fields>;

/** Reads a body; unknown fields, such as `host_id`, are ignored. @throws ZoomError 300 */
export function meetingFieldsIn(body: unknown): MeetingFields {
  if (!isParams(body)) throw notAnObject();
  const read = fields.safeParse(body);
  if (read.success) return read.data;
  throw invalidFields([...new Set(read.error.issues.map(({ path }) => path.join('.')))]);
}
