/** Routes of SIS drafts. Each draft is for its owner only: 404 for other people, and after a day. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  draftCorrection,
  draftRows,
  draftRowsQuery,
  openDraft,
  sisDraft,
} from '@lms-admin/contract/sis-drafts';
import { sisFile } from '@lms-admin/contract/sis-files';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { adminOf } from '../../auth/guard.ts';
import { data, file } from '../../platform/answers.ts';
import { answer, goneSignal } from '../../platform/http.ts';
import { addRoute } from '../../platform/route.ts';
import type { SisDrafts } from './drafts.ts';

export function addSisDraftRoutes(app: FastifyInstance, drafts: SisDrafts): void {
  const tool = ['sis-import'] as const;
  const params = z.object({ draft: z.uuid() });

  /** `GET /api/sis-drafts`: the administrator's own open drafts, newest first, without their rows. */
  addRoute(
    app,
    { for: tool, method: 'GET', path: ENDPOINTS.sisDrafts, takes: 'none', answers: data(z.array(openDraft)) },
    async (request) => answer(await drafts.open(adminOf(request))),
  );

  /** `DELETE /api/sis-drafts/:draft`: discards a draft. 404 if it does not exist any more. */
  addRoute(
    app,
    { for: tool, method: 'DELETE', path: ENDPOINTS.sisDraft, takes: { params }, answers: data(z.object({})) },
    async (request) => {
      await drafts.discard(adminOf(request), request.params.draft);
      return answer({});
    },
  );

  /** `GET /api/sis-drafts/:draft`: describes a refused file, with its problems in groups. */
  addRoute(
    app,
    { for: tool, method: 'GET', path: ENDPOINTS.sisDraft, takes: { params }, answers: data(sisDraft) },
    async (request) => answer(await drafts.get(adminOf(request), request.params.draft)),
  );

  /** `GET /api/sis-drafts/:draft/rows`: a hundred of its rows with problems, of one group if named. */
  addRoute(
    app,
    {
      for: tool,
      method: 'GET',
      path: ENDPOINTS.sisDraftRows,
      takes: { params, query: draftRowsQuery },
      answers: data(draftRows),
    },
    async (request) => answer(await drafts.rows(adminOf(request), request.params.draft, request.query)),
  );

  /**
   * `POST /api/sis-drafts/:draft/corrections`: adds a step or undoes the last one, and returns the remaining problems
   * after the check of an upload. 409, without any change, if the step was made on another version of the draft.
   */
  addRoute(
    app,
    {
      for: tool,
      method: 'POST',
      path: ENDPOINTS.sisDraftCorrections,
      takes: { params, body: draftCorrection },
      answers: data(sisDraft),
    },
    async (request, reply) =>
      answer(
        await drafts.correct(adminOf(request), request.params.draft, request.body, {
          signal: goneSignal(reply),
          requestId: request.id,
        }),
      ),
  );

  /**
   * `POST /api/sis-drafts/:draft/file`: checks the corrected file and keeps it as an upload. 400 if problems remain,
   * which are then in the draft; 409 for another version.
   */
  addRoute(
    app,
    {
      for: tool,
      method: 'POST',
      path: ENDPOINTS.sisDraftFile,
      takes: { params, body: z.object({ version: z.number().int() }) },
      answers: data(sisFile),
    },
    async (request, reply) =>
      answer(
        await drafts.finish(adminOf(request), request.params.draft, request.body.version, {
          signal: goneSignal(reply),
          requestId: request.id,
        }),
      ),
  );

  /** `GET /api/sis-drafts/:draft/file.csv`: the corrected file so far, for Excel or another upload. */
  addRoute(
    app,
    { for: tool, method: 'GET', path: ENDPOINTS.sisDraftCsv, takes: { params }, answers: file },
    (request) => drafts.csv(adminOf(request), request.params.draft),
  );
}
