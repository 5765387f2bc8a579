/** What both kinds of plans of groups share: the course, how far they are, and what is kept of their rows. */
import type { PlannedGroup } from '@lms-admin/contract/groups';
import type { CourseCategory, CourseIndex } from '@lms-admin/domain/group-course';
import type { MemberFate, MemberStatus } from '@lms-admin/domain/group-members';
import type { ReviewedMember, UnchangedMember } from '@lms-admin/domain/group-recheck';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { PlanProgressOf, ShownStep } from '../plans/kind.ts';
import type { Database } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { ElsewhereServices } from './elsewhere.ts';

/** What planning needs. */
export interface GroupServices extends ElsewhereServices {
  identity: LmsIdentity;
  db: Database;
}

export const TOOL = 'group-enrollment' as const;

export interface GroupPlanStep {
  stage: 'Reading the course' | 'Looking up groups' | 'Looking up people';
  unit: 'people' | 'groups';
  done: number;
  total: number | null;
}
export type GroupPlanProgress = PlanProgressOf<GroupPlanStep>;

export const shownGroupStep = (step: GroupPlanStep): ShownStep => ({ ...step, figures: [] });

/** A step that counts what has been asked for. */
export function counting(
  { onStep }: GroupPlanProgress,
  step: Pick<GroupPlanStep, 'stage' | 'unit'>,
  total: number,
): () => void {
  let done = 0;
  if (total > 0) onStep({ ...step, done, total });
  return () => onStep({ ...step, done: ++done, total });
}

/** What is kept of the rows of a plan, for sending them and for looking them up. */
export type KeptRows = KeptGroups | KeptMembers;

export interface KeptGroups {
  kind: 'groups';
  category: { id: number; name: string; sisId: string };
  /** `was`: what a group is called that is renamed. */
  rows: (Pick<PlannedGroup, 'sis_group_id' | 'name' | 'fate'> & { was: string | null })[];
  /** Groups that are there already; missing in plans of earlier versions. */
  same?: Pick<PlannedGroup, 'sis_group_id' | 'name'>[];
}

export interface KeptMembers {
  kind: 'members';
  rows: KeptMember[];
  /** The import that these rows undo. */
  undoes?: string;
  /** Memberships of leaders that end by the rows, by their keys, as the review names them; missing in plans of earlier versions. */
  led?: string[];
  /** Memberships with which people are to lead a group again, by their keys; missing in plans of earlier versions. */
  again?: string[];
  /** Groups that could not be asked who leads them at the review, which said so; missing in plans of earlier versions. */
  unread?: number[];
  /** The same as `led` by the last comparison before the rows were sent: an undo brings these leaderships back. */
  ledSent?: string[];
  /**
   * Which import had last written the memberships that the rows end, by the last comparison before they were sent: by its number, null
   * for one made by hand. An undo restores an older membership, so that only this tells. Missing in plans of earlier versions.
   */
  writers?: [membership: string, by: number | null][];
  /**
   * Rows that change nothing: whether they still do not is asked before the others are sent, and afterwards. Missing in plans of
   * earlier versions. `told`: that it was otherwise before the sending has been said.
   */
  same?: (UnchangedMember & { told?: boolean })[];
}

/** The LMS keeps nothing of the groups that someone leaves, so that undoing needs them (OP-107). */
export interface KeptMember extends ReviewedMember {
  status: MemberStatus;
  leaves: LeftGroup[];
  /**
   * What the row did by the last comparison before it was sent, which undoing goes by; null where it was not sent. Missing before
   * any sending, and in plans of earlier versions.
   */
  sent?: {
    fate: MemberFate;
    category?: number | null;
    leaves: LeftGroup[];
    stays?: readonly number[];
  } | null;
}

export interface LeftGroup {
  id: number;
  sis_group_id: string | null;
  name: string;
}

/** Groups by their ids, as a plan keeps them. */
export function leftGroups(ids: readonly number[], index: CourseIndex): LeftGroup[] {
  return ids.map((id) => {
    const group = index.group(id);
    return { id, sis_group_id: group?.sisId ?? null, name: group?.name ?? '' };
  });
}

/** A course that files can name. */
export interface OpenCourse {
  id: number;
  name: string;
  sis_course_id: string;
}

/** The course of a request. @throws AppError not-allowed, not-found, bad-request for one without an SIS ID; CanvasError */
export async function openCourse(
  { scope }: Pick<GroupServices, 'scope'>,
  admin: Admin,
  id: number,
  signal?: AbortSignal,
): Promise<OpenCourse> {
  requireTool(admin, TOOL);
  const course = await scope.course(admin, id, signal);
  if (!course) {
    throw new AppError('not-found', {
      message: 'The course was not found.',
      next: 'Choose the course again.',
    });
  }
  const { name, sis_course_id } = course;
  if (sis_course_id !== null) return { id, name, sis_course_id };
  throw new AppError('bad-request', {
    message: 'The course has no SIS ID, so an import cannot name its groups.',
    next: 'Ask IT Support to give the course an SIS ID.',
  });
}

/** A category of the course that files can name. @throws AppError */
export function openCategory(index: CourseIndex, id: number): CourseCategory & { sisId: string } {
  const category = index.category(id);
  if (!category) {
    throw new AppError('bad-request', {
      message: 'The course does not have this group category.',
      next: 'Refresh the categories and choose one of them.',
    });
  }
  const { sisId } = category;
  if (sisId !== null) return { ...category, sisId };
  throw new AppError('bad-request', {
    message: `The group category ${category.name} has no SIS ID, so an import cannot name it.`,
    next: 'Add an SIS ID to it first, or choose another one.',
  });
}
