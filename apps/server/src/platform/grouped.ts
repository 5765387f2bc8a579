/**
 * Works of one kind that come at the same time are done together: while one group is at work the next gathers, so that many
 * small ones cost as much as a few.
 * @param work does a group; results in the order of its items. When it fails, each of the group fails with it
 */
export function grouped<T, R>(work: (items: readonly T[]) => Promise<readonly R[]>): (item: T) => Promise<R> {
  let waiting: { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = [];
  let busy = false;

  async function run(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        const results = await work(group.map(({ item }) => item));
        for (const [at, { resolve }] of group.entries()) resolve(results[at] as R);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    busy = false;
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void run();
    });
}
