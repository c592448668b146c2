/** The items in the order of their names, each of which is made once; equal names keep their order. */
export function sortedBy<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const named = items.map((item) => ({ item, name: nameOf(item) }));
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return named.map(({ item }) => item);
}
