/** The records of images: what is known of each, and who has uploaded it. */
import { createHash } from 'node:crypto';
import { foldImageName } from '@lms-admin/domain/image-files';
import { eq, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { images, imageUploads } from '../platform/schema.ts';

export interface NewImage {
  key: string;
  login: string;
  /** Of the file. */
  name: string;
  /** Where it has been put. */
  home: string;
  /** Null: our own server hands it out. */
  link: string | null;
  of: { type: string; bytes: number; width: number; height: number };
  at: Date;
}

export interface KeptImage {
  /** The link that it was given first: it stays. */
  link: string | null;
  uploadedAt: Date;
}

/**
 * Records images that are in their home, in the transaction of anyone who records their upload.
 * @returns what is kept of each, in their order
 */
export async function keep(tx: Db, all: readonly NewImage[]): Promise<KeptImage[]> {
  // One statement cannot write a row twice; and in one order always, so that two servers do not wait for each other.
  const sorted = [...all].sort((a, b) =>
    a.key === b.key ? (a.name < b.name ? -1 : 1) : a.key < b.key ? -1 : 1,
  );
  const distinct = new Map(sorted.map((one) => [one.key, one]));
  const made = await tx
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
        // Two at a time: the clock does not go back.
        uploadedAt: sql`greatest(${imageUploads.uploadedAt}, excluded.uploaded_at)`,
      },
    })
    .returning({
      login: imageUploads.login,
      key: imageUploads.key,
      name: imageUploads.name,
      uploadedAt: imageUploads.uploadedAt,
    });
  const links = new Map(made.map(({ key, link }) => [key, link]));
  const times = new Map(mine.map((one) => [uploadKey(one), one.uploadedAt]));
  return all.map((one) => ({
    link: links.get(one.key) ?? null,
    uploadedAt: times.get(uploadKey(one)) ?? one.at,
  }));
}

function uploadKey({ login, key, name }: { login: string; key: string; name: string }): string {
  return JSON.stringify([key, login, name]);
}

/** What has to be known of an image to hand it out; null for a key that is none. */
export async function findImage(db: Db, key: string): Promise<{ home: string; type: string } | null> {
  const [row] = await db
    .select({ home: images.home, type: images.type })
    .from(images)
    .where(eq(images.key, key));
  return row ?? null;
}

/** Digits of the hash in a key. */
const KEY_DIGITS = 24;

/** Whether a content is what was put under the key, which holds its hash. */
export function isOf(key: string, content: Buffer): boolean {
  return key.includes(`-${createHash('sha256').update(content).digest('hex').slice(0, KEY_DIGITS)}.`);
}
