/** Routes for the changes in a file, for its owner only: the summary, and the rows and courses in pages. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  sisEffect,
  sisEffectCourses,
  sisEffectCoursesQuery,
  sisEffectDraftQuery,
  sisEffectQuery,
  sisEffectRows,
} from '@lms-admin/contract/sis-effects';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Admin } from '../../auth/admin.ts';
import { adminOf } from '../../auth/guard.ts';
import { data } from '../../platform/answers.ts';
import { AppError } from '../../platform/errors.ts';
import { answer, goneSignal } from '../../platform/http.ts';
import { addRoute } from '../../platform/route.ts';
import type { SisDrafts } from '../drafts/drafts.ts';
import { requireFile } from '../store.ts';
import type { EffectServices } from './effect-kind.ts';
import { readCourses, readEffect, readRows } from './effect-store.ts';
import { readNotFound, readRefused } from './reasons.ts';

/** Maximum number of rows opened for correction together; the next comparison reports the others. */
const MOST_REOPENED = 10_000;

/** Adds the routes. 404 if the file does not exist, or has not been compared yet. */
export function addEffectRoutes(
  app: FastifyInstance,
  services: Pick<EffectServices, 'db' | 'identity'>,
  drafts: Pick<SisDrafts, 'reopen'>,
): void {
  const { db } = services.db;
  const params = z.object({ file: z.uuid() });
  const common = { method: 'GET', for: ['sis-import'] } as const;

  async function found(admin: Admin, id: string) {
    const stored = await requireFile(db, services.identity, admin, id);
    const { file } = stored.summary;
    const read = await readEffect(db, file.id);
    if (read === null) {
      throw new AppError('not-found', {
        message: 'The file has not been compared with the LMS yet.',
        next: 'Wait until the comparison is ready.',
      });
    }
    return { ...read, stored, file, names: file.zip ? file.parts.map(({ name }) => name) : null };
  }

  addRoute(
    app,
    { ...common, path: ENDPOINTS.sisEffect, takes: { params }, answers: data(sisEffect) },
    async (request) => answer((await found(adminOf(request), request.params.file)).effect),
  );

  addRoute(
    app,
    {
      ...common,
      path: ENDPOINTS.sisEffectRows,
      takes: { params, query: sisEffectQuery },
      answers: data(sisEffectRows),
    },
    async (request) => {
      const { job, file, names } = await found(adminOf(request), request.params.file);
      return answer(await readRows(db, { file: file.id, job }, request.query, names));
    },
  );

  addRoute(
    app,
    {
      ...common,
      path: ENDPOINTS.sisEffectCourses,
      takes: { params, query: sisEffectCoursesQuery },
      answers: data(sisEffectCourses),
    },
    async (request) => {
      const { job, file } = await found(adminOf(request), request.params.file);
      return answer(await readCourses(db, { file: file.id, job }, request.query));
    },
  );

  /**
   * `POST /api/sis-files/:file/effect/draft`: opens the file as a draft for correcting the rows that the LMS would
   * reject, or whose items are missing; always the same draft. The file stays unchanged. 400 for a zip; 409 if there
   * are no such rows, or the file has been submitted.
   */
  addRoute(
    app,
    {
      for: ['sis-import'],
      method: 'POST',
      path: ENDPOINTS.sisEffectDraft,
      takes: { params, query: sisEffectDraftQuery },
      answers: data(z.object({ draft: z.uuid() })),
    },
    async (request, reply) => {
      const admin = adminOf(request);
      const { job, stored, file } = await found(admin, request.params.file);
      const [part] = file.parts;
      if (file.zip || part === undefined) {
        throw new AppError('bad-request', {
          message: 'Files of a zip cannot be corrected here.',
          next: 'Upload the CSV alone, or correct it and upload the zip again.',
        });
      }
      const of = [db, { file: file.id, job }, part.kind, MOST_REOPENED] as const;
      const beside = { fails: await readRefused(...of), unknown: await readNotFound(...of) };
      const why = beside[request.query.rows];
      beside[request.query.rows] = new Map();
      if (stored.importId !== null || why.size === 0) {
        throw new AppError('conflict', {
          message: 'There is nothing to correct: the LMS accepts these rows, or the file has been submitted.',
          next: 'Check the review again.',
        });
      }
      const asking = { signal: goneSignal(reply), requestId: request.id };
      return answer({ draft: await drafts.reopen(admin, stored, { why, beside }, asking) });
    },
  );
}
