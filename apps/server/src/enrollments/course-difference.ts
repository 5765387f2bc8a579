/** One course of a plan: reads its enrolments from the LMS and determines the rows. */
import {
  type CourseDifference,
  documentedRows,
  type EnrollmentStatus,
  planAdditions,
  planRemovals,
  targetOf,
} from '@lms-admin/domain/enrollment-plan';
import type { RemovalEffects, RemovedEnrollment } from '@lms-admin/domain/removal-effects';
import type { CanvasClient } from '../canvas/types.ts';
import type { FoundPerson } from '../users/people.ts';
import type { LinkedObservers } from './linked-observers.ts';
import type { PlannableCourse } from './plan-checks.ts';
import { type Reading, readCourse, readEnrollments, readOrWhy, readSections } from './read-lms.ts';
import { courseEffects } from './removed-with.ts';

export interface DifferenceRequest extends Reading {
  course: PlannableCourse;
  people: readonly FoundPerson[];
  /** Canvas user id to SIS ID of the people. */
  sisIdOf: ReadonlyMap<number, string>;
  roleId: number;
  status: EnrollmentStatus;
  /** Shared by the courses of a plan. */
  observers: LinkedObservers;
}

export interface ReadDifference extends CourseDifference {
  /** User-facing reason why the enrolments could not be read, or null. If set, the rows are the documented ones. */
  unread: string | null;
  /** User-facing reason why the course gets no rows, or null. */
  leftOut: string | null;
  /** Effects of removing enrolments; null if none is removed or the effects could not be read. */
  effects: RemovalEffects | null;
}

/**
 * Determines the rows of one course. If its enrolments cannot be read, it gets the documented rows and the reason. If
 * its sections cannot be read, it gets no rows, because LMS Admin could not tell where they apply.
 * @throws the signal's reason, or CanvasError if a token is refused
 */
export async function courseDifference(
  canvas: CanvasClient,
  request: DifferenceRequest,
): Promise<ReadDifference> {
  const { people, roleId, status, signal } = request;
  const nothing = { rows: [], untouched: [], unread: null, leftOut: null, effects: null };
  if (people.length === 0) return nothing;
  const existing = await readOrWhy({ read: 'enrolments', of: 'this course' }, signal, () =>
    readExisting(canvas, request),
  );
  const unread = 'unread' in existing ? existing.unread : null;
  const { enrollments, all } = 'unread' in existing ? { enrollments: [], all: null } : existing;
  const sisIds = people.map((person) => person.sisUserId);
  const place = {
    id: request.course.id,
    name: request.course.name,
    sisCourseId: request.course.sis_course_id,
    enrollments,
    sections: [],
  };
  const work = status === 'active' ? planAdditions : planRemovals;
  if (unread === null && work(place, sisIds, roleId).rows.length === 0) {
    return { ...nothing, ...work(place, sisIds, roleId) };
  }
  const sections = await readOrWhy({ read: 'sections', of: 'this course' }, signal, () =>
    readSections(canvas, request.course.id, request),
  );
  if ('unread' in sections) return { ...nothing, leftOut: sections.unread };
  const course = { ...place, sections };
  if (unread === null) {
    const difference = work(course, sisIds, roleId);
    const removed = removedBy(difference, request);
    return {
      ...nothing,
      ...difference,
      effects: all && (await courseEffects(all, { removed, added: [] }, request.observers)),
    };
  }
  const target = targetOf(course);
  // If the current sections are unknown, a removal only applies to the default section.
  if (status === 'deleted' && target.sisSectionId !== '') return { ...nothing, leftOut: unread };
  return { ...nothing, ...documentedRows(people.length, target), unread };
}

/** Reads the people's enrolments with the role. For a removal, reads the whole course to find what depends on them. */
async function readExisting(canvas: CanvasClient, request: DifferenceRequest) {
  const { id } = request.course;
  if (request.status === 'active')
    return { enrollments: await readEnrollments(canvas, `courses/${id}`, request, request), all: null };
  const course = await readCourse(canvas, id, request);
  return { enrollments: course.of(request.sisIdOf), all: course.all };
}

/** Returns the enrolments that the rows of a removal end. */
function removedBy(
  { rows }: CourseDifference,
  { people, roleId }: Pick<DifferenceRequest, 'people' | 'roleId'>,
): RemovedEnrollment[] {
  return rows.flatMap(({ target: { sectionId }, people: members }) =>
    sectionId === null
      ? []
      : members.flatMap((at) => {
          const userId = people[at]?.id;
          return userId === undefined ? [] : [{ userId, roleId, sectionId }];
        }),
  );
}
