/** One course of a plan: reads what the LMS holds and works out the rows. */
import { type Course, enrollment, section } from '@lms-admin/contract/canvas-objects';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import {
  type CourseDifference,
  documentedRows,
  type EnrollmentStatus,
  type ExistingEnrollment,
  planAdditions,
  planRemovals,
} from '@lms-admin/domain/enrollment-plan';
import { z } from 'zod';
import type { Admin } from '../access/admin.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import type { FoundPerson } from '../users/people.ts';

export interface DifferenceRequest {
  admin: Admin;
  course: Course & { sis_course_id: string };
  people: readonly FoundPerson[];
  /** Canvas user id to SIS id of the people: an enrolment may show another of a person's SIS ids, or none. */
  sisIdOf: ReadonlyMap<number, string>;
  roleId: number;
  status: EnrollmentStatus;
  signal: AbortSignal;
}

export interface ReadDifference extends CourseDifference {
  /** Why the course could not be read, for people; null when it was. The rows are then the documented ones. */
  unread: string | null;
}

const enrollments = z.array(enrollment);
const sections = z.array(section);
const perPage = ['per_page', String(LMS_PAGE_SIZE)] as const;

/** Adding asks whether people are there; removing has to reach every enrolment that is not deleted. */
const STATES: Readonly<Record<EnrollmentStatus, readonly string[]>> = {
  active: ['active'],
  deleted: ['active', 'invited', 'creation_pending', 'inactive', 'completed', 'rejected'],
};

/**
 * The rows of one course. A course that cannot be read gets the documented rows and says why.
 * @throws the signal's reason, or CanvasError `signed-out`
 */
export async function courseDifference(
  canvas: CanvasClient,
  request: DifferenceRequest,
): Promise<ReadDifference> {
  if (request.people.length === 0) return { rows: [], untouched: [], unread: null };
  try {
    const existing = await readEnrollments(canvas, request);
    const sisIds = request.people.map((person) => person.sisUserId);
    const course = {
      name: request.course.name,
      sisCourseId: request.course.sis_course_id,
      enrollments: existing,
      sections: [],
    };
    if (request.status === 'active') {
      return { ...planAdditions(course, sisIds, request.roleId), unread: null };
    }
    // Sections matter only where somebody is to be removed.
    const known = existing.length > 0 ? await readSections(canvas, request) : [];
    return { ...planRemovals({ ...course, sections: known }, sisIds, request.roleId), unread: null };
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof CanvasError) || error.kind === 'signed-out') throw error;
    return { ...documentedRows(request.people.length), unread: whyUnread(error) };
  }
}

/** The enrolments with the role of the people asked about. */
async function readEnrollments(
  canvas: CanvasClient,
  request: DifferenceRequest,
): Promise<ExistingEnrollment[]> {
  const wanted = new Set(request.sisIdOf.values());
  const existing: ExistingEnrollment[] = [];
  for await (const { data } of canvas.pages({
    token: request.admin.token,
    method: 'GET',
    path: `courses/${request.course.id}/enrollments`,
    query: [
      ['role_id', String(request.roleId)],
      ...STATES[request.status].map((state) => ['state[]', state] as const),
      perPage,
    ],
    answer: enrollments,
    signal: request.signal,
  })) {
    for (const one of data) {
      const userSisId = request.sisIdOf.get(one.user_id) ?? one.sis_user_id;
      if (userSisId === null || !wanted.has(userSisId)) continue;
      existing.push({
        userSisId,
        roleId: one.role_id,
        state: one.enrollment_state,
        sectionId: one.course_section_id,
      });
    }
  }
  return existing;
}

async function readSections(canvas: CanvasClient, request: DifferenceRequest) {
  const found = await canvas.list({
    token: request.admin.token,
    method: 'GET',
    path: `courses/${request.course.id}/sections`,
    query: [perPage],
    answer: sections,
    signal: request.signal,
  });
  return found.map((one) => ({ id: one.id, name: one.name, sisSectionId: one.sis_section_id }));
}

function whyUnread(error: CanvasError): string {
  switch (error.kind) {
    case 'refused':
      return 'The LMS does not permit reading the enrolments of this course.';
    case 'not-found':
      return 'The LMS no longer has this course.';
    case 'throttled':
      return 'The LMS was asked too much at that moment.';
    default:
      return 'The LMS did not answer when the enrolments of this course were read.';
  }
}
