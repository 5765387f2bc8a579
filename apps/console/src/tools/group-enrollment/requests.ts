/** The requests for the entries in the dialog of a course. Pure. */
import type { GroupPlanRequest, MemberPlanRequest } from '@lms-admin/contract/groups';
import { rangeCounts } from '@lms-admin/domain/groups';
import type { GroupsPart, MembersPart } from './course-work.ts';

/** Selects the rows that create groups: they have a prefix, and their start is not above their end (GRP-20, OP-78). */
export function rangesThatCount({ ranges }: Pick<GroupsPart, 'ranges'>): GroupPlanRequest['ranges'] {
  return ranges
    .filter((row) => rangeCounts(row) && row.start <= row.end)
    .map(({ prefix, start, end }) => ({ prefix: prefix.trim(), start, end }));
}

/** Builds the request for a plan of groups; null while a category or a row is missing (GRP-18). */
export function groupRequest(
  course: number,
  part: Pick<GroupsPart, 'category' | 'ranges'>,
): GroupPlanRequest | null {
  const ranges = rangesThatCount(part);
  const { category } = part;
  return category === null || ranges.length === 0 ? null : { course, category, ranges };
}

/** The administrator's entries that are not in the state of the part. */
export interface Given {
  file: { name: string; text: string } | null;
  pasted: string;
}

/** Builds the request for a plan of people; null while there is nothing to plan. */
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
