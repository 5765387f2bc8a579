/** What takes a while is asked for once for all who ask within some time. */

/** @param ms how long an answer is given out as it is; a failure is not kept */
export function cached<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  let until = 0;
  return () => {
    if (made === null || Date.now() >= until) {
      made = make();
      until = Date.now() + ms;
      made.catch(() => {
        made = null;
      });
    }
    return made;
  };
}
