/** Routes for finished enrolment plans of courses and of sections; jobs make the plans (`plan-jobs.ts`). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  plan,
  plannedPerson,
  sectionPerson,
  sectionPlan,
  undoPlan,
  undoStatus,
} from '@lms-admin/contract/enrollments';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { data } from '../platform/answers.ts';
import { answer } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { Plans } from './plans.ts';
import type { SectionPlans } from './section-plans.ts';
import type { UndoPlans } from './undo.ts';

const params = z.object({ plan: z.uuid() });
const canvasId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'an id of the LMS')
  .transform(Number);

/** Adds the routes for both kinds of plans and for undo plans. */
export function addPlanRoutes(
  app: FastifyInstance,
  plans: Plans,
  sectionPlans: SectionPlans,
  undoPlans: UndoPlans,
): void {
  addCoursePlans(app, plans);
  addSectionPlans(app, sectionPlans);
  addUndoPlans(app, undoPlans);
}

function addCoursePlans(app: FastifyInstance, plans: Plans): void {
  const ofCourses = { for: ['course-enrollment'] } as const;

  /** `GET /api/enrollments/plans/:plan`: a plan, for the admin who made it. 404 for others, and after a day. */
  addRoute(
    app,
    { ...ofCourses, method: 'GET', path: ENDPOINTS.plan, takes: { params }, answers: data(plan) },
    async (request) => answer(await plans.get(adminOf(request), request.params.plan)),
  );

  /** `GET /api/enrollments/plans/:plan/people?course=`: the people in one course, in the order of entry. */
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
}

function addSectionPlans(app: FastifyInstance, sectionPlans: SectionPlans): void {
  const ofSections = { for: ['section-enrollment'] } as const;

  /** `GET /api/enrollments/section-plans/:plan`: a plan, for the admin who made it. */
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
   * `GET /api/enrollments/section-plans/:plan/people?section=&role=`: the people in one section, in the order of entry.
   * `role` is only needed if the plan has the section with several roles; without it, the first one is used.
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

function addUndoPlans(app: FastifyInstance, undoPlans: UndoPlans): void {
  const ofBoth = { for: ['course-enrollment', 'section-enrollment'] } as const;

  /** `GET /api/enrollments/undo/:plan`: the undo plan of an import, for the admin who requested it. */
  addRoute(
    app,
    { ...ofBoth, method: 'GET', path: ENDPOINTS.undoPlan, takes: { params }, answers: data(undoPlan) },
    async (request) => answer(await undoPlans.get(adminOf(request), request.params.plan)),
  );

  /** `GET /api/enrollments/undo/:plan/people?section=&role=&status=`: the people in one of its entries. */
  addRoute(
    app,
    {
      ...ofBoth,
      method: 'GET',
      path: ENDPOINTS.undoPlanPeople,
      takes: {
        params,
        query: z.object({ section: canvasId, role: canvasId.optional(), status: undoStatus.optional() }),
      },
      answers: data(z.array(sectionPerson)),
    },
    async (request) => answer(await undoPlans.people(adminOf(request), request.params.plan, request.query)),
  );
}
