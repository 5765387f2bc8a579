/** Route for searching people in the copy. */
import { foundNames, nameSearch } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import { data } from '../platform/answers.ts';
import { answer } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { NameSearch } from './name-search.ts';

/**
 * `GET /api/directory/people?text=`: people in the copy, without a call to the LMS. For those who can search people in
 * the LMS, which shows everyone in the school to them (OP-96).
 */
export function addDirectoryRoutes(app: FastifyInstance, names: NameSearch): void {
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
}
