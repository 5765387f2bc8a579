/** Reads known images from their stores. Concurrent readers share one read, and a limited cache keeps recent images. */
import { LRUCache } from 'lru-cache';
import type { Objects } from '../files/homes.ts';
import type { Db } from '../platform/database.ts';
import { limitOf } from '../platform/limited.ts';
import { findImage, isOf } from './table.ts';

export interface ReadImage {
  /** Media type. */
  type: string;
  bytes: Buffer;
}

export interface ImageReader {
  /** Returns the image of a key, or null. @throws OutsideError if its store fails */
  read(key: string): Promise<ReadImage | null>;
}

/** Maximum bytes of images in memory. */
const KEPT_BYTES = 16_777_216;
/** Maximum concurrent reads from stores. */
const AT_ONCE = 8;

export function createReader(db: Db, objects: Objects): ImageReader {
  const kept = new LRUCache<string, ReadImage>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length || 1,
  });
  const reading = new Map<string, Promise<ReadImage | null>>();
  const limited = limitOf(AT_ONCE);

  async function fetched(key: string): Promise<ReadImage | null> {
    let home: string | null = null;
    for (;;) {
      const found = await findImage(db, key);
      // If the image was moved during the look-up, its record names another store.
      if (!found || found.home === home) return null;
      home = found.home;
      const content = await objects.at(home)?.get(key);
      if (!content || !isOf(key, content)) continue;
      const image = { type: found.type, bytes: content };
      kept.set(key, image);
      return image;
    }
  }

  return {
    async read(key) {
      const known = kept.get(key);
      if (known) return known;
      const running = reading.get(key) ?? limited(() => fetched(key)).finally(() => reading.delete(key));
      reading.set(key, running);
      return running;
    },
  };
}
