/** Bytes, or text as UTF-8, that come in chunks, as one. */
export async function gathered(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  const [only] = all;
  return only && all.length === 1 ? only : Buffer.concat(all);
}
