/** When a waiting group starts. */
export interface Gathering {
  /** Whether more items are about to arrive, given the number that wait. */
  more: (waiting: number) => boolean;
  /** Longest wait in milliseconds. */
  ms: number;
}

const AT_ONCE: Gathering = { more: () => false, ms: 0 };

/**
 * Groups work that arrives at about the same time: while one group runs, or more items are about to arrive, the next
 * group collects items, so that many small ones cost as much as a few.
 * @param work processes a group and returns its results in order. If it fails, every item of the group fails with its
 * error
 */
export function grouped<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  { more, ms }: Gathering = AT_ONCE,
): (item: T) => Promise<R> {
  let waiting: { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = [];
  let busy = false;
  let whole = () => {};

  function collected(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, ms);
      whole = () => {
        if (more(waiting.length)) return;
        clearTimeout(late);
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      if (more(waiting.length)) await collected();
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
      if (busy) whole();
      else void run();
    });
}
