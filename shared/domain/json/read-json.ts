import { isUtf8 } from 'node:buffer';
import { duplicateKeyAt } from './duplicate-keys.ts';
import { isNestedTooDeeply } from './nesting.ts';

/** A JSON value that was read; absent where there was none. */
type JsonValue = { readonly value: unknown } | null;

/** The JSON value of UTF-8 bytes; null where they are none, are nested too deeply, or an object has a key twice. */
export const readJson = (bytes: Uint8Array): JsonValue => (isNestedTooDeeply(bytes) ? null : readShallowJson(bytes));

/** The same of bytes that are known not to be nested too deeply. */
export function readShallowJson(bytes: Uint8Array): JsonValue {
  return isUtf8(bytes) ? readJsonText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) : null;
}

export function readJsonText(text: string): JsonValue {
  try {
    const value: unknown = JSON.parse(text);
    return duplicateKeyAt(text) === null ? { value } : null;
  } catch {
    // Without the cause: the parser's message quotes the text.
    return null;
  }
}
