/** Routes of the image uploader. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { imagesPage, imagesQuery, imageUploadAnswer, imageUploadRequest } from '@lms-admin/contract/images';
import type { FastifyInstance } from 'fastify';
import { adminOf } from '../auth/guard.ts';
import { data } from '../platform/answers.ts';
import { answer } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { Images } from './images.ts';

export function addImageRoutes(app: FastifyInstance, images: Images): void {
  /**
   * `POST /api/aws/aws-upload`: one image as a data URL; its link in `fileName` (IMG-13). 400 for an unsupported file,
   * 413 for one that is too large, 429 for too many in a minute, 502 and 503 if the store fails.
   */
  addRoute(
    app,
    {
      method: 'POST',
      path: ENDPOINTS.imageUpload,
      for: ['images'],
      takes: { body: imageUploadRequest },
      answers: data(imageUploadAnswer),
    },
    async (request) => answer(await images.upload(adminOf(request), request.body, request.id)),
  );

  /** `GET /api/images?search=&after=`: the admin's own images, newest first, 50 a page. */
  addRoute(
    app,
    {
      method: 'GET',
      path: ENDPOINTS.images,
      for: ['images'],
      takes: { query: imagesQuery },
      answers: data(imagesPage),
    },
    async (request) => answer(await images.list(adminOf(request), request.query)),
  );
}
