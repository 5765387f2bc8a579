/** Enrolments of the LMS. */
import { enrollment as enrollmentOfContract } from '@lms-admin/contract/canvas-objects';
import { z } from 'zod';
import { listed, pages, type Query, type Reader } from './reading.ts';

/** All states except `deleted`: the person is in the course, or can become active again. */
const STATES = ['active', 'invited', 'creation_pending', 'inactive', 'completed', 'rejected'];

const id = z.number().int();
const enrollment = enrollmentOfContract.extend({
  type: z.string(),
  sis_course_id: z
    .string()
    .nullish()
    .transform((value) => value ?? null),
  limit_privileges_to_course_section: z.boolean().nullish(),
  user: z
    .object({
      name: z.string(),
      login_id: z.string().nullish(),
      /** Only if requested. */
      group_ids: z.array(id).nullish(),
    })
    .nullish(),
});
export type LmsEnrollment = z.output<typeof enrollment>;

/** Filter for the enrolments of a place or person; by default all that are not deleted. */
export interface EnrollmentFilter {
  /** Only this role. */
  roleId?: number | undefined;
  /** Only this type, such as `ObserverEnrollment`. */
  type?: string;
  /** Only this person. */
  sisUserId?: string;
  /** Includes deleted ones. */
  deleted?: boolean;
  /** Includes the groups of each person. */
  groups?: boolean;
}

/**
 * Returns the enrolments of a place or person, page by page.
 * @param of `courses/7`, `sections/9` or `users/3`
 * @throws CanvasError
 */
export function enrollmentPages(reader: Reader, of: string, filter: EnrollmentFilter = {}) {
  return pages(reader, `${of}/enrollments`, enrollment, queryOf(filter));
}

/** Returns the enrolments of a place or person as one list. @throws CanvasError */
export function enrollmentsOf(
  reader: Reader,
  of: string,
  filter: EnrollmentFilter = {},
): Promise<LmsEnrollment[]> {
  return listed(reader, `${of}/enrollments`, enrollment, queryOf(filter));
}

function queryOf({ roleId, type, sisUserId, deleted, groups }: EnrollmentFilter): Query {
  return [
    ...(roleId === undefined ? [] : [['role_id', String(roleId)] as const]),
    ...(type === undefined ? [] : [['type[]', type] as const]),
    ...(sisUserId === undefined ? [] : [['sis_user_id[]', sisUserId] as const]),
    ...(deleted ? [...STATES, 'deleted'] : STATES).map((state) => ['state[]', state] as const),
    ...(groups ? [['include[]', 'group_ids'] as const] : []),
  ];
}
