/** Creates a limit on concurrent work; more work waits for a place, in order. */
export function limitOf(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = atOnce;
  const line: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    // The place is passed on directly, so that no other work can take it in between.
    else await new Promise<void>((resolve) => void line.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else free++;
    }
  };
}

/**
 * Does the work for every item, a limited number at a time; results keep the order of the items. The first failure is
 * thrown, and no further item is started.
 */
export async function mapLimited<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  results.length = items.length;
  let next = 0;
  let failed = false;
  const lane = async () => {
    while (!failed && next < items.length) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}
