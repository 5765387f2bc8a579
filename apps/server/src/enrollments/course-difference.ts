/** One course of a plan: reads what the LMS holds and works out the rows. */
import {
  type CourseDifference,
  documentedRows,
  type EnrollmentStatus,
  planAdditions,
  planRemovals,
} from '@lms-admin/domain/enrollment-plan';
import type { CanvasClient } from '../canvas/types.ts';
import type { FoundPerson } from '../users/people.ts';
import type { PlannableCourse } from './plan-checks.ts';
import { type Reading, readEnrollments, readOrWhy, readSections } from './read-lms.ts';

export interface DifferenceRequest extends Reading {
  course: PlannableCourse;
  people: readonly FoundPerson[];
  /** Canvas user id to SIS id of the people. */
  sisIdOf: ReadonlyMap<number, string>;
  roleId: number;
  status: EnrollmentStatus;
}

export interface ReadDifference extends CourseDifference {
  /** Why the course could not be read, for people; null when it was. The rows are then the documented ones. */
  unread: string | null;
}

/**
 * The rows of one course. A course that cannot be read gets the documented rows and says why.
 * @throws the signal's reason, or CanvasError when a token is refused
 */
export async function courseDifference(
  canvas: CanvasClient,
  request: DifferenceRequest,
): Promise<ReadDifference> {
  const { people, roleId, status } = request;
  if (people.length === 0) return { rows: [], untouched: [], unread: null };
  const read = await readOrWhy({ read: 'enrolments', of: 'this course' }, request.signal, async () => {
    const existing = await readEnrollments(canvas, `courses/${request.course.id}`, request, request);
    // Sections matter only where somebody is to be removed.
    const known =
      status === 'deleted' && existing.length > 0
        ? await readSections(canvas, request.course.id, request)
        : [];
    return { existing, known };
  });
  if ('unread' in read) return { ...documentedRows(people.length), unread: read.unread };
  const course = {
    name: request.course.name,
    sisCourseId: request.course.sis_course_id,
    enrollments: read.existing,
    sections: read.known,
  };
  const plan = status === 'active' ? planAdditions : planRemovals;
  return {
    ...plan(
      course,
      people.map((person) => person.sisUserId),
      roleId,
    ),
    unread: null,
  };
}
