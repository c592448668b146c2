import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { placeOfName } from '../shared/contract/field-errors.ts';
import { notNumbersIn } from '../shared/domain/base/json/read-json.ts';
import { UsageError } from './outcome.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The bytes of a file, or of standard input for `-`: unpacked from gzip, as UTF-8 without a byte order mark. Throws UsageError. */
export function readBytes({ folder }: Terminal, file: string): Buffer {
  const place = path.resolve(folder, file);
  const bytes = bytesOf(place, file);
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpacked(bytes, file) : bytes;
  // PowerShell redirects as UTF-16.
  if (plain[0] === 0xff && plain[1] === 0xfe) return Buffer.from(plain.subarray(2).toString('utf16le'));
  return plain.subarray(0, 3).equals(byteOrderMark) ? plain.subarray(3) : plain;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

function bytesOf(place: string, file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : place);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    const why =
      code === 'ENOENT' ? 'There is no file' : code === 'EISDIR' ? 'It is a folder, not a file:' : 'Not readable:';
    throw new UsageError(`${why} ${file}`, [`Looked for ${place}`]);
  }
}

function unpacked(bytes: Buffer, file: string): Buffer {
  try {
    return gunzipSync(bytes);
  } catch {
    throw new UsageError(`${file} begins like gzip and cannot be unpacked.`);
  }
}

/** A file of JSON: the bytes that are sent, and what they hold. */
export type JsonFile = { readonly bytes: Buffer; readonly json: unknown };

export function openJsonFile(terminal: Terminal, file: string): JsonFile {
  const bytes = readBytes(terminal, file);
  return { bytes, json: jsonOf(bytes, file) };
}

export const readJsonFile = (terminal: Terminal, file: string): unknown => openJsonFile(terminal, file).json;

export function jsonOf(bytes: Buffer, file: string): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    const [number] = notNumbersIn(text, placeOfName);
    throw new UsageError(`${file} is not JSON${placeOf(error)}${number ? `: ${number.path} ${number.message}` : ''}.`);
  }
}

/** Where V8 says that JSON breaks off, without what is there. */
const placeOf = (error: unknown): string =>
  / at position \d+(?: \(line \d+ column \d+\))?/.exec(error instanceof Error ? error.message : '')?.[0] ?? '';

/** Undefined if nothing is there. Node 20 throws for a place below a file, whatever `throwIfNoEntry` says. */
export const statOf = (place: string): Stats | undefined => (existsSync(place) ? statSync(place) : undefined);

export const isFile = (place: string): boolean => statOf(place)?.isFile() === true;
