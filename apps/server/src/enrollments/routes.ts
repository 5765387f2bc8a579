/** Enrolment plans over HTTP: of courses, and of sections. */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  plan,
  planLine,
  plannedPerson,
  planRequest,
  sectionPerson,
  sectionPlan,
  sectionPlanLine,
  sectionPlanRequest,
} from '@lms-admin/contract/enrollments';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { data, lines } from '../platform/answers.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import { type PlanProgress, planLines } from './plan-lines.ts';
import type { Plans } from './plans.ts';
import type { SectionPlans } from './section-plans.ts';

/** The most addresses and courses that a request may name are some megabytes. */
const PLAN_BODY_BYTES = 33_554_432;

const params = z.object({ plan: z.uuid() });
const canvasId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'an id of the LMS')
  .transform(Number);

/** Adds the routes of both kinds of plans. */
export function addPlanRoutes(app: FastifyInstance, plans: Plans, sectionPlans: SectionPlans): void {
  const ofCourses = { for: ['course-enrollment'] } as const;
  const ofSections = { for: ['section-enrollment'] } as const;

  /**
   * `POST /api/enrollments/plans`: progress first, then the plan or an error. What is refused before work begins (role,
   * too many rows) is an ordinary error answer. Work in the LMS ends when the reader goes.
   */
  addRoute(
    app,
    {
      ...ofCourses,
      method: 'POST',
      path: ENDPOINTS.plans,
      takes: { body: planRequest },
      answers: lines(planLine),
      bodyLimit: PLAN_BODY_BYTES,
    },
    (request, reply) =>
      inTheMaking(reply, (progress) => plans.make(adminOf(request), request.body, randomUUID(), progress)),
  );

  /** `GET /api/enrollments/plans/:plan`: the plan again, for who made it. 404 for anybody else, and after a day. */
  addRoute(
    app,
    { ...ofCourses, method: 'GET', path: ENDPOINTS.plan, takes: { params }, answers: data(plan) },
    async (request) => answer(await plans.get(adminOf(request), request.params.plan)),
  );

  /** `GET /api/enrollments/plans/:plan/people?course=`: the people of one course, in the order of entry. */
  addRoute(
    app,
    {
      ...ofCourses,
      method: 'GET',
      path: ENDPOINTS.planPeople,
      takes: { params, query: z.object({ course: canvasId }) },
      answers: data(z.array(plannedPerson)),
    },
    async (request) =>
      answer(await plans.people(adminOf(request), request.params.plan, request.query.course)),
  );

  /** `POST /api/enrollments/section-plans`: as for the plans of courses. */
  addRoute(
    app,
    {
      ...ofSections,
      method: 'POST',
      path: ENDPOINTS.sectionPlans,
      takes: { body: sectionPlanRequest },
      answers: lines(sectionPlanLine),
      bodyLimit: PLAN_BODY_BYTES,
    },
    (request, reply) =>
      inTheMaking(reply, (progress) =>
        sectionPlans.make(adminOf(request), request.body, randomUUID(), progress),
      ),
  );

  /** `GET /api/enrollments/section-plans/:plan`: the plan again, for who made it. */
  addRoute(
    app,
    {
      ...ofSections,
      method: 'GET',
      path: ENDPOINTS.sectionPlan,
      takes: { params },
      answers: data(sectionPlan),
    },
    async (request) => answer(await sectionPlans.get(adminOf(request), request.params.plan)),
  );

  /**
   * `GET /api/enrollments/section-plans/:plan/people?section=&role=`: the people of one section, in the order of entry.
   * `role` is needed only where the plan has the section with several roles; without it the first one counts.
   */
  addRoute(
    app,
    {
      ...ofSections,
      method: 'GET',
      path: ENDPOINTS.sectionPlanPeople,
      takes: { params, query: z.object({ section: canvasId, role: canvasId.optional() }) },
      answers: data(z.array(sectionPerson)),
    },
    async (request) =>
      answer(await sectionPlans.people(adminOf(request), request.params.plan, request.query)),
  );
}

/** The lines of a plan in the making; a failure before the first of them is thrown. */
async function inTheMaking<P>(reply: FastifyReply, make: (progress: PlanProgress) => Promise<P>) {
  const rest = planLines(make, goneSignal(reply));
  return { first: await rest.next(), rest, what: 'a plan ended early' };
}
