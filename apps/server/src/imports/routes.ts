/** Routes for imports, except submitting and watching, which use the LMS wrapper (`sis-import-*`). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { importMessage, importRow, sisImport } from '@lms-admin/contract/imports';
import { toolsCalling } from '@lms-admin/contract/tools';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { data, file } from '../platform/answers.ts';
import { answer } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { Imports } from './imports.ts';

const params = z.object({ import: z.uuid() });
/** Our id, or a number of the LMS. */
const IMPORT_ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[1-9]\d{0,15})$/;
const query = z.object({
  page: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'a page number')
    .default('1')
    .transform(Number),
});

export function addImportRoutes(app: FastifyInstance, imports: Imports): void {
  addRecentRoute(app, imports);
  addRowRoutes(app, imports);
  addFileRoutes(app, imports);
}

const watching = { method: 'GET', for: toolsCalling('sis-import-status') } as const;

function addRecentRoute(app: FastifyInstance, imports: Imports): void {
  /** `GET /api/imports`: the admin's own latest imports, newest first. */
  addRoute(
    app,
    {
      method: 'GET',
      path: ENDPOINTS.imports,
      for: 'signed-in',
      takes: 'none',
      answers: data(z.array(sisImport)),
    },
    async (request) => answer(await imports.recent(adminOf(request))),
  );
}

/** Adds the routes for messages about an import and its rows. */
function addRowRoutes(app: FastifyInstance, imports: Imports): void {
  /**
   * `GET /api/imports/:import/messages?page=`: 100 messages a page in row order; `nextPage` is the path of the next
   * page. 404 for an import of another admin, unless `perm` is `ALL`.
   */
  addRoute(
    app,
    {
      ...watching,
      path: ENDPOINTS.importMessages,
      takes: { params, query },
      answers: data(z.array(importMessage)),
    },
    async (request) => {
      const { page } = request.query;
      const { messages, more } = await imports.messages(adminOf(request), request.params.import, page);
      const path = ENDPOINTS.importMessages.replace(':import', request.params.import);
      return answer(messages, more ? `${path}?page=${page + 1}` : null);
    },
  );

  /**
   * `GET /api/imports/:import/rows?page=`: the messages about each row in plain words, with the admin's own cells; 100
   * a page, `nextPage` and 404 as above.
   */
  addRoute(
    app,
    {
      ...watching,
      path: ENDPOINTS.importRows,
      takes: { params, query },
      answers: data(z.array(importRow)),
    },
    async (request) => {
      const { page } = request.query;
      const { rows, more } = await imports.rows(adminOf(request), request.params.import, page);
      const path = ENDPOINTS.importRows.replace(':import', request.params.import);
      return answer(rows, more ? `${path}?page=${page + 1}` : null);
    },
  );
}

/** Adds the routes for downloading files of an import. */
function addFileRoutes(app: FastifyInstance, imports: Imports): void {
  /**
   * `GET /api/imports/:import/failed-rows.csv?file=`: the rows with messages as a CSV in UTF-8 with BOM, to be
   * corrected and uploaded again. For a zip, `file` names one of its files. 404 also if the LMS named no row.
   */
  addRoute(
    app,
    {
      ...watching,
      path: ENDPOINTS.importFailedRows,
      takes: { params, query: z.object({ file: z.string().max(300).optional() }) },
      answers: file,
    },
    async (request) => {
      const { import: id } = request.params;
      const { name, texts } = await imports.failedRows(adminOf(request), id, request.query.file ?? null);
      return { name, type: 'text/csv; charset=utf-8', content: texts };
    },
  );

  /**
   * `GET /api/imports/:import/attachments/:attachment`: the LMS's own error file (`errors`), or a CSV that it received
   * (`csv-1`). 403 for an import of others without its tool, 404 as above and if the LMS does not have the file.
   */
  addRoute(
    app,
    {
      ...watching,
      path: ENDPOINTS.importAttachment,
      takes: {
        params: z.object({
          import: z.string().regex(IMPORT_ID, 'the id of an import'),
          attachment: z.string().regex(/^(errors|csv-\d{1,3})$/, 'the name of a file'),
        }),
      },
      answers: file,
    },
    async (request) => {
      const { import: id, attachment: attachmentId } = request.params;
      const { name, content } = await imports.attachment(adminOf(request), id, attachmentId, request.signal);
      return { name, type: 'text/csv; charset=utf-8', content };
    },
  );
}
