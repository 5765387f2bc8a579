/** The export of a course's students, in requests and answers. */
import { EXPORT_FORMATS } from '@lms-admin/domain/student-export';
import { z } from 'zod';
import { timeZone } from './time-zone.ts';

/** Id of the kind of job. */
export const STUDENT_EXPORT = 'student-export';

/** Input of `POST /api/jobs/start/student-export`. */
export const studentExportRequest = z.strictObject({
  /** Number of the course. */
  course: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  groups: z.boolean(),
  format: z.enum(EXPORT_FORMATS),
  /** Time zone of the last activity (IANA); null for UTC. */
  time_zone: timeZone.nullable(),
});
export type StudentExportRequest = z.infer<typeof studentExportRequest>;
