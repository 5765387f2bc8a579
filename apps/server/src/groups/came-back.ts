/**
 * Groups planned as new that have members. The LMS does not show deleted groups; if a row uses the id of one, it
 * restores the group with its former members. This is only visible after the import.
 */
import { counted } from '@lms-admin/domain/numbers';
import { shown } from '@lms-admin/domain/sis-rows';
import type { Reader } from '../canvas/resources/reading.ts';
import { listed } from '../platform/text.ts';
import type { KeptRows } from './plan-parts.ts';
import { readGroups } from './read-course.ts';

/** @returns a sentence that names the groups, if any @throws CanvasError; AppError if SIS IDs are not shown */
export async function groupsWithPeople(reading: Reader, course: number, kept: KeptRows): Promise<string[]> {
  const newGroups = kept.kind === 'groups' ? kept.rows.filter(({ fate }) => fate === 'new') : [];
  if (newGroups.length === 0) return [];
  const index = await readGroups(reading, course);
  const filled = newGroups.flatMap(({ sis_group_id: id }) => {
    const group = index.groupWithId(id);
    return group && group.members > 0 ? [group] : [];
  });
  if (filled.length === 0) return [];
  const names = filled.map(({ name, members }) => `${shown(name)} (${counted(members, 'person', 'people')})`);
  const subject =
    filled.length === 1 ? 'This new group already has' : `${filled.length} of the new groups already have`;
  const why =
    filled.length === 1
      ? 'A group with its ID had been deleted in the LMS and was restored'
      : 'Groups with their IDs had been deleted in the LMS and were restored';
  return [
    `${subject} members: ${listed(names)}. ${why}, or people have been added since. Check them in the LMS, and remove anyone who does not belong there.`,
  ];
}
