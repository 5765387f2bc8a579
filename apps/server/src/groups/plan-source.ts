/** Plans of groups and of their members as sources of an import. */
import { requireTool } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { noSuchPlan, readPlanCourseIds, readPlanCourses, readPlanHead } from '../imports/plan-store.ts';
import type { PlanSource } from '../imports/sources.ts';
import type { Database } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { People } from '../users/people.ts';
import { groupRowFates } from './group-fates.ts';
import { groupPlanCsv } from './plan-csv.ts';
import { type KeptRows, TOOL } from './plan-parts.ts';

export function groupPlanSource(services: {
  db: Database;
  canvas: CanvasClient;
  scope: Scope;
  people: People;
}): PlanSource {
  const { db } = services.db;

  async function namesIn(planId: string): Promise<Map<string, string>> {
    const names = new Map<string, string>();
    for await (const { rows } of readPlanCourses<KeptRows>(db, planId)) {
      if (rows.kind === 'members') for (const one of rows.rows) names.set(one.user_id, one.person);
    }
    return names;
  }

  return {
    tools: [TOOL],
    async check(admin, planId) {
      requireTool(admin, TOOL);
      const plan = await readPlanHead(db, admin.login, planId);
      if (!plan) throw noSuchPlan();
      const { label, lms, rows } = plan;
      if (rows === 0) {
        throw new AppError('bad-request', {
          message: 'There is nothing to change: the plan has no rows.',
          next: 'Look at its simulation, and change what was asked for.',
        });
      }
      const courses = await readPlanCourseIds(db, planId);
      const known = await services.scope.courses(admin, courses);
      if (known.size < courses.length) {
        throw new AppError('conflict', {
          message: 'The course of this plan no longer exists or is no longer yours.',
          next: 'Choose the course again.',
        });
      }
      const about = await services.scope.about(admin, [...known.values()]);
      return { tool: TOOL, label, lms, planId, rows, about, csvReady: false };
    },
    async csv(admin, planId, signal) {
      const plan = await readPlanHead(db, admin.login, planId, { evenIfOld: true });
      if (!plan) throw new Error(`plan ${planId} is gone`);
      for await (const course of readPlanCourses<KeptRows>(db, planId)) {
        return groupPlanCsv(services, admin, planId, course, signal);
      }
      throw new Error(`plan ${planId} has no rows`);
    },
    async fates(token, planId, rows, signal) {
      const names = planId === null ? new Map() : await namesIn(planId);
      return groupRowFates(services.canvas, token, rows, names, signal);
    },
    // Their rows name each group.
    astray: async () => [],
  };
}
