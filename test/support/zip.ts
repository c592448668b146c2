import { crc32, deflateRawSync } from 'node:zlib';

type Entry = { readonly name: string; readonly content: string | Uint8Array };

/** What an archive says otherwise than it is, in the entry of its directory. */
export type Lies = {
  readonly flags?: number;
  readonly method?: number;
  readonly checksum?: number;
  readonly packedLength?: number;
  readonly length?: number;
  readonly local?: number;
  readonly comment?: string;
};

const methods = { stored: 0, deflated: 8 };

/** A ZIP archive, as artifacts of workflow runs are. */
export function zipOf(entries: readonly Entry[], lies: Lies = {}, kind: keyof typeof methods = 'deflated'): Buffer {
  const [files, directory]: [Buffer[], Buffer[]] = [[], []];
  for (const { name, content } of entries) {
    const bytes = Buffer.from(content);
    const packed = kind === 'deflated' ? deflateRawSync(bytes) : bytes;
    const notification = {
      flags: 0,
      method: methods[kind],
      checksum: crc32(bytes),
      packedLength: packed.length,
      length: bytes.length,
      local: Buffer.concat(files).length,
      ...lies,
    };
    files.push(headOf(0x04034b50, 30, 4, notification), Buffer.from(name), packed);
    directory.push(headOf(0x02014b50, 46, 6, notification), Buffer.from(name));
    files.at(-3)?.writeUInt16LE(Buffer.byteLength(name), 26);
    directory.at(-2)?.writeUInt16LE(Buffer.byteLength(name), 28);
    directory.at(-2)?.writeUInt32LE(notification.local, 42);
  }
  const comment = Buffer.from(lies.comment ?? '');
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(Buffer.concat(files).length, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...files, ...directory, end, comment]);
}

/** The fields that the head of a file and the entry of the directory have in common, from a place on. */
function headOf(
  signature: number,
  size: number,
  from: number,
  notification: Required<Omit<Lies, 'local' | 'comment'>>,
): Buffer {
  const head = Buffer.alloc(size);
  head.writeUInt32LE(signature);
  head.writeUInt16LE(notification.flags, from + 2);
  head.writeUInt16LE(notification.method, from + 4);
  head.writeUInt32LE(notification.checksum, from + 10);
  head.writeUInt32LE(notification.packedLength, from + 14);
  head.writeUInt32LE(notification.length, from + 18);
  return head;
}
