/** Imports over HTTP, beside submitting and watching, which go through the LMS wrapper (`sis-import-*`). */
import { Readable } from 'node:stream';
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
const failedQuery = z.object({ file: z.string().max(300).optional() });

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

  /**
   * `GET /api/imports/:import/rows?page=`: ImportRowMessage[], 100 a page: what was said about each row, in plain words,
   * beside the admin's own cells. `nextPage` and 404 as above.
   */
  app.get(
    ENDPOINTS.importRows,
    { schema: { params: messagesParams, querystring: messagesQuery } },
    async (request) => {
      const { page } = request.query;
      const { rows, more } = await imports.rows(adminOf(request), request.params.import, page);
      const path = ENDPOINTS.importRows.replace(':import', request.params.import);
      return answer(rows, more ? `${path}?page=${page + 1}` : null);
    },
  );

  /**
   * `GET /api/imports/:import/failed-rows.csv?file=`: those rows as a CSV in UTF-8 with a mark, ready to be corrected and
   * uploaded again. Of a zip, the rows of the file that is named. 404 also when the LMS named no row.
   */
  app.get(
    ENDPOINTS.importFailedRows,
    { schema: { params: messagesParams, querystring: failedQuery } },
    async (request, reply) => {
      const { import: id } = request.params;
      const { name, texts } = await imports.failedRows(adminOf(request), id, request.query.file ?? null);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', asDownload(name))
        .send(Readable.from(texts));
    },
  );
}

/** Saves under this name; browsers that do not know the second form take the first. */
function asDownload(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
