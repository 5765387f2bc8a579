/** Import sources for plans of groups and of their members. */
import { requireTool } from '../access/rights.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { CanvasClient } from '../canvas/types.ts';
import type { CopiedPeople } from '../directory/copied-people.ts';
import type { PlanSource } from '../imports/sources.ts';
import { noSuchPlan, readPlanCourseIds, readPlanCourses, readPlanHead } from '../plans/store.ts';
import type { Database, Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { People } from '../users/people.ts';
import { groupsWithPeople } from './came-back.ts';
import { groupRowFates } from './group-fates.ts';
import { membersElsewhere } from './not-there.ts';
import { groupPlanCsv } from './plan-csv.ts';
import { type KeptMember, type KeptRows, TOOL } from './plan-parts.ts';

interface SourceServices {
  db: Database;
  canvas: CanvasClient;
  scope: Scope;
  people: People;
  copied: CopiedPeople;
}

export function groupPlanSource(services: SourceServices): PlanSource {
  const { db } = services.db;
  return {
    tools: [TOOL],
    check: (admin, planId) => checkPlan(services, admin, planId),
    async csv(admin, planId, signal) {
      const plan = await readPlanHead(db, admin.login, planId, { evenIfOld: true });
      if (!plan) throw new Error(`plan ${planId} no longer exists`);
      for await (const course of readPlanCourses<KeptRows>(db, planId)) {
        return groupPlanCsv(services, admin, planId, course, signal);
      }
      throw new Error(`plan ${planId} has no rows`);
    },
    async fates(token, { plan: planId, importId }, rows, signal) {
      const people = planId === null ? new Map<string, KeptMember>() : await peopleIn(db, planId);
      return groupRowFates(services.canvas, token, rows, { importId, people }, signal);
    },
    async astray(token, { plan, reported }, signal) {
      const reading = { canvas: services.canvas, token, signal };
      const messages: string[] = [];
      for await (const { courseId, rows } of readPlanCourses<KeptRows>(db, plan)) {
        messages.push(...(await groupsWithPeople(reading, courseId, rows)));
        messages.push(...(await membersElsewhere(reading, courseId, rows, reported)));
      }
      return messages;
    },
    unchecked:
      'The LMS did not confirm who is in the groups after the import. Check the groups of the course in the LMS.',
  };
}

async function checkPlan(
  { db, scope }: SourceServices,
  admin: Admin,
  planId: string,
): ReturnType<PlanSource['check']> {
  requireTool(admin, TOOL);
  const plan = await readPlanHead(db.db, admin.login, planId);
  if (!plan) throw noSuchPlan();
  const { label, lms, rows } = plan;
  if (rows === 0) {
    throw new AppError('bad-request', {
      message: 'There is nothing to change: the review has no rows.',
      next: 'Check the simulation, and change your entries.',
    });
  }
  const courses = await readPlanCourseIds(db.db, planId);
  const known = await scope.courses(admin, courses);
  if (known.size < courses.length) {
    throw new AppError('conflict', {
      message: 'The course of this review no longer exists, or you no longer have access to it.',
      next: 'Choose the course again.',
    });
  }
  const about = await scope.about(admin, [...known.values()]);
  return { tool: TOOL, label, lms, planId, rows, about, csvReady: false };
}

async function peopleIn(db: Db, planId: string): Promise<Map<string, KeptMember>> {
  const people = new Map<string, KeptMember>();
  for await (const { rows } of readPlanCourses<KeptRows>(db, planId)) {
    if (rows.kind === 'members') for (const one of rows.rows) people.set(one.user_id, one);
  }
  return people;
}
