/** Reads known images from their homes, each once for all who ask at the same time; the latest stay in memory, within bounds. */
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
  /** The image of a key; null when there is none. @throws OutsideError when its home fails */
  read(key: string): Promise<ReadImage | null>;
}

/** Bytes of images in memory. */
const KEPT_BYTES = 16_777_216;
/** Reads from homes at once. */
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
      // It may be moved while it is looked for: then its record says another home.
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
