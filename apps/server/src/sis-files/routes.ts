/** SIS files over HTTP. */
import multipart from '@fastify/multipart';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireTool } from '../access/require.ts';
import { adminOf } from '../auth/guard.ts';
import { answer, goneSignal } from '../platform/http.ts';
import type { SisFiles } from './sis-files.ts';
import { withUpload } from './upload.ts';

const fileParams = z.object({ file: z.uuid() });

/** Adds the routes. Forms are read nowhere else: the rest of the back end takes JSON only. */
export async function addSisFileRoutes(app: FastifyInstance, files: SisFiles): Promise<void> {
  await app.register(async (plain) => {
    await plain.register(multipart);
    const scope = plain.withTypeProvider<ZodTypeProvider>();

    /**
     * `POST /sis-import`, multipart with the file in `file` (`url` and `header` are accepted and ignored, SIS-07): the
     * SisFile, once the file has been checked and kept. 400 with row and column of up to 100 problems, 413 above 128 MB;
     * then nothing is kept. Nothing is sent to the LMS by it.
     */
    scope.post(ENDPOINTS.sisFiles, { config: { guarded: true } }, async (request, reply) => {
      const admin = adminOf(request);
      requireTool(admin, 'sis-import');
      const asking = { signal: goneSignal(reply), requestId: request.id };
      const file = await withUpload(request, (upload) => files.take(admin, upload, asking));
      reply.header('cache-control', 'no-store');
      return answer(file);
    });

    /** `GET /api/sis-files/:file`: the SisFile again, for who uploaded it. 404 for anybody else, and after a day. */
    scope.get(ENDPOINTS.sisFile, { schema: { params: fileParams } }, async (request) =>
      answer(await files.get(adminOf(request), request.params.file)),
    );
  });
}
