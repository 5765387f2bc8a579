/** Submitting a plan: what was allowed and in reach when it was made is checked once more. */
import type { SisImport } from '@lms-admin/contract/imports';
import type { Admin } from '../access/admin.ts';
import { requireTool } from '../access/require.ts';
import { noSuchPlan, requireRole, requireRows } from '../enrollments/plan-checks.ts';
import { readPlanCourseIds, readPlanHead, readPlanRoles } from '../enrollments/plan-store.ts';
import { AppError } from '../platform/errors.ts';
import type { Submission } from '../services.ts';
import type { Recorder, SubmitServices } from './submit.ts';

/**
 * Turns a plan into an import, once.
 * @throws AppError not-allowed, not-found, too-many-rows, bad-request (nothing to change), conflict (courses gone)
 */
export async function submitPlan(
  services: SubmitServices,
  recorder: Recorder,
  admin: Admin,
  planId: string,
  asking: Submission,
): Promise<SisImport> {
  const { db } = services.db;
  const first = await recorder.earlier(admin, { plan: planId });
  if (first) return first;
  const plan = await readPlanHead(db, admin.login, planId);
  if (!plan) throw noSuchPlan();
  requireTool(admin, plan.tool);
  const level = plan.tool === 'section-enrollment' ? 'section' : 'course';
  for (const role of await readPlanRoles(db, plan)) requireRole(admin, role, level);
  requireRows(plan.rows, services.config.maxEnrollmentRows);
  if (plan.rows === 0) {
    throw new AppError('bad-request', {
      message: 'There is nothing to change: the plan has no rows.',
      next: 'Choose other people or courses.',
    });
  }
  await requireReach(services, admin, await readPlanCourseIds(db, planId));
  return recorder.record(
    admin,
    { tool: plan.tool, label: plan.label, planId, rows: plan.rows, csvReady: false },
    asking,
  );
}

/** What was in reach when the plan was made may not be any more. */
async function requireReach(
  { scope }: SubmitServices,
  admin: Admin,
  courseIds: readonly number[],
): Promise<void> {
  const known = await scope.courses(admin, courseIds);
  const missing = courseIds.filter((id) => !known.has(id));
  if (missing.length === 0) return;
  throw new AppError('conflict', {
    message: 'Courses of this plan no longer exist or are no longer yours.',
    next: 'Make the plan again.',
    details: missing
      .slice(0, 100)
      .map((id) => ({ row: null, field: 'courses', message: `There is no course ${id}.` })),
  });
}
