/**
 * Works on the items with up to `ahead` of them under way before the one that is awaited, and gives the results in the
 * items' order. Only a reader that asks for more starts more, so what is held is bounded by `ahead`.
 */
export async function* readAhead<T, R>(
  ahead: number,
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // A failure is told in its turn; until then nobody has asked.
    result.catch(() => undefined);
    underWay.push(result);
    if (underWay.length > ahead) yield (await underWay.shift()) as R;
  }
  for (const result of underWay) yield await result;
}
