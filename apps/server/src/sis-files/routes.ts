/** Routes of SIS files. */
import multipart from '@fastify/multipart';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { MAX_SIS_FILE_BYTES, sisFile } from '@lms-admin/contract/sis-files';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { type UploadLimits, withUpload } from '../files/upload.ts';
import { data } from '../platform/answers.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { SisFiles } from './sis-files.ts';

const LIMITS: UploadLimits = {
  mostBytes: MAX_SIS_FILE_BYTES,
  tooLarge: 'Upload it in parts. Nothing has been sent.',
  nameless: 'file.csv',
};

/** Adds the routes. Forms are accepted only for uploads: all other routes take JSON only. */
export async function addSisFileRoutes(app: FastifyInstance, files: SisFiles): Promise<void> {
  const common = { for: ['sis-import'], answers: data(sisFile) } as const;
  await app.register(async (forms) => {
    await forms.register(multipart);

    /**
     * `POST /sis-import`, multipart with the file in `file` (`url` and `header` are accepted and ignored, SIS-07):
     * checks the file, stores and describes it. 400 with row and column of up to 100 problems, 413 above 128 MB; then
     * nothing is stored. It sends nothing to the LMS.
     */
    addRoute(
      forms,
      { ...common, method: 'POST', path: ENDPOINTS.sisFiles, takes: { body: 'multipart' } },
      async (request, reply) => {
        const admin = adminOf(request);
        const asking = { signal: goneSignal(reply), requestId: request.id };
        return answer(await withUpload(request, LIMITS, (upload) => files.take(admin, upload, asking)));
      },
    );
  });

  /** `GET /api/sis-files/:file`: the file's description, for its uploader. 404 for other people, and after a day. */
  addRoute(
    app,
    { ...common, method: 'GET', path: ENDPOINTS.sisFile, takes: { params: z.object({ file: z.uuid() }) } },
    async (request) => answer(await files.get(adminOf(request), request.params.file)),
  );
}
