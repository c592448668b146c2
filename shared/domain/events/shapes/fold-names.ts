/** More names than these that differ in their digits only are one pattern. */
const mostOfPattern = 10;

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
const token = /[A-Za-z\d]{16,}/g;
const longNumber = /\d{6,}/g;

/** A name of a sender's without what identifies somebody or something: `{email}`, `{uuid}`, `{id}` and `{n}` replace it. */
export function withoutIds(name: string): string {
  if (/\S@\S/.test(name)) return '{email}';
  // Most names have no digit, and nothing is looked for in them.
  if (!/\d/.test(name)) return name;
  return name
    .replace(uuid, '{uuid}')
    .replace(token, (one) => (/\d/.test(one) ? '{id}' : one))
    .replace(longNumber, '{n}');
}

export const isPattern = (name: string): boolean => /\{(?:n|id|uuid|email)\}/.test(name);

const withoutDigits = (name: string): string => name.replace(/\d+/g, '{n}');

/** Gives each of some names its pattern, if many of them differ in their digits only or the pattern is one of them. */
export function foldedNames(names: Iterable<string>): (name: string) => string {
  const all = new Set(names);
  const patterns = Map.groupBy(all, withoutDigits);
  return (name) => {
    const pattern = withoutDigits(name);
    const isMany = (patterns.get(pattern)?.length ?? 0) > mostOfPattern;
    return pattern !== name && (all.has(pattern) || isMany) ? pattern : name;
  };
}
