/** A person's own imports into the groups of a course: running ones, and those whose result they have not seen. */
import type { CourseImport } from '@lms-admin/contract/groups';
import { GROUP_PLAN, MEMBER_PLAN, type PlanKind } from '@lms-admin/contract/plan-kinds';
import { and, desc, eq } from 'drizzle-orm';
import type { Admin } from '../auth/admin.ts';
import { sameLms } from '../canvas/identity.ts';
import { isToBeSeen } from '../jobs/to-be-seen.ts';
import { imports, jobs, planCourses, plans } from '../platform/schema.ts';
import { type GroupServices, openCourse, TOOL } from './plan-parts.ts';

/** Only the latest ones; Activity lists the rest. */
const MOST = 10;

const PARTS: Partial<Record<PlanKind, 'groups' | 'members'>> = {
  [GROUP_PLAN]: 'groups',
  [MEMBER_PLAN]: 'members',
};

/** Returns the imports, newest first. @throws AppError not-allowed, not-found (course), bad-request; CanvasError */
export async function ownImportsOf(
  services: Pick<GroupServices, 'db' | 'scope' | 'identity'>,
  admin: Admin,
  courseId: number,
  signal: AbortSignal,
): Promise<CourseImport[]> {
  const course = await openCourse(services, admin, courseId, signal);
  const now = await services.identity.lastSeen(admin.token);
  const rows = await services.db.db
    .select({
      id: jobs.id,
      planId: plans.id,
      kind: plans.kind,
      label: jobs.label,
      state: jobs.state,
      outcome: jobs.outcome,
      done: jobs.done,
      total: jobs.total,
      unit: jobs.unit,
      lms: jobs.lms,
      createdAt: jobs.createdAt,
    })
    .from(imports)
    .innerJoin(jobs, eq(jobs.id, imports.id))
    .innerJoin(plans, eq(plans.id, imports.planId))
    .innerJoin(planCourses, eq(planCourses.planId, plans.id))
    .where(
      and(
        eq(jobs.login, admin.login),
        eq(plans.tool, TOOL),
        eq(planCourses.courseId, course.id),
        isToBeSeen(),
      ),
    )
    .orderBy(desc(jobs.createdAt))
    .limit(MOST);
  return rows
    .filter(({ lms }) => sameLms(lms, now))
    .map(({ id, planId, kind, label, state, outcome, done, total, unit, createdAt }) => ({
      import: id,
      plan: planId,
      part: kind === '' ? null : (PARTS[kind] ?? null),
      label,
      state,
      outcome,
      progress: unit === null ? null : { done, total, unit },
      created_at: createdAt.toISOString(),
    }));
}
