import { isUtf8 } from 'node:buffer';
import { duplicateKeyAt } from './duplicate-keys.ts';
import { keyPathAt } from './key-path.ts';
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
  const read = parsed(text);
  return read && duplicateKeyAt(text) === null ? read : null;
}

/** The keys and indices that lead to what an object names twice, in bytes that are no JSON for nothing else; else null. */
export function pathNamedTwice(bytes: Uint8Array): readonly (string | number)[] | null {
  const text = isUtf8(bytes) && !isNestedTooDeeply(bytes) ? Buffer.from(bytes).toString() : null;
  const at = text !== null && parsed(text) ? duplicateKeyAt(text) : null;
  return text === null || at === null ? null : keyPathAt(text, at);
}

function parsed(text: string): JsonValue {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Without the cause: the parser's message quotes the text.
    return null;
  }
}
