import { crc32, inflateRawSync } from 'node:zlib';

const encrypted = 1;

/**
 * The bytes of the first entry of a ZIP archive whose last part is that name; null if there is none, if the
 * bytes are not an archive, if the entry is encrypted, does not match its size and checksum, or has more than `maxBytes`
 * (counted, not as declared). Archives in ZIP64 are not read: the wanted entry is never as large.
 */
export function zipEntry(bytes: Uint8Array, name: string, maxBytes: number): Uint8Array | null {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    for (const entry of entriesOf(zip))
      if (entry.name.split('/').at(-1) === name) return contentOf(zip, entry, maxBytes);
  } catch {
    // Truncated, or not what its headers say.
  }
  return null;
}

type Entry = {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packedLength: number;
  readonly length: number;
  readonly local: number;
};

function* entriesOf(zip: Buffer): Generator<Entry> {
  const end = endOf(zip);
  if (end === null) return;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0 && zip.readUInt32LE(at) === signatures.central; left--) {
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + lengths.central, at + lengths.central + nameLength);
    yield {
      name,
      flags: zip.readUInt16LE(at + 8),
      method: zip.readUInt16LE(at + 10),
      checksum: zip.readUInt32LE(at + 16),
      packedLength: zip.readUInt32LE(at + 20),
      length: zip.readUInt32LE(at + 24),
      local: zip.readUInt32LE(at + 42),
    };
    at += lengths.central + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

/** The end record stands before a comment of any length. */
function endOf(zip: Buffer): number | null {
  const last = zip.length - lengths.end;
  for (let at = last; at >= Math.max(0, last - lengths.comment); at--)
    if (zip.readUInt32LE(at) === signatures.end) return at;
  return null;
}

function contentOf(zip: Buffer, entry: Entry, maxBytes: number): Uint8Array | null {
  const { flags, checksum, packedLength, length, local } = entry;
  if ((flags & encrypted) !== 0 || length > maxBytes || zip.readUInt32LE(local) !== signatures.local) return null;
  const start = local + lengths.local + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const bytes = unpacked(zip.subarray(start, start + packedLength), entry);
  return bytes?.length === length && crc32(bytes) === checksum ? bytes : null;
}

function unpacked(packed: Buffer, { method, length }: Entry): Uint8Array | null {
  if (method === methods.stored) return packed;
  // One byte more is requested than is allowed: zlib takes no bound of zero.
  return method === methods.deflated ? inflateRawSync(packed, { maxOutputLength: length + 1 }) : null;
}

/** The signatures, the fixed lengths and the methods of the ZIP format: APPNOTE 6.3.10, 4.3 and 4.4.5. */
export const signatures = { end: 0x06054b50, central: 0x02014b50, local: 0x04034b50 } as const;
export const lengths = { end: 22, central: 46, local: 30, comment: 0xffff } as const;
export const methods = { stored: 0, deflated: 8 } as const;
