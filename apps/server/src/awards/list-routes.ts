/** The list of professors and courses over HTTP (BTA-46, BTA-47, OP-89). */
import multipart from '@fastify/multipart';
import {
  listCheck,
  listReplaced,
  listRow,
  MAX_AWARD_FILE_BYTES,
  MAX_AWARD_LIST_BYTES,
  previousList,
  restoreRequest,
  sheetQuery,
  sheetRows,
} from '@lms-admin/contract/awards';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { type UploadLimits, withUpload } from '../files/upload.ts';
import { data } from '../platform/answers.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { ListImport } from './list-import.ts';
import type { Lists } from './list-store.ts';
import { AWARD_TOOLS } from './routes.ts';
import { toListEntry } from './rows.ts';

const LIMITS: UploadLimits = {
  mostBytes: MAX_AWARD_FILE_BYTES,
  tooLarge: 'Copy the rows of the list into a new Excel file, and upload that file.',
  nameless: 'list.xlsx',
};

export async function addListRoutes(app: FastifyInstance, lists: Lists, list: ListImport): Promise<void> {
  addCurrentList(app, lists, list);
  await app.register(async (forms) => {
    await forms.register(multipart);
    addCheck(forms, list);
  });
  addPreviousList(app, list);
}

const audience = { for: AWARD_TOOLS } as const;

function addCurrentList(app: FastifyInstance, lists: Lists, list: ListImport): void {
  /** `GET import/excel`: the rows of the current list, in its order. */
  addRoute(
    app,
    { ...audience, method: 'GET', path: ENDPOINTS.awardList, takes: 'none', answers: data(z.array(listRow)) },
    async () => {
      const found = await lists.inForce();
      const updated_at = found?.updatedAt.toISOString() ?? '';
      return answer((found?.entries ?? []).map((entry) => ({ ...toListEntry(entry), updated_at })));
    },
  );

  /**
   * `POST import/excel`: replaces the list with a sheet's rows, all or none. 400 with row and column; 409:
   * `sheetQuery`.
   */
  addRoute(
    app,
    {
      ...audience,
      method: 'POST',
      path: ENDPOINTS.awardList,
      takes: { query: sheetQuery, body: sheetRows },
      answers: data(listReplaced),
      bodyLimit: MAX_AWARD_LIST_BYTES,
    },
    async (request) =>
      answer(await list.replace(adminOf(request), request.body, request.query.version, request.id)),
  );
}

function addCheck(forms: FastifyInstance, list: ListImport): void {
  /** `POST import/check`, multipart with the workbook in `file`: its content and changes. Nothing is stored. */
  addRoute(
    forms,
    {
      ...audience,
      method: 'POST',
      path: ENDPOINTS.awardCheck,
      takes: { body: 'multipart' },
      answers: data(listCheck),
    },
    async (request, reply) => {
      const gone = goneSignal(reply);
      return answer(await withUpload(request, LIMITS, (upload) => list.check(upload, gone)));
    },
  );
}

function addPreviousList(app: FastifyInstance, list: ListImport): void {
  /** `GET import/previous`: the former list, and the changes that restoring it would make. */
  addRoute(
    app,
    {
      ...audience,
      method: 'GET',
      path: ENDPOINTS.awardPrevious,
      takes: 'none',
      answers: data(previousList),
    },
    async () => answer(await list.previous()),
  );

  /** `POST import/restore`: restores the former list. 404 if there is none, 409 if it has been replaced. */
  addRoute(
    app,
    {
      ...audience,
      method: 'POST',
      path: ENDPOINTS.awardRestore,
      takes: { body: restoreRequest },
      answers: data(listReplaced),
    },
    async (request) => answer(await list.restore(adminOf(request), request.body.version, request.id)),
  );
}
