/** Records of images: their properties, and who uploaded them. */
import { createHash } from 'node:crypto';
import { foldImageName } from '@lms-admin/domain/image-files';
import { eq, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { images, imageUploads } from '../platform/schema.ts';

export interface NewImage {
  key: string;
  login: string;
  /** Name of the file. */
  name: string;
  /** The store that the image is in. */
  home: string;
  /** Null if our own server delivers it. */
  link: string | null;
  of: { type: string; bytes: number; width: number; height: number };
  at: Date;
}

export interface KeptImage {
  /** The link that the image was given first. It never changes. */
  link: string | null;
  uploadedAt: Date;
}

/**
 * Records stored images in the transaction that records their upload.
 * @returns the record of each image, in the given order
 */
export async function keep(tx: Db, all: readonly NewImage[]): Promise<KeptImage[]> {
  // A statement cannot write a row twice, and a fixed order avoids deadlocks between two servers.
  const sorted = [...all].sort((a, b) =>
    a.key === b.key ? (a.name < b.name ? -1 : 1) : a.key < b.key ? -1 : 1,
  );
  const distinct = new Map(sorted.map((one) => [one.key, one]));
  const inserted = await tx
    .insert(images)
    .values([...distinct.values()].map(({ key, home, link, of }) => ({ key, home, link, ...of })))
    .onConflictDoUpdate({ target: images.key, set: { home: sql`excluded.home` } })
    .returning({ key: images.key, link: images.link });
  const uploads = new Map(sorted.map((one) => [uploadKey(one), one]));
  const mine = await tx
    .insert(imageUploads)
    .values(
      [...uploads.values()].map(({ login, key, name, at }) => ({
        login,
        key,
        name,
        folded: foldImageName(name),
        uploadedAt: at,
      })),
    )
    .onConflictDoUpdate({
      target: [imageUploads.login, imageUploads.key, imageUploads.name],
      set: {
        // With two concurrent uploads, the later time is kept.
        uploadedAt: sql`greatest(${imageUploads.uploadedAt}, excluded.uploaded_at)`,
      },
    })
    .returning({
      login: imageUploads.login,
      key: imageUploads.key,
      name: imageUploads.name,
      uploadedAt: imageUploads.uploadedAt,
    });
  const links = new Map(inserted.map(({ key, link }) => [key, link]));
  const times = new Map(mine.map((one) => [uploadKey(one), one.uploadedAt]));
  return all.map((one) => ({
    link: links.get(one.key) ?? null,
    uploadedAt: times.get(uploadKey(one)) ?? one.at,
  }));
}

function uploadKey({ login, key, name }: { login: string; key: string; name: string }): string {
  return JSON.stringify([key, login, name]);
}

/** Returns the data needed to deliver an image, or null for an unknown key. */
export async function findImage(db: Db, key: string): Promise<{ home: string; type: string } | null> {
  const [row] = await db
    .select({ home: images.home, type: images.type })
    .from(images)
    .where(eq(images.key, key));
  return row ?? null;
}

/** Number of hash digits in a key. */
const KEY_DIGITS = 24;

/** Returns whether the content belongs to the key, which contains its hash. */
export function isOf(key: string, content: Buffer): boolean {
  return key.includes(`-${createHash('sha256').update(content).digest('hex').slice(0, KEY_DIGITS)}.`);
}
