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

/**
 * The answer that the store's JSON is. The SDK looks up the schema of every value, which is a quarter of the processor
 * time of a request for a hundred items.
 */
export function answerOf(body: string): Record<string, unknown> {
  const answer = JSON.parse(body || '{}') as Record<string, unknown>;
  // JSON may have spaces after a colon.
  if (body.includes('"B"') || body.includes('"BS"')) decodeBinaries(answer);
  return answer;
}

/** Only the value of an attribute has a text as its member `B`: what maps hold under any name is an object. */
function decodeBinaries(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('B' in value && typeof value.B === 'string') value.B = Buffer.from(value.B, 'base64');
  else if ('BS' in value && Array.isArray(value.BS)) value.BS = value.BS.map((one) => Buffer.from(one, 'base64'));
  else for (const one of Object.values(value)) decodeBinaries(one);
}
