/** Routes of Zoom Event Run: one run of a course, and the queue (ZR-14 … ZR-16). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { job } from '@lms-admin/contract/jobs';
import { OWN_REQUEST } from '@lms-admin/contract/zoom';
import { zoomQueueUpdate, zoomRunRequest } from '@lms-admin/contract/zoom-runs';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import { adminOf } from '../auth/guard.ts';
import { data } from '../platform/answers.ts';
import { AppError } from '../platform/errors.ts';
import { answer } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import { noCourse } from './course-access.ts';
import type { Queue } from './queue.ts';
import { type RunParts, requireZoom } from './run-kind.ts';
import { RUN_TOOL, type StartParts, startOnce } from './run-start.ts';

export function addZoomRunRoutes(
  app: FastifyInstance,
  parts: Omit<RunParts, 'db'>,
  starts: StartParts,
  queue: Queue,
): void {
  const audience = { for: [RUN_TOOL] } as const;

  async function start(
    admin: Admin,
    { courseId, daysCount, key }: z.output<typeof zoomRunRequest>,
    requestId: string,
  ) {
    requireZoom(parts);
    const course = await parts.scope.withoutCache().course(admin, courseId);
    if (!course) throw noCourse();
    const lms = await parts.identity.lastSeen(admin.token);
    const begun = await startOnce(starts, admin, {
      order: { course: courseId, days: daysCount, queued: null },
      course: course.course_code || course.name,
      about: await parts.scope.about(admin, [course]),
      key: key ?? null,
      lms,
      requestId,
    });
    return answer(await starts.jobs.read(admin, begun.id));
  }

  /**
   * `GET` and `POST /api/auth/zoom-s3-course-update`: starts a run, and returns its job immediately. 404 for a course
   * out of scope. A GET needs the header that no other site can set (OP-61).
   */
  addRoute(
    app,
    {
      ...audience,
      method: 'GET',
      path: ENDPOINTS.zoomRun,
      takes: { query: zoomRunRequest },
      answers: data(job),
    },
    async (request) => {
      if (request.headers[OWN_REQUEST.name] !== OWN_REQUEST.value) {
        throw new AppError('not-allowed', {
          message: 'A run cannot be started by opening a link.',
          next: 'Start it in LMS Admin, on the page of Zoom Event Run.',
        });
      }
      return start(adminOf(request), request.query, request.id);
    },
  );
  addRoute(
    app,
    {
      ...audience,
      method: 'POST',
      path: ENDPOINTS.zoomRun,
      takes: { body: zoomRunRequest },
      answers: data(job),
    },
    async (request) => start(adminOf(request), request.body, request.id),
  );

  /** `GET /api/auth/zoom-s3-course-queue-data`: the queue as JSON text (ZR-15). */
  addRoute(
    app,
    { ...audience, method: 'GET', path: ENDPOINTS.zoomQueue, takes: 'none', answers: data(z.string()) },
    async (request) => answer(JSON.stringify(await queue.read(adminOf(request)))),
  );

  /** `POST /api/auth/zoom-s3-course-queue-update`: the new queue. 403 for a forbidden removal, 404 out of scope. */
  addRoute(
    app,
    {
      ...audience,
      method: 'POST',
      path: ENDPOINTS.zoomQueueUpdate,
      takes: { body: zoomQueueUpdate },
      answers: data(z.string()),
    },
    async (request) => {
      const admin = adminOf(request);
      const { courseIds, readCourseIds, newestAt, daysCount } = request.body;
      await queue.change(admin, {
        wanted: courseIds,
        read: readCourseIds ?? null,
        newestAt: newestAt === undefined ? null : new Date(newestAt),
        days: daysCount,
        requestId: request.id,
      });
      return answer(JSON.stringify(await queue.read(admin)));
    },
  );
}
