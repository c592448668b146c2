import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pack, packedBytes, unpack, unpackShared } from '../../shared/adapters/dynamodb/requests/parts.ts';

const words = fc.array(fc.constantFrom('inputColumn', 'outputColumn', 'größe', '"', 'x'.repeat(40)), { maxLength: 60 });

it('reads what it wrote, and what was deflated without a dictionary', () => {
  fc.assert(
    fc.property(words, (value) => {
      expect(unpack(pack(value))).toEqual(value);
      expect(unpack({ B: packedBytes(value) })).toEqual(value);
      expect(unpack({ B: deflateRawSync(JSON.stringify(value)) })).toEqual(value);
    }),
  );
});

it('reads the same where equal values are read once, and short ones of equal bytes as one', () => {
  fc.assert(
    fc.property(words, (value) => {
      const bytes = packedBytes(value);
      const [first, again] = [unpackShared({ B: bytes }), unpackShared({ B: Buffer.from(bytes) })];
      expect([first, again, unpackShared(pack(value))]).toEqual([value, value, value]);
      expect(first === again).toBe(bytes.length <= 512);
    }),
  );
});

it('reads what is stored: the dictionary never changes', () => {
  const stored = 'wx15eYjYy8pPAkUg7nBMxDQ5kThfYjoyCdOsJCLNitXBX/giuQleUuItEWsB';
  expect(unpack({ B: Buffer.from(stored, 'base64') })).toEqual(detail);
});

const detail = {
  producer: { namespace: 'n', name: 'job' },
  columns: ['a', 'b'].map((name) => ({ inputColumn: name, outputColumn: name, type: 'DIRECT', subtype: 'IDENTITY' })),
  schema: { columns: [{ name: 'a', type: 'VARCHAR' }], stars: [], complete: true },
};
