// What a bundle needs of newer versions of Node, for the oldest one that a package states. Stands before each bundle.
URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};
// No such value exists there: `JSON.parse` gives plain numbers.
JSON.isRawJSON ??= () => false;
