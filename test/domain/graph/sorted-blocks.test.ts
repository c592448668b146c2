import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSorted, packSorted } from '../../../shared/domain/lineage/graph/sorted-blocks.ts';

/** Reads of packed bytes as a store answers them, counted. */
function reading(packed: Uint8Array) {
  const reads: number[] = [];
  const read = async (from: number, bytes: number) => {
    const found = packed.subarray(from, from + bytes);
    reads.push(found.byteLength);
    return found;
  };
  return { reads, read };
}

const key = fc.string({ minLength: 1, maxLength: 8, unit: 'binary' });

it('finds each value under its key, and nothing under another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, fc.jsonValue()), key, async (values, other) => {
      const find = await openSorted(reading(packSorted(new Map(Object.entries(values)))).read);
      const plain = JSON.parse(JSON.stringify(values));
      for (const name of Object.keys(values)) expect(await find?.(name)).toEqual(plain[name]);
      if (!Object.hasOwn(values, other)) expect(await find?.(other)).toBeUndefined();
    }),
  );
});

it('reads the index and one block for a key, however many entries there are', async () => {
  const entry = () => randomBytes(1_000).toString('hex');
  const table = (size: number) =>
    new Map(Array.from({ length: size }, (_, i) => [String(i).padStart(6, '0'), entry()]));
  for (const size of [1_000, 5_000]) {
    const values = table(size);
    const { reads, read } = reading(packSorted(values));
    const find = await openSorted(read);
    expect(await find?.('000700')).toBe(values.get('000700'));
    expect(reads).toHaveLength(2);
    // A block has 128 KiB before it is compressed.
    expect(reads[1]).toBeLessThan(128 * 1_024);
    for (const next of ['000700', '000701']) expect(await find?.(next)).toBe(values.get(next));
    expect(reads).toHaveLength(2);
  }
});

it('reads on if the index is long', async () => {
  const values = new Map(Array.from({ length: 100 }, (_, i) => [`${i}`.padStart(800, '0'), 'x'.repeat(131_072)]));
  const { reads, read } = reading(packSorted(values));
  const find = await openSorted(read);
  expect(reads.length).toBeGreaterThan(1);
  const last = [...values.keys()].at(-1) ?? '';
  expect(await find?.(last)).toBe(values.get(last));
});

it('is not read if there is none, or a later version wrote it', async () => {
  expect(await openSorted(async () => null)).toBeNull();
  expect(await openSorted(async () => Buffer.from('{"version":2}\n'))).toBeNull();
});
