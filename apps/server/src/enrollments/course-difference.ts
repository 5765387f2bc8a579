/** One course of a plan: reads what the LMS holds and works out the rows. */
import {
  type CourseDifference,
  documentedRows,
  type EnrollmentStatus,
  landingOf,
  planAdditions,
  planRemovals,
} from '@lms-admin/domain/enrollment-plan';
import type { RemovalEffects, RemovedEnrollment } from '@lms-admin/domain/removal-effects';
import type { CanvasClient } from '../canvas/types.ts';
import type { FoundPerson } from '../users/people.ts';
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
}

export interface ReadDifference extends CourseDifference {
  /** Why the enrolments could not be read, for people; null when they were. The rows are then the documented ones. */
  unread: string | null;
  /** Why the course gets no row at all, for people; null when it does. */
  leftOut: string | null;
  /** What ends with the enrolments that are removed; null where nothing is, or it could not be read. */
  effects: RemovalEffects | null;
}

/**
 * The rows of one course. One whose enrolments cannot be read gets the documented rows and says why; one whose sections
 * cannot be read gets none, since no one knows where they would land.
 * @throws the signal's reason, or CanvasError when a token is refused
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
      effects: all && (await courseEffects(canvas, all, removed, request)),
    };
  }
  const target = landingOf(course);
  // Removing without knowing from where reaches the default section alone.
  if (status === 'deleted' && target.sisSectionId !== '') return { ...nothing, leftOut: unread };
  return { ...nothing, ...documentedRows(people.length, target), unread };
}

/** The enrolments of the people with the role; of a removal all of the course as well, with what hangs on them. */
async function readExisting(canvas: CanvasClient, request: DifferenceRequest) {
  const { id } = request.course;
  if (request.status === 'active')
    return { enrollments: await readEnrollments(canvas, `courses/${id}`, request, request), all: null };
  const course = await readCourse(canvas, id, request);
  return { enrollments: course.of(request.sisIdOf), all: course.all };
}

/** The enrolments that the rows of a removal end. */
function removedBy(
  { rows }: CourseDifference,
  { people, roleId }: Pick<DifferenceRequest, 'people' | 'roleId'>,
): RemovedEnrollment[] {
  return rows.flatMap(({ target: { sectionId }, people: those }) =>
    sectionId === null
      ? []
      : those.flatMap((at) => {
          const userId = people[at]?.id;
          return userId === undefined ? [] : [{ userId, roleId, sectionId }];
        }),
  );
}
