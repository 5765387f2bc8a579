/** Rows of the list in the formats of the API. */
import type { ListChanges, ListEntry, SheetRecord } from '@lms-admin/contract/awards';
import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import type { AwardEntry } from '@lms-admin/domain/award-entries';
import type { ListChanges as Changes } from '@lms-admin/domain/award-list-changes';

/** Uses the documented names (BTA-46). */
export function toListEntry(entry: AwardEntry): ListEntry {
  const { campus, course, courseId, enrolled, professorId, professor, type } = entry;
  return { campus, course, course_id: courseId, enrolled, professor_id: professorId, professor, type };
}

/** Uses the columns of the template (BTA-38). */
export function toSheetRecord(entry: AwardEntry): SheetRecord {
  return {
    Campus: entry.campus,
    Course: entry.course,
    'Course ID': entry.courseId,
    Enrolled: entry.enrolled,
    'Prof ID': entry.professorId,
    Professor: entry.professor,
    Type: awardReportMessages.types[entry.type],
  };
}

export function toListChanges({ added, changed, gone, unchanged }: Changes): ListChanges {
  return {
    added: added.map(toListEntry),
    changed: changed.map(({ entry, fields }) => ({ entry: toListEntry(entry), fields: [...fields] })),
    gone: gone.map(toListEntry),
    unchanged,
  };
}
