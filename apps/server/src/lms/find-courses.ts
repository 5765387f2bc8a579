/** Finds courses from the text people type, for every tool that works on one course. */
import {
  courseSearch,
  type FoundCourses,
  foundCourses,
  SHORTEST_COURSE_NAME,
} from '@lms-admin/contract/course-search';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { topAccounts } from '@lms-admin/domain/access';
import { ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { readCourseName } from '@lms-admin/domain/course-number';
import type { FastifyInstance } from 'fastify';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import { adminOf } from '../auth/guard.ts';
import { coursesNamed, type ReachedCourse } from '../canvas/resources/courses.ts';
import { type CanvasClient, CanvasError } from '../canvas/types.ts';
import { data } from '../platform/answers.ts';
import type { Config } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';

export interface FindParts {
  canvas: CanvasClient;
  scope: Scope;
  config: Config;
}

/** Courses offered in one answer. */
const MOST = 20;

/**
 * Adds `GET /api/courses/find?text=`: matching courses in scope; courses out of scope are answered like missing ones.
 */
export function addCourseSearch(app: FastifyInstance, parts: FindParts): void {
  addRoute(
    app,
    {
      method: 'GET',
      path: ENDPOINTS.courseSearch,
      for: ['student-export', 'zoom-creation', 'zoom-run', 'access'],
      takes: { query: courseSearch },
      answers: data(foundCourses),
    },
    async (request, reply) =>
      answer(await findCourses(parts, adminOf(request), request.query.text, goneSignal(reply))),
  );
}

/** @throws AppError bad-request for the address of another site; CanvasError */
async function findCourses(
  parts: FindParts,
  admin: Admin,
  text: string,
  signal: AbortSignal,
): Promise<FoundCourses> {
  const { config } = parts;
  // Without the cache: an SIS ID may just have moved to another course.
  const scope = parts.scope.withoutCache();
  const named = readCourseName(text, config.lms.url);
  switch (named.by) {
    case 'nothing':
      return listed([]);
    case 'other-address':
      throw new AppError('bad-request', {
        message: 'This is not the address of a course in the LMS.',
        next: `Paste the address of a page in the course. It begins with ${config.lms.url}/courses/.`,
      });
    case 'sis-id':
      return listed([await scope.courseBySisId(admin, named.sisId, signal)]);
    case 'number': {
      const both = await Promise.all([
        scope.course(admin, named.number, signal),
        named.certain ? null : scope.courseBySisId(admin, text.trim(), signal),
      ]);
      const found = listed(both);
      return found.courses.length > 0 || named.certain ? found : byName(parts, admin, text.trim(), signal);
    }
    case 'text': {
      const exact = await scope.courseBySisId(admin, named.text, signal);
      return exact ? listed([exact]) : byName(parts, admin, named.text, signal);
    }
  }
}

/** Finds courses by part of the name, code or SIS ID, in each account of the admin and those below it. */
async function byName(
  { canvas, scope }: FindParts,
  admin: Admin,
  text: string,
  signal: AbortSignal,
): Promise<FoundCourses> {
  if (text.length < SHORTEST_COURSE_NAME) return listed([]);
  const tops = topAccounts(admin.record);
  const accounts = tops === 'all' ? [ROOT_ACCOUNT_ID] : tops;
  const reader = { canvas, token: admin.token, signal };
  const searches = await Promise.all(
    accounts.map((account) =>
      coursesNamed(reader, account, text).catch((error: unknown) => {
        // A deleted account has no courses.
        const hidden =
          error instanceof CanvasError && (error.kind === 'not-found' || error.kind === 'refused');
        if (hidden) return { courses: [], more: false };
        throw error;
      }),
    ),
  );
  const found = searches.flatMap(({ courses }) => courses);
  const seen = await Promise.all(found.map((course) => scope.account(admin, course.account_id, signal)));
  const inScope = found.filter((_, index) => seen[index]);
  return listed(
    inScope,
    searches.some(({ more }) => more),
  );
}

function listed(courses: readonly (ReachedCourse | null)[], more = false): FoundCourses {
  const byId = new Map(courses.flatMap((course) => (course === null ? [] : [[course.id, course] as const])));
  const all = [...byId.values()];
  return {
    courses: all.slice(0, MOST).map(({ id, course_code: code, name, sis_course_id, term }) => ({
      id,
      code,
      name,
      sis_course_id,
      term: term?.name ?? null,
    })),
    more: more || all.length > MOST,
  };
}
