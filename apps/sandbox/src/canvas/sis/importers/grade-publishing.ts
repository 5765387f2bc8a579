import { messages } from '../messages.ts';
import type { Importer } from './work.ts';

const COLUMNS = ['enrollment_id', 'grade_publishing_status', 'message'] as const;
const say = messages.gradePublishing;

/**
 * Another system's answer to published grades. The sandbox does not publish any: rows are checked and
 * counted.
 */
export const gradePublishingImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'grade_publishing_results',
  columns: COLUMNS,
  buffer: 1,

  check(row) {
    if (!row.enrollment_id) return say.noEnrollment;
    if (!row.grade_publishing_status) return say.noStatus(row.enrollment_id);
    if (!['published', 'error'].includes(row.grade_publishing_status.toLowerCase()))
      return say.badStatus(row.grade_publishing_status, row.enrollment_id);
    return undefined;
  },

  apply: (row, work) =>
    work.world.enrollments.get(Number(row.enrollment_id)) ? true : say.unknown(row.enrollment_id),
};
