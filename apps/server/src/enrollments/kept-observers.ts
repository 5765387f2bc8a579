/** Observers who stay as an import left them, because undo cannot restore the state of their student. */
import type { UndoPlan } from '@lms-admin/contract/enrollments';
import { stateWords } from '@lms-admin/domain/enrollment-states';
import type { Roles } from '../canvas/resources/roles.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { AT_ONCE, MOST_STUDENTS, Observing } from './added-with.ts';
import { LinkedObservers } from './linked-observers.ts';
import type { Reading } from './read-lms.ts';
import type { WorkedOut } from './section-reading.ts';

/**
 * Finds the observers by section: those who are linked to the student and in the state that the import gave the student.
 * Their own state before the import is not known.
 * @throws the signal's reason, or CanvasError if a token is refused
 */
export async function keptObservers(
  { canvas, roles }: { canvas: CanvasClient; roles: Roles },
  worked: readonly WorkedOut[],
  reading: Reading,
): Promise<UndoPlan['kept']> {
  const linked = new LinkedObservers(canvas, reading);
  const observing = new Observing(canvas, reading);
  const ofStudents = new Map<number, boolean>();
  for (const id of new Set(worked.map(({ section }) => section.roleId)))
    ofStudents.set(id, (await roles.isStudent(reading.admin.token, id, reading.signal)) ?? true);
  const places = worked.flatMap(({ section, people, difference, entry }) => {
    if (!section.undoes || !ofStudents.get(section.roleId)) return [];
    const { left } = section.undoes;
    const where = { course: entry.course.sis_course_id, section: entry.section.name };
    return difference.stays.flatMap((at) => {
      const student = people[at];
      return student ? [{ student, where, left, sectionId: section.sectionId }] : [];
    });
  });
  const found = await mapLimited(places, AT_ONCE, async ({ student, where, left, sectionId }, index) => {
    const observers = index < MOST_STUDENTS ? await linked.of(student.id) : null;
    const unread = { ...where, why: 'observers-unread' as const, who: [{ person: student.name, state: '' }] };
    if (observers === null) return unread;
    const who: UndoPlan['kept'][number]['who'] = [];
    for (const observer of observers.values()) {
      const states = await observing.states(observer.id, student.id);
      if (states === null) return unread;
      if (states.get(sectionId) === left)
        who.push({ person: observer.name, state: `${stateWords(left)}, observes ${student.name}` });
    }
    return { ...where, why: 'observer' as const, who };
  });
  return found.flatMap((one) => (one.who.length === 0 ? [] : [{ ...one, people: one.who.length }]));
}
