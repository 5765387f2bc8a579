/** Routes for people and courses of the copy. */
import {
  copiedCoursesRequest,
  copiedCourses as copiedCoursesSchema,
  foundNames,
  nameSearch,
} from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { toolsCalling } from '@lms-admin/contract/tools';
import type { FastifyInstance } from 'fastify';
import { adminOf } from '../auth/guard.ts';
import { data, lines } from '../platform/answers.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import { type CopiedCoursesParts, copiedCourses } from './copied-courses.ts';
import type { NameSearch } from './name-search.ts';

export function addDirectoryRoutes(
  app: FastifyInstance,
  { names, ...parts }: CopiedCoursesParts & { names: NameSearch },
): void {
  /**
   * `GET /api/directory/people?text=`: people in the copy, without a call to the LMS. Only for administrators who can
   * search people in the LMS, which shows them everyone in the school (OP-96).
   */
  addRoute(
    app,
    {
      method: 'GET',
      path: ENDPOINTS.directoryPeople,
      for: ['search-users'],
      takes: { query: nameSearch },
      answers: data(foundNames),
    },
    async (request) => {
      const found = await names.find(request.query.text);
      return answer(found ?? { as_of: null, people: [], more: false });
    },
  );

  /**
   * `POST /api/directory/courses`: courses of the copy in an account and below, several per line. One call to the LMS
   * first decides whether this person can list them.
   */
  addRoute(
    app,
    {
      method: 'POST',
      path: ENDPOINTS.directoryCourses,
      for: toolsCalling('courses'),
      takes: { body: copiedCoursesRequest },
      answers: lines(copiedCoursesSchema),
    },
    async (request, reply) => {
      const { account } = request.body;
      const rest = copiedCourses(parts, adminOf(request), account, goneSignal(reply));
      return { first: await rest.next(), rest, what: 'a list of copied courses ended early' };
    },
  );
}
