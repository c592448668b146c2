import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { zipArchive } from '../../shared/adapters/zip/zip-archive.ts';
import { zipEntry } from '../../shared/adapters/zip/zip-entry.ts';

const entry = (name: string, bytes: Uint8Array) => ({
  name,
  deflated: deflateRawSync(bytes),
  checksum: crc32(bytes),
  length: bytes.byteLength,
});

it('an archive has each entry under its name, as received', () => {
  const names = fc.string({ unit: 'binary', minLength: 1 }).filter((name) => !name.includes('/'));
  const contents = fc.uniqueArray(fc.tuple(names, fc.uint8Array()), {
    maxLength: 4,
    selector: ([name]) => name.toWellFormed(),
  });
  fc.assert(
    fc.property(contents, (entries) => {
      const zip = zipArchive(entries.map(([name, bytes]) => entry(`folder/${name}`, bytes)));
      for (const [name, bytes] of entries)
        expect(Buffer.from(zipEntry(zip, name.toWellFormed(), bytes.length) ?? []).equals(bytes)).toBe(true);
    }),
    { numRuns: 20 },
  );
});
