/** The image store over HTTP: uploads, and the administrator's own images. Every key begins with `images`. */
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

/** Uploads one image and returns its link (IMG-13). */
export function uploadImage(request: ImageUploadRequest, options: UploadOptions): Promise<ImageUploadAnswer> {
  return uploadJson(ENDPOINTS.imageUpload, request, imageUploadAnswer, options);
}

/**
 * Defines the query for the administrator's own images, latest first, page by page.
 * @param search part of a name; empty for all images
 */
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
    // Another tab may have uploaded images in the meantime.
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

/** Fetches the list again after an upload. */
export function imagesChanged(): void {
  void queryClient.invalidateQueries({ queryKey: ['images'] });
}
