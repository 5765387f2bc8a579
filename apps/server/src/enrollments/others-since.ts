/** What others have done since a review to people who get no row, or beside the rows that people get: sentences for the result. */

import type { ExistingEnrollment } from '@lms-admin/domain/enrollment-plan';
import { type EnrollmentState, type RowStatus, stateWords } from '@lms-admin/domain/enrollment-states';
import type { Admin } from '../auth/admin.ts';
import { isDefinite } from '../canvas/resources/reading.ts';
import { sectionById } from '../canvas/resources/sections.ts';
import type { CanvasClient } from '../canvas/types.ts';
import type { StoredPerson, StoredPlan } from '../plans/store.ts';
import type { StoredCourse, StoredRows } from './plan-store.ts';

export interface ReviewedPlan {
  plan: Pick<StoredPlan, 'roleId' | 'status'>;
  people: readonly StoredPerson[];
}

/** `Zoë Weiss (5001001)` */
export const nameOf = (name: string, sisId: string) => (name === '' ? sisId : `${name} (${sisId})`);

/** Of people who were asked for and get no row of a course: who is not any more as the review said. */
export function changedInCourse(
  { plan: { roleId, status }, people }: ReviewedPlan,
  course: StoredCourse,
  enrollments: readonly ExistingEnrollment[],
) {
  const { rows, sisCourseId } = course;
  if (roleId === null || status === null) return [];
  if (rows.some((one) => one.people === null || one.unread)) return [];
  const planned = new Set(rows.flatMap((one) => one.people ?? []));
  const of = new Map<string, EnrollmentState>();
  for (const { userSisId, state, linked = false } of enrollments) {
    // A removal leaves linked observers where they are.
    if (linked && status === 'deleted') continue;
    if (userSisId !== null && of.get(userSisId) !== 'active') of.set(userSisId, state);
  }
  const others = people.filter((_, index) => !planned.has(index));
  const stateOf = (sisId: string) => of.get(sisId) ?? 'deleted';
  return changedSince(others, { status, where: `course ${sisCourseId}`, stateOf });
}

/** Of a removal: who has come into another section of the course since the review, which no row removes them from. */
export function enrolledSince(
  { plan: { roleId, status }, people }: ReviewedPlan,
  { rows, sisCourseId }: StoredCourse,
  enrollments: readonly ExistingEnrollment[],
): string[] {
  if (status !== 'deleted' || roleId === null || rows.some(({ unread }) => unread)) return [];
  const planned = new Set<string>();
  const removed = new Map<string, number>();
  // Without a list of its own a section takes everybody.
  for (const { people: those, section } of rows)
    for (const index of those ?? people.keys()) {
      const sisId = people[index]?.[2] ?? '';
      planned.add(`${sisId} ${section}`);
      removed.set(sisId, index);
    }
  return enrollments.flatMap(({ userSisId, sectionId, state, linked }) => {
    const index = removed.get(userSisId ?? '');
    if (index === undefined || linked || state === 'deleted') return [];
    if (planned.has(`${userSisId} ${sectionId}`)) return [];
    const [, name, sisId] = people[index] ?? ['', '', ''];
    return `${nameOf(name, sisId)} has been enrolled in another section of course ${sisCourseId} since the review, and stays there: another import, or a person in the LMS, has done that. Review the removal again.`;
  });
}

/** A sentence for each person who was to stay as they were, and whom others have changed since the review. */
export function changedSince(
  people: readonly (StoredPerson | undefined)[],
  of: { status: RowStatus; where: string; stateOf: (sisId: string) => EnrollmentState },
): string[] {
  const { status, where, stateOf } = of;
  return people.flatMap((person) => {
    // A plan of an earlier version keeps no number of a person: who is not found may bear another SIS ID.
    if (person?.[3] === undefined) return [];
    const [, name, sisId] = person;
    const now = stateOf(sisId);
    if (now === status) return [];
    const was = status === 'deleted' ? 'was not enrolled' : `was ${stateWords(status)}`;
    return `${nameOf(name, sisId)} ${was} in ${where} at the review and is ${stateWords(now)} now: another import, or a person in the LMS, has changed it. LMS Admin left it as it is.`;
  });
}

/** Whether a section has been cross-listed into another course: its own course then shows no one in it, though no one was removed. */
export async function hasLeft(
  canvas: CanvasClient,
  { admin, signal }: { admin: Admin; signal: AbortSignal },
  group: { course: StoredCourse; rows: StoredRows; roleId: number },
  inCourse: readonly ExistingEnrollment[] | null,
): Promise<boolean> {
  const { section } = group.rows;
  if (section === null || inCourse === null) return false;
  if (inCourse.some((one) => one.roleId === group.roleId && one.sectionId === section)) return false;
  try {
    const now = await sectionById({ canvas, token: admin.token, signal }, section);
    return now.course_id !== group.course.courseId;
  } catch (error) {
    // Its enrolments have ended with it.
    if (isDefinite(error)) return false;
    throw error;
  }
}
