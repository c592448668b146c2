/** Columns by their names in lower case. */
type Names = ReadonlyMap<string, unknown> | ReadonlySet<string>;

/**
 * Tells, of a column in any case, whether it is one of the columns, holds one, or stands within one. A field within a
 * column is named by its path, `address.city`, where a catalog or an engine knows it; SQL often names the column alone.
 * So what is said of either concerns the other (C-IMPACT-17).
 */
export function concerning(names: Names): (column: string) => boolean {
  const known = holdersOf(names);
  return (column) => {
    const key = column.toLowerCase();
    if (names.has(key)) return true;
    // Nearly no column has a path: what is asked of every mapping is spared the rest.
    return known?.has(key) === true || (key.includes('.') && holders(key).some((holder) => names.has(holder)));
  };
}

/** The columns that a path stands within: `a.b.c` within `a` and `a.b`. */
const holders = (key: string): string[] => [...key.matchAll(/\./g)].map(({ index }) => key.slice(0, index));

const remembered = new WeakMap<Names, ReadonlySet<string> | null>();

/** What holds some of the columns, null where nothing does: looked for once, however many mappings are compared. */
function holdersOf(names: Names): ReadonlySet<string> | null {
  const known = remembered.get(names);
  if (known !== undefined) return known;
  const found = new Set([...names.keys()].flatMap(holders));
  remembered.set(names, found.size > 0 ? found : null);
  return found.size > 0 ? found : null;
}
