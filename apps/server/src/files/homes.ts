/** Stores for objects: the current one from the settings, and those that may still hold older objects. */

import { createFigures } from '../outbound/figures.ts';
import type { Db } from '../platform/database.ts';
import type { OutsideStats, OutsideSystem, SystemState } from '../platform/outside.ts';
import type { ImageStores } from '../platform/s3-settings.ts';
import { databaseObjects, type ObjectStore } from './objects.ts';
import { IMAGE_STORE } from './s3-errors.ts';
import { s3Objects } from './s3-objects.ts';

export interface Objects extends OutsideSystem {
  /** The store for new objects. */
  readonly home: ObjectStore;
  /** Public address of the current store's objects, without a trailing slash, or null if they are not public. */
  readonly publicUrl: string | null;
  /** The other stores in the settings. */
  readonly others: readonly ObjectStore[];
  /** Returns the store with this name, or null if it is not in the settings. */
  at(home: string): ObjectStore | null;
  close(): Promise<void>;
}

const NONE: SystemState = {
  state: 'not-configured',
  message: 'No image store is set up: images are kept in the database.',
  next: null,
};

/** Creates the stores. No store is called before it is first used. */
export function createObjects(db: Db, { s3, old, publicUrl }: ImageStores): Objects {
  const database = databaseObjects(db);
  const current = s3 && s3Objects(s3);
  const former = old && s3Objects(old);
  const homes = [database, ...(current ? [current] : []), ...(former ? [former] : [])];
  const none: OutsideStats = createFigures().stats();
  return {
    system: IMAGE_STORE,
    home: current ?? database,
    publicUrl: current ? publicUrl : null,
    others: homes.filter((one) => one !== (current ?? database)),
    at: (home) => homes.find((one) => one.home === home) ?? null,
    stats: () => current?.stats() ?? none,
    check: async () => current?.check() ?? NONE,
    async close() {
      await Promise.all([current?.close(), former?.close()]);
    },
  };
}
