/** An admin's own images, page by page. */

import { IMAGES_PATH } from '@lms-admin/contract/endpoints';
import type { ImagesPage, ImagesQuery, StoredImage } from '@lms-admin/contract/images';
import { foldImageName, IMAGE_KEY } from '@lms-admin/domain/image-files';
import { and, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { images, imageUploads } from '../platform/schema.ts';
import { storable } from '../platform/text.ts';

const PAGE = 50;

/** Distinguishes entries for the same image at page boundaries; a name itself can be too long for a URL. */
const nameMark = sql<string>`md5(${imageUploads.name})`;

/** Returns the address of an image: the link it was given, or our own server at its current address. */
export function linkOf({ key, link }: { key: string; link: string | null }, origin: string): string {
  return link ?? `${origin}${IMAGES_PATH}${key}`;
}

/** @throws AppError bad-request for an invalid page */
export async function listImages(
  db: Db,
  login: string,
  { search = '', after }: ImagesQuery,
  origin: string,
): Promise<ImagesPage> {
  const found = and(eq(imageUploads.login, login), ...wordsOf(search).map(hasWord));
  const [rows, [counted]] = await Promise.all([
    db
      .select({
        key: images.key,
        name: imageUploads.name,
        link: images.link,
        type: images.type,
        bytes: images.bytes,
        width: images.width,
        height: images.height,
        uploadedAt: imageUploads.uploadedAt,
        mark: nameMark,
      })
      .from(imageUploads)
      .innerJoin(images, eq(images.key, imageUploads.key))
      .where(and(found, after === undefined ? undefined : olderThan(after)))
      .orderBy(desc(imageUploads.uploadedAt), desc(imageUploads.key), desc(nameMark))
      .limit(PAGE + 1),
    db.select({ total: sql<number>`count(*)::int` }).from(imageUploads).where(found),
  ]);
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return {
    images: page.map(({ key, link, uploadedAt, mark: _mark, ...image }): StoredImage => {
      return { ...image, link: linkOf({ key, link }, origin), uploaded_at: uploadedAt.toISOString() };
    }),
    total: counted?.total ?? 0,
    next: rows.length > PAGE && last ? `${last.uploadedAt.toISOString()}_${last.key}_${last.mark}` : null,
  };
}

function wordsOf(search: string): string[] {
  return foldImageName(storable(search))
    .split(/\s+/)
    .filter((word) => word !== '');
}

function hasWord(word: string): SQL {
  return sql`${imageUploads.folded} like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`;
}

function olderThan(after: string): SQL | undefined {
  const [, at = '', key = '', mark] = /^([^_]+)_([^_]+)(?:_([0-9a-f]{32}))?$/.exec(after) ?? [];
  if (!/^\d{4}-[\d-]+T[\d:.]+Z$/.test(at) || Number.isNaN(Date.parse(at)) || !IMAGE_KEY.test(key))
    throw new AppError('bad-request', {
      message: 'This part of the list no longer exists.',
      next: 'Reload the list.',
    });
  const moment = new Date(at);
  return or(
    lt(imageUploads.uploadedAt, moment),
    and(eq(imageUploads.uploadedAt, moment), lt(imageUploads.key, key)),
    mark === undefined
      ? undefined
      : and(eq(imageUploads.uploadedAt, moment), eq(imageUploads.key, key), sql`${nameMark} < ${mark}`),
  );
}
