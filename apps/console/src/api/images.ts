/** The image store over HTTP: one image uploaded, and the admin's own images. Every key begins with `images`. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  type ImageUploadAnswer,
  type ImageUploadRequest,
  imagesPage,
  imageUploadAnswer,
} from '@lms-admin/contract/images';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { getJson } from './client.ts';
import { queryClient } from './queries.ts';
import { type UploadOptions, uploadJson } from './upload.ts';

/** Uploads one image; answers its link (IMG-13). */
export function uploadImage(request: ImageUploadRequest, options: UploadOptions): Promise<ImageUploadAnswer> {
  return uploadJson(ENDPOINTS.imageUpload, request, imageUploadAnswer, options);
}

/** The admin's own images, the latest first, page by page. @param search part of a name; empty for all of them */
export function ownImagesQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ['images', search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      getJson(ENDPOINTS.images, imagesPage, {
        query: [
          ...(search === '' ? [] : [['search', search] as [string, string]]),
          ...(pageParam === null ? [] : [['after', pageParam] as [string, string]]),
        ],
        signal,
      }),
    getNextPageParam: ({ next }) => next,
    // Another tab may have uploaded some meanwhile.
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

/** There are more images than before: the list of them is asked for again. */
export function imagesChanged(): void {
  void queryClient.invalidateQueries({ queryKey: ['images'] });
}
