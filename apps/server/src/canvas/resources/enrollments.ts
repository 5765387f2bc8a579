/** Enrolments of the LMS. */
import { enrollment as enrollmentOfContract } from '@lms-admin/contract/canvas-objects';
import { z } from 'zod';
import { listed, pages, type Query, type Reader } from './reading.ts';

/** All states but `deleted`: people in one of them are in the course, or can become active again. */
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
      /** Only where they are asked for. */
      group_ids: z.array(id).nullish(),
    })
    .nullish(),
});
export type LmsEnrollment = z.output<typeof enrollment>;

/** Which enrolments of a place or person are read. Without any: all that are not deleted. */
export interface EnrollmentFilter {
  /** Of one role. */
  roleId?: number | undefined;
  /** Of one type, such as `ObserverEnrollment`. */
  type?: string;
  /** Of one person. */
  sisUserId?: string;
  /** With the deleted ones. */
  deleted?: boolean;
  /** With the groups of their people. */
  groups?: boolean;
}

/**
 * The enrolments of a place or person, page by page.
 * @param of `courses/7`, `sections/9` or `users/3`
 * @throws CanvasError
 */
export function enrollmentPages(reader: Reader, of: string, filter: EnrollmentFilter = {}) {
  return pages(reader, `${of}/enrollments`, enrollment, queryOf(filter));
}

/** The same as one list. @throws CanvasError */
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
