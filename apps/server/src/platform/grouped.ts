/** When a group is taken. */
export interface Gathering {
  /** Whether more is about to come, while so many wait. */
  more: (waiting: number) => boolean;
  /** Milliseconds that it is waited for at most. */
  ms: number;
}

const AT_ONCE: Gathering = { more: () => false, ms: 0 };

/**
 * Works of one kind that come at about the same time are done together: while one group is at work, or more is about to come, the
 * next gathers, so that many small ones cost as much as a few.
 * @param work does a group; results in the order of its items. When it fails, each of the group fails with it
 */
export function grouped<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  { more, ms }: Gathering = AT_ONCE,
): (item: T) => Promise<R> {
  let waiting: { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = [];
  let busy = false;
  let whole = () => {};

  function gathered(): Promise<void> {
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
      if (more(waiting.length)) await gathered();
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
