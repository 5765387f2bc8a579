/**
 * Groups that were to be new and have people. The LMS shows no deleted group, and takes one up again whose id a row names, with
 * the people that it had then: that is seen only once the import has ended.
 */
import { counted } from '@lms-admin/domain/numbers';
import { shown } from '@lms-admin/domain/sis-rows';
import type { Reader } from '../canvas/resources/reading.ts';
import { listed } from '../platform/text.ts';
import type { KeptRows } from './plan-parts.ts';
import { readGroups } from './read-course.ts';

/** @returns a sentence that names them; none where all of them are empty. @throws CanvasError; AppError where SIS IDs are not shown */
export async function groupsWithPeople(reading: Reader, course: number, kept: KeptRows): Promise<string[]> {
  const made = kept.kind === 'groups' ? kept.rows.filter(({ fate }) => fate === 'new') : [];
  if (made.length === 0) return [];
  const index = await readGroups(reading, course);
  const filled = made.flatMap(({ sis_group_id: id }) => {
    const group = index.groupWithId(id);
    return group && group.members > 0 ? [group] : [];
  });
  if (filled.length === 0) return [];
  const names = filled.map(({ name, members }) => `${shown(name)} (${counted(members, 'person', 'people')})`);
  const those = filled.length === 1 ? 'This new group has' : `${filled.length} of the new groups have`;
  const why = filled.length === 1 ? 'A group with its id' : 'Groups with their ids';
  return [
    `${those} people already: ${listed(names)}. ${why} had been deleted in the LMS and were restored with their former people, or people have been added since. Check them in the LMS, and remove people who do not belong there.`,
  ];
}
