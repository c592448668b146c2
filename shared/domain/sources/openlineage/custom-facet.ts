/** The text at a path into facets; null where there is none. Custom facets have no schema: anything may stand on the way. */
export function textAt(facets: unknown, path: readonly string[]): string | null {
  let value: unknown = facets;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = Reflect.get(value, key);
  }
  return typeof value === 'string' && value !== '' ? value : null;
}
