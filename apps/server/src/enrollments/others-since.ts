/** Sentences for the result about changes by others since a review: for people without a row, and outside the rows. */

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

/** Names a person: `Zoë Weiss (5001001)` */
export const nameOf = (name: string, sisId: string) => (name === '' ? sisId : `${name} (${sisId})`);

/** Returns the people without a row whose state in the course has changed since the review. */
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
    // A removal does not affect linked observers.
    if (linked && status === 'deleted') continue;
    if (userSisId !== null && of.get(userSisId) !== 'active') of.set(userSisId, state);
  }
  const others = people.filter((_, index) => !planned.has(index));
  const stateOf = (sisId: string) => of.get(sisId) ?? 'deleted';
  return changedSince(others, { status, where: `course ${sisCourseId}`, stateOf });
}

/** Finds people added to another section of the course since the review, whom no row of a removal removes from it. */
export function enrolledSince(
  { plan: { roleId, status }, people }: ReviewedPlan,
  { rows, sisCourseId }: StoredCourse,
  enrollments: readonly ExistingEnrollment[],
): string[] {
  if (status !== 'deleted' || roleId === null || rows.some(({ unread }) => unread)) return [];
  const planned = new Set<string>();
  const removed = new Map<string, number>();
  // A section without its own list of people applies to everyone.
  for (const { people: users, section } of rows)
    for (const index of users ?? people.keys()) {
      const sisId = people[index]?.[2] ?? '';
      planned.add(`${sisId} ${section}`);
      removed.set(sisId, index);
    }
  return enrollments.flatMap(({ userSisId, sectionId, state, linked }) => {
    const index = removed.get(userSisId ?? '');
    if (index === undefined || linked || state === 'deleted') return [];
    if (planned.has(`${userSisId} ${sectionId}`)) return [];
    const [, name, sisId] = people[index] ?? ['', '', ''];
    return `Since the review, another import or someone in the LMS has enrolled ${nameOf(name, sisId)} in another section of course ${sisCourseId}. This person stays in that section. To remove the person from it, review the removal again.`;
  });
}

/** Returns a sentence for each person without a row whom others have changed since the review. */
export function changedSince(
  people: readonly (StoredPerson | undefined)[],
  of: { status: RowStatus; where: string; stateOf: (sisId: string) => EnrollmentState },
): string[] {
  const { status, where, stateOf } = of;
  return people.flatMap((person) => {
    // Plans of earlier versions have no user ids, so a person who is not found may just have another SIS ID.
    if (person?.[3] === undefined) return [];
    const [, name, sisId] = person;
    const now = stateOf(sisId);
    if (now === status) return [];
    const was = status === 'deleted' ? 'was not enrolled' : `was ${stateWords(status)}`;
    return `${nameOf(name, sisId)} ${was} in ${where} at the time of the review and is ${stateWords(now)} now. Another import or someone in the LMS changed this. LMS Admin left it unchanged.`;
  });
}

/** Returns whether a section was cross-listed into another course: its own course then shows no people in it. */
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
    // The section's enrolments ended with it.
    if (isDefinite(error)) return false;
    throw error;
  }
}
