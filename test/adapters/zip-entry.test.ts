import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zipEntry } from '../../shared/adapters/zip/zip-entry.ts';
import { zipOf } from '../support/zip.ts';

const name = 'manifest.json';
const limit = 1_000_000;
const read = (zip: Uint8Array, max = limit) => {
  const found = zipEntry(zip, name, max);
  return found && Buffer.from(found).toString();
};

describe('an entry of an archive (C-CODEHOST-9)', () => {
  it('is what was put in, packed or not, behind whatever else there is', () => {
    const kind = fc.constantFrom('deflated' as const, 'stored' as const);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), kind, fc.string(), (content, how, comment) => {
        const entries = [
          { name: 'other.json', content: 'x' },
          { name: `target/${name}`, content },
        ];
        expect(read(zipOf(entries, { comment }, how))).toBe(Buffer.from(content).toString());
      }),
    );
  });

  it('is the first of that name, whatever folder it says it is in: nothing is written anywhere', () => {
    for (const path of [`../../etc/${name}`, `/${name}`, `a/b/c/${name}`, name])
      expect(
        read(
          zipOf([
            { name: path, content: path },
            { name, content: 'second' },
          ]),
        ),
      ).toBe(path);
    for (const path of [`x${name}`, `${name}/`, name.toUpperCase(), `target\\${name}`])
      expect(read(zipOf([{ name: path, content: 'x' }]))).toBeNull();
  });

  it('is unpacked no further than is allowed, whatever it says of its size', () => {
    const bomb = [{ name, content: Buffer.alloc(50_000_000) }];
    expect(read(zipOf(bomb))).toBeNull();
    expect(read(zipOf(bomb, { length: 10 }))).toBeNull();
    expect(read(zipOf([{ name, content: 'x'.repeat(100) }]), 99)).toBeNull();
    expect(read(zipOf([{ name, content: 'x'.repeat(100) }]), 100)).toBe('x'.repeat(100));
  });

  it.each([
    ['is encrypted', { flags: 1 }],
    ['has another length', { length: 6 }],
    ['has another packed length', { packedLength: 3 }],
    ['has another checksum', { checksum: 1 }],
    ['is packed by another method', { method: 12 }],
    ['has its sizes elsewhere, as in ZIP64', { packedLength: 0xffff_ffff, length: 0xffff_ffff }],
    ['lies elsewhere', { local: 7 }],
    ['lies behind the end', { local: 0xffff_ffff }],
  ])('is none if the archive says that it %s', (_, lies) => {
    expect(read(zipOf([{ name, content: '{"nodes":{}}' }], lies))).toBeNull();
  });

  it('is none in bytes that are no archive, cut or changed, and reading them ends', () => {
    const whole = zipOf([{ name, content: '{"metadata":{},"nodes":{}}' }]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(read(bytes)).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.nat(whole.length - 1), (length) => {
        expect(read(whole.subarray(0, length))).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect([null, '{"metadata":{},"nodes":{}}']).toContain(read(changed));
      }),
    );
  });
});
