/** Images and their links, as they travel. */
import { z } from 'zod';
import { IMAGES_PATH } from './endpoints.ts';

/** Id of the kind of job: a record of what one press of 'Upload Images' has uploaded. */
export const IMAGE_UPLOAD = 'image-upload';

/** An image that is in the store. */
export const storedImage = z.object({
  /** Name of the file as it was uploaded. */
  name: z.string(),
  /** Where everybody can read it. It stays, also when the store is changed. */
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

/** Where our own server hands out the image of a link, wherever the link leads: also one to a former store. */
export function ownPath(link: string): string {
  return IMAGES_PATH + link.slice(link.lastIndexOf('/icons/') + 1);
}

/** Body of `POST /api/aws/aws-upload` (IMG-13). */
export const imageUploadRequest = z.strictObject({
  /** Name of the file; folders are dropped. */
  name: z.string().trim().min(1).max(255),
  /** Data URL in base64; the type that it declares means nothing. */
  file: z.string(),
  /** The same for all files of one press: they stand together in the list of jobs. Without it the file is alone. */
  upload: z.uuid().optional(),
});
export type ImageUploadRequest = z.infer<typeof imageUploadRequest>;

/** Its answer. */
export const imageUploadAnswer = z.object({
  /** The resulting link (IMG-12). */
  fileName: z.string(),
  image: storedImage,
  /** What was taken out of the file before it was stored, in words: `place and camera`; null for nothing. */
  removed: z.string().nullable(),
});
export type ImageUploadAnswer = z.infer<typeof imageUploadAnswer>;

/** Query of `GET /api/images`, the admin's own images, the latest first. */
export const imagesQuery = z.strictObject({
  /** Part of a name, without case; every word has to be found. */
  search: z.string().max(100).optional(),
  /** `next` of the page before. */
  after: z.string().max(400).optional(),
});
export type ImagesQuery = z.infer<typeof imagesQuery>;

export const imagesPage = z.object({
  images: z.array(storedImage),
  /** How many there are for this search. */
  total: z.number().int().nonnegative(),
  /** Null on the last page. */
  next: z.string().nullable(),
});
export type ImagesPage = z.infer<typeof imagesPage>;
