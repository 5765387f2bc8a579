/** Entry in the list of jobs for the images of one click on 'Upload Images'. */

import { IMAGE_UPLOAD } from '@lms-admin/contract/images';
import { counted } from '@lms-admin/domain/numbers';
import type { Admin } from '../auth/admin.ts';
import type { ListedKind } from '../jobs/kind.ts';
import { type RecordedWork, recordItems } from '../jobs/record.ts';
import type { Audit } from '../platform/audit.ts';
import type { Db } from '../platform/database.ts';
import { linkOf } from './list.ts';
import { keep, type NewImage } from './table.ts';

export const uploadKind: ListedKind = {
  id: IMAGE_UPLOAD,
  // The images are permanent, so the record of their owner is too; file names do not identify a person.
  keeps: 'upload',
  listed: true,
  changes: true,
};

/** @param key the same for all files of one submit */
function uploadWork(key: string): RecordedWork {
  return {
    kind: IMAGE_UPLOAD,
    tool: 'images',
    key,
    unit: 'images',
    label: (items) => `Upload ${counted(items, 'image')}`,
    figures: (done, failed) => [
      [done === 1 ? 'image uploaded' : 'images uploaded', done],
      ...(failed === 0 ? [] : [['failed', failed] as [string, number]]),
    ],
  };
}

export interface Recording {
  /** Groups files in the list of jobs. */
  key: string;
  identity: string;
  requestId: string;
}

/** Result of an upload: a stored image or a rejection. */
export type Ended = { admin: Admin; name: string; work: Recording } & (
  | { image: NewImage }
  | { code: string; problem: { message: string; next: string } }
);

/**
 * Records uploads that ended at about the same time, all or none: images, job entries and audit.
 * @returns link and time of each image, in the given order; null for a rejection
 */
export async function recordAll(
  { db, audit, site }: { db: Db; audit: Audit; site: { origin: string } },
  ended: readonly Ended[],
): Promise<({ link: string; uploaded_at: string } | null)[]> {
  return db.transaction(async (tx) => {
    await audit.writeAll(tx, ended.map(auditLine));
    const stored = ended.flatMap((one) => ('image' in one ? [one] : []));
    const kept =
      stored.length === 0
        ? []
        : await keep(
            tx,
            stored.map(({ image }) => image),
          );
    const links = new Map(
      stored.map(({ image }, at) => [
        image,
        linkOf({ key: image.key, link: kept[at]?.link ?? null }, site.origin),
      ]),
    );
    for (const images of byPress(ended)) {
      const [first] = images;
      if (!first) continue;
      const items = images.map((one) => ({
        identity: one.work.identity,
        label: one.name,
        end:
          'image' in one
            ? { outsideId: one.image.key, message: links.get(one.image) ?? '' }
            : { problem: one.problem },
      }));
      await recordItems(tx, first.admin, uploadWork(first.work.key), items);
    }
    let next = 0;
    return ended.map((one) => {
      if (!('image' in one)) return null;
      const uploaded = kept[next++]?.uploadedAt ?? one.image.at;
      return { link: links.get(one.image) ?? '', uploaded_at: uploaded.toISOString() };
    });
  });
}

function auditLine(one: Ended) {
  const { key: upload, requestId } = one.work;
  const more = 'image' in one ? { key: one.image.key, bytes: one.image.of.bytes } : { code: one.code };
  return {
    login: one.admin.login,
    tool: 'images',
    event: 'image' in one ? 'image-uploaded' : 'image-not-uploaded',
    detail: { name: one.name, upload, ...more },
    requestId,
  };
}

/** Groups uploads by submit, in a fixed order that avoids deadlocks between two servers. */
function byPress(ended: readonly Ended[]): Ended[][] {
  const presses = new Map<string, Ended[]>();
  for (const one of ended) {
    const key = JSON.stringify([one.admin.login, one.work.key]);
    presses.set(key, [...(presses.get(key) ?? []), one]);
  }
  return [...presses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, images]) => images);
}
