/** Images: uploaded once, with a permanent link, and listed for each admin who uploaded them. */
import { createHash, randomUUID } from 'node:crypto';
import type {
  ImagesPage,
  ImagesQuery,
  ImageUploadAnswer,
  ImageUploadRequest,
  StoredImage,
} from '@lms-admin/contract/images';
import { imageKey } from '@lms-admin/domain/image-files';
import type { Logger } from 'pino';
import type { Admin } from '../auth/admin.ts';
import type { Objects } from '../files/homes.ts';
import { DATABASE_HOME } from '../files/objects.ts';
import { Allowance } from '../platform/allowance.ts';
import { type Audit, oneLine } from '../platform/audit.ts';
import type { Database } from '../platform/database.ts';
import { grouped } from '../platform/grouped.ts';
import { toAppError } from '../platform/http-errors.ts';
import { requireNotHeld } from '../platform/installation.ts';
import { readDataUrl } from './data-url.ts';
import { type Inspected, inspect } from './inspect.ts';
import { listImages } from './list.ts';
import { type Ended, type Recording, recordAll } from './upload-record.ts';

export interface ImageParts {
  db: Database;
  log: Logger;
  audit: Audit;
  objects: Objects;
  site: { origin: string };
  /** Clock, in milliseconds since 1970. */
  now: () => number;
}

export interface Images {
  /**
   * Uploads one image and records it in the list of jobs, even if it is rejected.
   * @throws AppError for a rejected image; OutsideError if the store fails
   */
  upload(admin: Admin, request: ImageUploadRequest, requestId: string): Promise<ImageUploadAnswer>;
  /** Returns the admin's own images. @throws AppError bad-request for an invalid page */
  list(admin: Admin, query: ImagesQuery): Promise<ImagesPage>;
}

/** Maximum uploads per admin and minute: enough to upload all images of the screen several times. */
const PER_MINUTE = 300;
/** Milliseconds for which a stored image waits for others, to be recorded with them. */
const GATHER_MS = 5;

export function createImages({ db: { db }, log, audit, objects, site, now }: ImageParts): Images {
  const allowance = new Allowance(PER_MINUTE, now);

  let underWay = 0;
  // Recording a single upload takes ten statements, mostly for the record that all files of one submit share.
  const record = grouped((ended: readonly Ended[]) => recordAll({ db, audit, site }, ended), {
    more: (waiting) => waiting < underWay,
    ms: GATHER_MS,
  });

  /** Stores the content first, because a record without content would be a dead link. */
  async function store(admin: Admin, name: string, found: Inspected, work: Recording): Promise<StoredImage> {
    const key = imageKey(name, sha256(found.bytes), found.type);
    const { type, bytes, width, height } = found;
    if (objects.home.home !== DATABASE_HOME) await requireNotHeld(db, objects.system);
    await objects.home.put({ key, type, bytes });
    const of = { type, bytes: bytes.length, width, height };
    const link = objects.publicUrl === null ? null : `${objects.publicUrl}/${key}`;
    const image = { key, login: admin.login, name, home: objects.home.home, link, of, at: new Date(now()) };
    const kept = await record({ admin, name, work, image });
    if (!kept) throw new Error('an image was not recorded');
    return { name, ...kept, ...of };
  }

  /** Records a failed upload; if that also fails, the original error is kept. */
  async function recordFailure(admin: Admin, name: string, thrown: unknown, work: Recording): Promise<void> {
    const { message, next, code } = toAppError(thrown);
    try {
      await record({ admin, name, work, code, problem: { message, next } });
    } catch (error) {
      log.error({ err: error }, 'a failed upload could not be recorded');
    }
  }

  return {
    async upload(admin, request, requestId) {
      allowance.take(admin.login);
      const name = fileName(request.name);
      const identity = sha256(JSON.stringify(name), request.file);
      const work = { key: request.upload ?? randomUUID(), identity, requestId };
      underWay++;
      try {
        const found = await inspect(readDataUrl(request.file, name), name);
        const image = await store(admin, name, found, work);
        return { fileName: image.link, image, removed: found.removed };
      } catch (error) {
        await recordFailure(admin, name, error, work);
        throw error;
      } finally {
        underWay--;
      }
    },
    list: (admin, query) => listImages(db, admin.login, query, site.origin),
  };
}

/** Removes folders from the name, because they can reveal private information. */
function fileName(given: string): string {
  return oneLine(given.split(/[/\\]/).at(-1) ?? '') || 'image';
}

function sha256(...parts: readonly (Buffer | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
