import type { Kept } from '../../memory/kept.ts';
import { keptBatchLists } from './kept-batches.ts';
import { keptTable } from './kept-table.ts';
import type { World } from './world.ts';

/** Returns the state of a world to be saved. */
export function keptWorld(world: World): Record<string, Kept> {
  const tables = Object.entries(world.tables()).map(([name, table]) => [name, keptTable(table)]);
  return {
    ...Object.fromEntries(tables),
    sisBatches: keptTable(world.sisBatches, () => ({ errors: [], state_changes: [] })),
    sisBatchLists: keptBatchLists(world.sisBatches),
  };
}
