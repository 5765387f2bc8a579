/** Images and their links, in requests and answers. */
import { z } from 'zod';
import { IMAGES_PATH } from './endpoints.ts';

/** Id of the kind of job that records one upload with 'Upload Images'. */
export const IMAGE_UPLOAD = 'image-upload';

export const storedImage = z.object({
  /** File name on upload. */
  name: z.string(),
  /** Public link. It stays the same, even if the store changes. */
  link: z.string(),
  /** Media type, by content. */
  type: z.string(),
  bytes: z.number().int().positive(),
  /** Pixels. */
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  uploaded_at: z.string(),
});
export type StoredImage = z.infer<typeof storedImage>;

/** Returns the path of a link's image on our own server, wherever the link leads, even to a former store. */
export function ownPath(link: string): string {
  return IMAGES_PATH + link.slice(link.lastIndexOf('/icons/') + 1);
}

/** Body of `POST /api/aws/aws-upload` (IMG-13). */
export const imageUploadRequest = z.strictObject({
  /** File name; folders are removed. */
  name: z.string().trim().min(1).max(255),
  /** Data URL in base64; its declared type is ignored. */
  file: z.string(),
  /** Shared by all files of one upload, which form one entry in the list of jobs. Absent: the file has its own. */
  upload: z.uuid().optional(),
});
export type ImageUploadRequest = z.infer<typeof imageUploadRequest>;

/** Answer to an upload. */
export const imageUploadAnswer = z.object({
  /** The resulting link (IMG-12). */
  fileName: z.string(),
  image: storedImage,
  /** Description of what was removed from the file before storing it: `location and camera`; null for nothing. */
  removed: z.string().nullable(),
});
export type ImageUploadAnswer = z.infer<typeof imageUploadAnswer>;

/** Query of `GET /api/images`, the administrator's own images, newest first. */
export const imagesQuery = z.strictObject({
  /** Part of a name, ignoring case; every word must match. */
  search: z.string().max(100).optional(),
  /** `next` of the previous page. */
  after: z.string().max(400).optional(),
});
export type ImagesQuery = z.infer<typeof imagesQuery>;

export const imagesPage = z.object({
  images: z.array(storedImage),
  /** Total number for this search. */
  total: z.number().int().nonnegative(),
  /** Null on the last page. */
  next: z.string().nullable(),
});
export type ImagesPage = z.infer<typeof imagesPage>;
