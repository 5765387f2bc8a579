/** Enrolment plans over HTTP: of courses, and of sections. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { planRequest, sectionPlanRequest } from '@lms-admin/contract/enrollments';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { sendLines } from '../platform/lines.ts';
import { type PlanProgress, planLines } from './plan-lines.ts';
import type { Plans } from './plans.ts';
import type { SectionPlans } from './section-plans.ts';

/** The most addresses and courses that a request may name are some megabytes. */
const PLAN_BODY_BYTES = 33_554_432;

const planParams = z.object({ plan: z.uuid() });
const canvasId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'an id of the LMS')
  .transform(Number);
const peopleQuery = z.object({ course: canvasId });
const sectionPeopleQuery = z.object({ section: canvasId, role: canvasId.optional() });
const streamed = { bodyLimit: PLAN_BODY_BYTES, config: { compress: false } };

/** Adds the routes of both kinds of plans. */
export function addPlanRoutes(plain: FastifyInstance, plans: Plans, sectionPlans: SectionPlans): void {
  const app = plain.withTypeProvider<ZodTypeProvider>();

  /**
   * `POST /api/enrollments/plans` with PlanRequest: PlanLines as newline-delimited JSON, progress first, then the plan or
   * an error. What is refused before work begins (role, too many rows) is an ordinary error answer. Work in the LMS ends
   * when the reader goes.
   */
  app.post(ENDPOINTS.plans, { ...streamed, schema: { body: planRequest } }, (request, reply) =>
    sendPlan(request, reply, (progress) => plans.make(adminOf(request), request.body, progress)),
  );

  /** `GET /api/enrollments/plans/:plan`: the Plan again, for who made it. 404 for anybody else, and after a day. */
  app.get(ENDPOINTS.plan, { schema: { params: planParams } }, async (request) =>
    answer(await plans.get(adminOf(request), request.params.plan)),
  );

  /** `GET /api/enrollments/plans/:plan/people?course=`: PlannedPerson[] of one course, in the order of entry. */
  app.get(
    ENDPOINTS.planPeople,
    { schema: { params: planParams, querystring: peopleQuery } },
    async (request) =>
      answer(await plans.people(adminOf(request), request.params.plan, request.query.course)),
  );

  /** `POST /api/enrollments/section-plans` with SectionPlanRequest: SectionPlanLines, as for the plans of courses. */
  app.post(ENDPOINTS.sectionPlans, { ...streamed, schema: { body: sectionPlanRequest } }, (request, reply) =>
    sendPlan(request, reply, (progress) => sectionPlans.make(adminOf(request), request.body, progress)),
  );

  /** `GET /api/enrollments/section-plans/:plan`: the SectionPlan again, for who made it. */
  app.get(ENDPOINTS.sectionPlan, { schema: { params: planParams } }, async (request) =>
    answer(await sectionPlans.get(adminOf(request), request.params.plan)),
  );

  /**
   * `GET /api/enrollments/section-plans/:plan/people?section=&role=`: SectionPerson[] of one section, in the order of
   * entry. `role` is needed only where the plan has the section with several roles; without it the first one counts.
   */
  app.get(
    ENDPOINTS.sectionPlanPeople,
    { schema: { params: planParams, querystring: sectionPeopleQuery } },
    async (request) =>
      answer(await sectionPlans.people(adminOf(request), request.params.plan, request.query)),
  );
}

/** Answers with the lines of a plan in the making; a failure before the first of them is thrown. */
async function sendPlan<P>(
  request: FastifyRequest,
  reply: FastifyReply,
  make: (progress: PlanProgress) => Promise<P>,
): Promise<FastifyReply> {
  const lines = planLines(make, goneSignal(reply));
  return sendLines(request, reply, { first: await lines.next(), rest: lines, what: 'a plan ended early' });
}
