/** Parts shared by both kinds of group plans: the course, progress, and the stored rows. */
import type { PlannedGroup } from '@lms-admin/contract/groups';
import type { CourseCategory, CourseIndex, EndedEnrolment } from '@lms-admin/domain/group-course';
import type { MemberFate, MemberStatus } from '@lms-admin/domain/group-members';
import type { ReviewedMember, UnchangedMember } from '@lms-admin/domain/group-recheck';
import type { MemberReader } from '@lms-admin/domain/group-references';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { CopiedPeople } from '../directory/copied-people.ts';
import type { PlanProgressOf, ShownStep } from '../plans/kind.ts';
import type { Database } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { ElsewhereServices } from './elsewhere.ts';

/** Services needed for planning. */
export interface GroupServices extends ElsewhereServices {
  identity: LmsIdentity;
  copied: CopiedPeople;
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

/** Returns a progress step that counts the completed look-ups. */
export function counting(
  { onStep }: GroupPlanProgress,
  step: Pick<GroupPlanStep, 'stage' | 'unit'>,
  total: number,
): () => void {
  let done = 0;
  if (total > 0) onStep({ ...step, done, total });
  return () => onStep({ ...step, done: ++done, total });
}

/** The stored rows of a plan, for sending and for looking them up later. */
export type KeptRows = KeptGroups | KeptMembers;

export interface KeptGroups {
  kind: 'groups';
  category: { id: number; name: string; sisId: string };
  /** `was`: the former name of a renamed group. */
  rows: (Pick<PlannedGroup, 'sis_group_id' | 'name' | 'fate'> & { was: string | null })[];
  /** Groups that already exist as planned; missing in plans of earlier versions. */
  same?: Pick<PlannedGroup, 'sis_group_id' | 'name'>[];
}

export interface KeptMembers {
  kind: 'members';
  rows: KeptMember[];
  /** The import that these rows undo. */
  undoes?: string;
  /** Keys of leaders' memberships that the rows end, as in the review; missing in plans of earlier versions. */
  led?: string[];
  /** Keys of memberships that should make people leaders again; missing in plans of earlier versions. */
  again?: string[];
  /** Groups whose leaders could not be read, as shown in the review; missing in plans of earlier versions. */
  unread?: number[];
  /** The same as `led`, from the last comparison before sending: an undo restores these leaderships. */
  ledSent?: string[];
  /**
   * Id of the import that last wrote each membership ended by the rows, from the last comparison before sending; null
   * for one made by hand. Needed because an undo restores an older membership. Missing in plans of earlier versions.
   */
  writers?: [membership: string, by: number | null][];
  /**
   * Rows that change nothing. LMS Admin checks this before the other rows are sent, and again afterwards. `told` is
   * set if a difference before sending was reported. Missing in plans of earlier versions.
   */
  same?: (UnchangedMember & { told?: boolean })[];
  /**
   * Rows that are not sent because of a person in the directory's copy, and how their texts were read; missing if there
   * are none.
   */
  copied?: { by: MemberReader['by']; rows: CopiedMember[] };
}

/** A row that is not sent because the directory's copy has its person, who is not in the course. */
export interface CopiedMember extends Pick<ReviewedMember, 'row' | 'group_id' | 'who' | 'person' | 'group'> {
  /** The requested text. */
  user_id: string;
  status: MemberStatus;
  /** SIS ID in the copy. */
  sis: string | null;
}

/** Unlike the LMS, a plan records the groups that people leave, because undo needs them (OP-107). */
export interface KeptMember extends ReviewedMember {
  status: MemberStatus;
  leaves: LeftGroup[];
  /** How the enrolment of an added member had ended at the review; missing in plans of earlier versions. */
  ended?: EndedEnrolment | null;
  /**
   * Effect of the row in the last comparison before sending, the basis for undo; null if it was not sent. Missing
   * before sending, and in plans of earlier versions.
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

/** Returns the groups with these ids, in the stored format. */
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

/** Returns the course of a request. @throws AppError not-allowed, not-found, bad-request (no SIS ID); CanvasError */
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
    message: 'The course has no SIS ID, so an import cannot refer to its groups.',
    next: 'Ask IT Support to give the course an SIS ID.',
  });
}

/** Returns a category of the course that files can name. @throws AppError */
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
    message: `The group category ${category.name} has no SIS ID, so an import cannot refer to it.`,
    next: 'Add an SIS ID to it first, or choose another one.',
  });
}
