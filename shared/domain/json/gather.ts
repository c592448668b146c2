/** Bytes that come in chunks, as one. */
export async function gathered(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  const [only] = all;
  return only && all.length === 1 ? only : Buffer.concat(all);
}
