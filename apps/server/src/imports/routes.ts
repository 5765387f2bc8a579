/** Imports over HTTP, beside submitting and watching, which go through the LMS wrapper (`sis-import-*`). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { answer } from '../platform/http.ts';
import type { Imports } from './imports.ts';

const messagesParams = z.object({ import: z.uuid() });
const messagesQuery = z.object({
  page: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'a page number')
    .default('1')
    .transform(Number),
});

/** Adds the routes. */
export function addImportRoutes(plain: FastifyInstance, imports: Imports): void {
  const app = plain.withTypeProvider<ZodTypeProvider>();

  /** `GET /api/imports`: SisImport[], the admin's own latest ones, newest first. */
  app.get(ENDPOINTS.imports, async (request) => answer(await imports.recent(adminOf(request))));

  /**
   * `GET /api/imports/:import/messages?page=`: ImportMessage[], 100 a page in the order of rows; `nextPage` is the path of
   * the next page. 404 for an import of somebody else, unless `perm` is `ALL`.
   */
  app.get(
    ENDPOINTS.importMessages,
    { schema: { params: messagesParams, querystring: messagesQuery } },
    async (request) => {
      const { page } = request.query;
      const { messages, more } = await imports.messages(adminOf(request), request.params.import, page);
      const path = ENDPOINTS.importMessages.replace(':import', request.params.import);
      return answer(messages, more ? `${path}?page=${page + 1}` : null);
    },
  );
}
