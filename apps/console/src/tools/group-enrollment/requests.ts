/** What is asked of the server for what is in the dialog of a course. Pure. */
import type { GroupPlanRequest, MemberPlanRequest } from '@lms-admin/contract/groups';
import { rangeCounts } from '@lms-admin/domain/groups';
import type { GroupsPart, MembersPart } from './course-work.ts';

/** Rows that make groups: one with a prefix, whose start is not above its end (GRP-20, OP-78). */
export function rangesThatCount({ ranges }: Pick<GroupsPart, 'ranges'>): GroupPlanRequest['ranges'] {
  return ranges
    .filter((row) => rangeCounts(row) && row.start <= row.end)
    .map(({ prefix, start, end }) => ({ prefix: prefix.trim(), start, end }));
}

/** What is to be planned of groups; null while a category or a row is missing (GRP-18). */
export function groupRequest(
  course: number,
  part: Pick<GroupsPart, 'category' | 'ranges'>,
): GroupPlanRequest | null {
  const ranges = rangesThatCount(part);
  const { category } = part;
  return category === null || ranges.length === 0 ? null : { course, category, ranges };
}

/** What a person has given, beside what is in the part. */
export interface Given {
  file: { name: string; text: string } | null;
  pasted: string;
}

/** What is to be planned of people; null while there is nothing to plan from. */
export function memberRequest(course: number, part: MembersPart, given: Given): MemberPlanRequest | null {
  const { way, category, by, onlyUnassigned } = part;
  switch (way) {
    case 'csv':
      return given.file === null
        ? null
        : { course, from: { way, text: given.file.text, name: given.file.name.slice(0, 255) } };
    case 'pasted':
      return given.pasted.trim() === '' ? null : { course, from: { way, text: given.pasted, category } };
    case 'spread':
      return category === null ? null : { course, from: { way, category, by, onlyUnassigned } };
  }
}
