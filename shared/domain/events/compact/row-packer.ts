import { finished } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';

const MiB = 1024 * 1024;

/** An object ends at a number of bytes, compressed or in its rows: a reader must hold the rows in memory. */
const full = { packed: 96 * MiB, unpacked: 1024 * MiB };

/** Packs rows into one Zstandard frame, keeping only the packed bytes in memory. */
export function rowPacker() {
  const frame = createZstdCompress();
  const chunks: Uint8Array[] = [];
  const bytes = { packed: 0, unpacked: 0 };
  frame.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    bytes.packed += chunk.byteLength;
  });
  return {
    /** Takes whole rows, each with the end of its line. */
    add: (rows: Uint8Array) => {
      bytes.unpacked += rows.byteLength;
      return new Promise<void>((resolve, reject) => {
        frame.write(rows, (error) => (error ? reject(error) : resolve()));
      });
    },
    isFull: () => bytes.packed >= full.packed || bytes.unpacked >= full.unpacked,
    end: async () => {
      frame.end();
      await finished(frame);
      return Buffer.concat(chunks);
    },
  };
}
