/** Where objects lie: the home for new ones by the current settings, and those in which older ones may still be. */

import { createFigures } from '../outbound/figures.ts';
import type { Db } from '../platform/database.ts';
import type { OutsideStats, OutsideSystem, SystemState } from '../platform/outside.ts';
import type { ImageStores } from '../platform/s3-settings.ts';
import { databaseObjects, type ObjectStore } from './objects.ts';
import { IMAGE_STORE } from './s3-errors.ts';
import { s3Objects } from './s3-objects.ts';

export interface Objects extends OutsideSystem {
  /** Where new objects go. */
  readonly home: ObjectStore;
  /** Where everybody can read the home's objects at an address of its own, without a trailing slash; null: nowhere. */
  readonly publicUrl: string | null;
  /** The other homes that the settings know. */
  readonly others: readonly ObjectStore[];
  /** The home of this name; null for one that the settings do not know. */
  at(home: string): ObjectStore | null;
  close(): Promise<void>;
}

const NONE: SystemState = {
  state: 'not-configured',
  message: 'No image store is set up: images are kept in the database.',
  next: null,
};

/** Nothing is asked of a store before the first call. */
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
