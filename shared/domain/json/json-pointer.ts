/** The keys of a JSON pointer: RFC 6901. */
export const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What stands at a JSON pointer; undefined where nothing does. */
export const valueAt = (document: unknown, pointer: string): unknown =>
  keysOf(pointer).reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    document,
  );
