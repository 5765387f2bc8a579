/** Drafts of SIS files over HTTP. Each is for its owner only: 404 for anybody else, and after a day. */
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

  /** `GET /api/sis-drafts`: the administrator's own drafts that are still open, newest first, without their rows. */
  addRoute(
    app,
    { for: tool, method: 'GET', path: ENDPOINTS.sisDrafts, takes: 'none', answers: data(z.array(openDraft)) },
    async (request) => answer(await drafts.open(adminOf(request))),
  );

  /** `DELETE /api/sis-drafts/:draft`: discards it. 404 when it is not kept any more. */
  addRoute(
    app,
    { for: tool, method: 'DELETE', path: ENDPOINTS.sisDraft, takes: { params }, answers: data(z.object({})) },
    async (request) => {
      await drafts.discard(adminOf(request), request.params.draft);
      return answer({});
    },
  );

  /** `GET /api/sis-drafts/:draft`: what a refused file is, and its problems in groups. */
  addRoute(
    app,
    { for: tool, method: 'GET', path: ENDPOINTS.sisDraft, takes: { params }, answers: data(sisDraft) },
    async (request) => answer(await drafts.get(adminOf(request), request.params.draft)),
  );

  /** `GET /api/sis-drafts/:draft/rows`: a hundred of its rows with problems, of a group if one is named. */
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
   * `POST /api/sis-drafts/:draft/corrections`: a step, or the last one taken back; answers what is still wrong, by the check of an
   * upload. 409 when the draft is not the version any more that the step was made on; then nothing is changed.
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
   * `POST /api/sis-drafts/:draft/file`: what was corrected, checked and kept as an upload. 400 when something is still wrong, which the
   * draft then holds; 409 for another version.
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

  /** `GET /api/sis-drafts/:draft/file.csv`: what was corrected so far, as a file that opens in Excel and can be uploaded. */
  addRoute(
    app,
    { for: tool, method: 'GET', path: ENDPOINTS.sisDraftCsv, takes: { params }, answers: file },
    (request) => drafts.csv(adminOf(request), request.params.draft),
  );
}
