/** Work that is begun for several things at once and taken in their order. */

/**
 * The results in the order of the items; no more than `atOnce` are begun before the first of them is taken.
 * @throws the first failure, at the place of its item
 */
export async function* ahead<T, R>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const begun: Promise<R>[] = [];
  for (const item of items) {
    const result = work(item);
    // It is thrown where it is waited for.
    result.catch(() => {});
    begun.push(result);
    if (begun.length >= atOnce) yield await (begun.shift() as Promise<R>);
  }
  for (const result of begun) yield await result;
}
