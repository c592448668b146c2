import { isUtf8 } from 'node:buffer';
import { duplicateKeyAt } from './duplicate-keys.ts';
import { type JsonPath, keyPathAt } from './key-path.ts';
import { isNestedTooDeeply } from './nesting.ts';

/** What cannot be read: JSON in which an object names a key twice, with what leads to the second; null: no JSON. */
export type RefusedJson = { readonly ok: false; readonly value?: undefined; readonly namedTwice: JsonPath | null };
type JsonRead = { readonly ok: true; readonly value: unknown } | RefusedJson;

export const noJson: RefusedJson = { ok: false, namedTwice: null };

/** The JSON value of UTF-8 bytes that are not nested too deeply, and in which no object has a key twice. */
export const readJson = (bytes: Uint8Array): JsonRead => (isNestedTooDeeply(bytes) ? noJson : readShallowJson(bytes));

/** The same of bytes that are known not to be nested too deeply. */
export const readShallowJson = (bytes: Uint8Array): JsonRead =>
  isUtf8(bytes) ? readJsonText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) : noJson;

/** The same of text; nesting is the caller’s to have bounded. */
export function readJsonText(text: string): JsonRead {
  try {
    const value: unknown = JSON.parse(text);
    const at = duplicateKeyAt(text);
    return at === null ? { ok: true, value } : { ok: false, namedTwice: keyPathAt(text, at) };
  } catch {
    // Without the cause: the parser's message quotes the text.
    return noJson;
  }
}
