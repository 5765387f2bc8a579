/** Routes for finished Group Enrollment plans of groups and of their members; jobs make the plans. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { courseImport, groupPlan, memberPlan, memberUndoPlan } from '@lms-admin/contract/groups';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { data } from '../platform/answers.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import { ownImportsOf } from './course-imports.ts';
import type { GroupPlans } from './group-plans.ts';
import type { MemberPlans } from './member-plans.ts';
import type { GroupServices } from './plan-parts.ts';
import type { MemberUndo } from './undo.ts';

const params = z.object({ plan: z.uuid() });
const courseParams = z.object({
  course: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'the number of a course')
    .transform(Number),
});

/** Adds the routes for both kinds of plans and for undo plans. */
export function addGroupRoutes(
  app: FastifyInstance,
  services: GroupServices,
  groups: GroupPlans,
  members: MemberPlans,
  undo: MemberUndo,
): void {
  const takes = { for: ['group-enrollment'], method: 'GET', takes: { params } } as const;

  /** `GET /api/groups/plans/:plan`: a plan, for the admin who made it. 404 for others, and after a day. */
  addRoute(app, { ...takes, path: ENDPOINTS.groupPlan, answers: data(groupPlan) }, async (request) =>
    answer(await groups.get(adminOf(request), request.params.plan)),
  );

  /** `GET /api/groups/member-plans/:plan`: a plan of members, for the admin who made it. */
  addRoute(app, { ...takes, path: ENDPOINTS.memberPlan, answers: data(memberPlan) }, async (request) =>
    answer(await members.get(adminOf(request), request.params.plan)),
  );

  /** `GET /api/groups/undo/:plan`: the undo plan of a members import, for the admin who requested it. */
  addRoute(
    app,
    { ...takes, path: ENDPOINTS.memberUndoPlan, answers: data(memberUndoPlan) },
    async (request) => answer(await undo.get(adminOf(request), request.params.plan)),
  );

  /**
   * `GET /api/groups/courses/:course/imports`: the admin's own imports, so that other tabs and computers show running
   * ones. 404 if out of scope.
   */
  addRoute(
    app,
    {
      for: ['group-enrollment'],
      method: 'GET',
      path: ENDPOINTS.groupImports,
      takes: { params: courseParams },
      answers: data(z.array(courseImport)),
    },
    async (request, reply) =>
      answer(await ownImportsOf(services, adminOf(request), request.params.course, goneSignal(reply))),
  );
}
