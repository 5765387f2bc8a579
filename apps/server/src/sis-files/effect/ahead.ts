/** Work that is begun for several things at once and taken in their order. */

/**
 * The results in the order of the items; no more than `atOnce` are begun before the first of them is taken.
 * @throws the first failure, at the place of its item
 */
export async function* ahead<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const begun = new Map<number, Promise<R>>();
  let next = 0;
  for (let at = 0; at < items.length; at++) {
    for (; next < items.length && next < at + atOnce; next++) {
      const result = work(items[next] as T);
      // It is thrown where it is waited for.
      result.catch(() => {});
      begun.set(next, result);
    }
    const result = begun.get(at) as Promise<R>;
    begun.delete(at);
    yield await result;
  }
}
