/** Enrolment plans over HTTP. */
import { Readable } from 'node:stream';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type PlanLine, planRequest } from '@lms-admin/contract/enrollments';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { logFailure, toAppError } from '../platform/http-errors.ts';
import { planLines } from './plan-lines.ts';
import type { Plans } from './plans.ts';

/** The most addresses and courses that a request may name are some megabytes. */
const PLAN_BODY_BYTES = 33_554_432;

const planParams = z.object({ plan: z.uuid() });
const peopleQuery = z.object({
  course: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'a course id')
    .transform(Number),
});

/** Adds the routes. */
export function addPlanRoutes(plain: FastifyInstance, plans: Plans): void {
  const app = plain.withTypeProvider<ZodTypeProvider>();

  /**
   * `POST /api/enrollments/plans` with PlanRequest: PlanLines as newline-delimited JSON, progress first, then the plan or
   * an error. What is refused before work begins (role, too many rows) is an ordinary error answer. Work in the LMS ends
   * when the reader goes.
   */
  app.post(
    ENDPOINTS.plans,
    { bodyLimit: PLAN_BODY_BYTES, config: { compress: false }, schema: { body: planRequest } },
    async (request, reply) => {
      const lines = planLines(plans, adminOf(request), request.body, goneSignal(reply));
      const first = await lines.next();
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(written(first, lines, request), { objectMode: true, highWaterMark: 1 }));
    },
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
}

async function* written(
  first: IteratorResult<PlanLine, void>,
  lines: AsyncGenerator<PlanLine, void, void>,
  request: FastifyRequest,
): AsyncGenerator<string, void, void> {
  try {
    for (let one = first; !one.done; one = await lines.next()) yield `${JSON.stringify(one.value)}\n`;
  } catch (error) {
    const failure = toAppError(error);
    logFailure(request, error, failure, 'a plan ended early');
    const line: PlanLine = { error: failure.body(request.id) };
    yield `${JSON.stringify(line)}\n`;
  }
}
