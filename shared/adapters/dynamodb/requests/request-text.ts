/** The input of an operation as the store's JSON: bytes are base64. */
export const requestText = (input: object): string => JSON.stringify(hasBytes(input) ? withTexts(input) : input);

/** Keys of hundreds of items have none, and to copy them costs more than to look. */
function hasBytes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Uint8Array) return true;
  for (const name in value) if (hasBytes(value[name as keyof typeof value])) return true;
  return false;
}

/** Only what holds bytes is copied: an input is not to be changed, and most of it holds none. */
function withTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64');
  const given = value as Readonly<Record<string, unknown>>;
  let copy: Record<string, unknown> | null = null;
  for (const name of Object.keys(given)) {
    const text = withTexts(given[name]);
    if (text === given[name]) continue;
    copy ??= (Array.isArray(given) ? [...given] : { ...given }) as Record<string, unknown>;
    copy[name] = text;
  }
  return copy ?? value;
}
