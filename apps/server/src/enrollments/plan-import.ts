/** Import source for plans: checks again the access and scope that were checked when the plan was made. */
import { requireTool, roleLevelOf } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { Roles } from '../canvas/resources/roles.ts';
import type { CanvasClient } from '../canvas/types.ts';
import type { CopiedPeople } from '../directory/copied-people.ts';
import type { PlanSource } from '../imports/sources.ts';
import {
  noSuchPlan,
  readPlanCourseIds,
  readPlanCourses,
  readPlanHead,
  readPlanPeople,
} from '../plans/store.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { People } from '../users/people.ts';
import { rowsAstray } from './astray.ts';
import { type SectionToName, sectionsDone } from './name-sections.ts';
import { idsPassedOn } from './passed-on.ts';
import { requireRole, requireRows } from './plan-checks.ts';
import { planCsv, sectionsToName } from './plan-csv.ts';
import { readPlanRoles, type StoredRows } from './plan-store.ts';
import { rowFates } from './row-fates.ts';

/** Creates the source for plans of courses and of sections. */
export function planSource(services: {
  db: Database;
  canvas: CanvasClient;
  scope: Scope;
  people: People;
  copied: CopiedPeople;
  roles: Roles;
  config: Config;
}): PlanSource {
  const { db } = services.db;
  return {
    tools: ['course-enrollment', 'section-enrollment'],
    async check(admin, planId) {
      const plan = await readPlanHead(db, admin.login, planId);
      if (!plan) throw noSuchPlan();
      requireTool(admin, plan.tool);
      const level = roleLevelOf(plan.tool);
      for (const role of await readPlanRoles(db, plan)) requireRole(admin, role, level);
      requireRows(plan.rows, services.config.maxEnrollmentRows);
      if (plan.rows === 0) {
        throw new AppError('bad-request', {
          message: 'There is nothing to change: the review has no rows.',
          next: 'Choose other people or courses.',
        });
      }
      const courses = await requireReach(services.scope, admin, await readPlanCourseIds(db, planId));
      const about = await services.scope.about(admin, courses);
      const { tool, label, lms, rows } = plan;
      return { tool, label, lms, planId, rows, about, csvReady: false };
    },
    csv: (admin, planId, signal, prepared) =>
      planCsv({ ...services, db }, { admin, planId, signal, prepared }),
    async fates(token, { plan, importId }, rows, signal) {
      const people = plan === null ? null : await readPlanPeople(db, plan);
      return rowFates(services.canvas, token, rows, { importId, people: people ?? [] }, signal);
    },
    async prepared(plan, prepared) {
      for await (const { rows } of readPlanCourses<StoredRows[]>(db, plan))
        for (const one of rows)
          if (one.made !== undefined) prepared.noteCreated(one.as ?? one.sis);
          else if (one.assign && one.sent !== undefined && one.section !== null)
            prepared.given(one.as ?? one.sis);
    },
    async preparedInLms(asking, plan, prepared) {
      const wanted: SectionToName[] = [];
      for await (const course of readPlanCourses<StoredRows[]>(db, plan))
        wanted.push(...sectionsToName(course, []));
      await sectionsDone(services.canvas, wanted, { ...asking, prepared });
    },
    async astray(token, { plan, importId }, signal) {
      const asking = { canvas: services.canvas, token, importId, signal };
      return [...(await rowsAstray(db, plan, asking)), ...(await idsPassedOn(db, plan, asking))];
    },
    unchecked:
      'The LMS did not confirm where it put the people, or whether it changed only the people in the review. Check the People page of each course.',
  };
}

/** Checks that the courses of the plan are still in scope. */
async function requireReach(scope: Scope, admin: Admin, courseIds: readonly number[]) {
  const known = await scope.courses(admin, courseIds);
  const missing = courseIds.filter((id) => !known.has(id));
  if (missing.length === 0) return courseIds.flatMap((id) => known.get(id) ?? []);
  throw new AppError('conflict', {
    message: 'Some courses in this review no longer exist, or you no longer have access to them.',
    next: 'Review again.',
    details: missing
      .slice(0, 100)
      .map((id) => ({ row: null, field: 'courses', message: `The LMS has no course ${id}.` })),
  });
}
