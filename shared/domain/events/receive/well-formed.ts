import { isPlainObject } from '../../../contract/collection.ts';

/** The line without NULs and lone surrogates: one row with either makes other engines refuse a whole query. */
export const wellFormedLine = (line: string, event: unknown): string =>
  // Only NULs, lone surrogates and control characters are escaped in this way.
  line.includes('\\u') ? JSON.stringify(wellFormed(event)) : line;

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isPlainObject(value)) return value;
  const names = new Set(Object.keys(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner], at) => [nameFor(key, at, names), wellFormed(inner)]),
  );
}

/** The well-formed name of a key; one that another key has too gets a number, because only one value would be stored. */
function nameFor(key: string, at: number, names: Set<string>): string {
  let name = wellFormedText(key);
  if (name === key) return key;
  while (names.has(name)) name += at;
  names.add(name);
  return name;
}

const wellFormedText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
