import { lengths, methods, signatures } from './zip-entry.ts';

/** Content that is deflated already, and what it was: its CRC-32 and its length in bytes. */
export type DeflatedEntry = {
  readonly name: string;
  readonly deflated: Uint8Array;
  readonly checksum: number;
  readonly length: number;
};

/** Version 2.0 of the format, which has deflated entries; names in UTF-8. */
const [version, utf8Names] = [20, 1 << 11];

/** 1980-01-01, the first day that the format knows: no entry has its own date. */
const firstDay = 0x21;

/** A ZIP archive of at most 65,535 entries and 4 GiB. */
export function zipArchive(entries: readonly DeflatedEntry[]): Buffer {
  const [files, directory]: [Uint8Array[], Uint8Array[]] = [[], []];
  let at = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const local = localHeader(entry, name.length);
    files.push(local, name, entry.deflated);
    directory.push(centralHeader(entry, name.length, at), name);
    at += local.length + name.length + entry.deflated.byteLength;
  }
  const listed = Buffer.concat(directory);
  return Buffer.concat([...files, listed, endRecord(entries.length, listed.length, at)]);
}

function localHeader(entry: DeflatedEntry, nameLength: number): Buffer {
  const header = Buffer.alloc(lengths.local);
  header.writeUInt32LE(signatures.local);
  describe(header.subarray(4), entry, nameLength);
  return header;
}

function centralHeader(entry: DeflatedEntry, nameLength: number, offset: number): Buffer {
  const header = Buffer.alloc(lengths.central);
  header.writeUInt32LE(signatures.central);
  header.writeUInt16LE(version, 4);
  describe(header.subarray(6), entry, nameLength);
  header.writeUInt32LE(offset, 42);
  return header;
}

/** The fields that both headers of an entry have, one after the other. */
function describe(fields: Buffer, { deflated, checksum, length }: DeflatedEntry, nameLength: number): void {
  fields.writeUInt16LE(version, 0);
  fields.writeUInt16LE(utf8Names, 2);
  fields.writeUInt16LE(methods.deflated, 4);
  fields.writeUInt16LE(firstDay, 8);
  fields.writeUInt32LE(checksum, 10);
  fields.writeUInt32LE(deflated.byteLength, 14);
  fields.writeUInt32LE(length, 18);
  fields.writeUInt16LE(nameLength, 22);
}

function endRecord(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(lengths.end);
  end.writeUInt32LE(signatures.end);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
