/** Shares the result of slow work among all callers for a limited time. */

/** @param ms how long a result is reused; failures are not kept */
export function cached<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | null = null;
  let until = 0;
  return () => {
    if (value === null || Date.now() >= until) {
      value = make();
      until = Date.now() + ms;
      value.catch(() => {
        value = null;
      });
    }
    return value;
  };
}
