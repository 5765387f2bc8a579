/** Starts work for several items in advance, and yields results in order. */

/**
 * Yields the results in the order of the items; at most `atOnce` are started before the first is taken.
 * @throws the first failure, in its item's place
 */
export async function* ahead<T, R>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const begun: Promise<R>[] = [];
  for (const item of items) {
    const result = work(item);
    // The failure is thrown where the result is awaited.
    result.catch(() => {});
    begun.push(result);
    if (begun.length >= atOnce) yield await (begun.shift() as Promise<R>);
  }
  for (const result of begun) yield await result;
}
