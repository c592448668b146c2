import { isUtf8 } from 'node:buffer';
import { placeOfName } from '../../../contract/field-errors.ts';
import { Problem } from '../../../contract/problems.ts';
import { duplicateKeyAt } from './duplicate-keys.ts';
import { type JsonPath, keyPathAt } from './item-cutter.ts';
import { isNestedTooDeeply } from './nesting.ts';

/** The path to a duplicate key, or null for text that is not JSON. */
export type RefusedJson = { readonly ok: false; readonly value?: undefined; readonly namedTwice: JsonPath | null };
type JsonRead = { readonly ok: true; readonly value: unknown } | RefusedJson;

export const noJson: RefusedJson = { ok: false, namedTwice: null };

/** Parses UTF-8 bytes as JSON. Refuses deep nesting and duplicate keys. */
export const readJson = (bytes: Uint8Array): JsonRead => (isNestedTooDeeply(bytes) ? noJson : readShallowJson(bytes));

/** The same of bytes that are known not to be nested too deeply. */
export const readShallowJson = (bytes: Uint8Array): JsonRead =>
  isUtf8(bytes) ? readJsonText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) : noJson;

/** The same of text; nesting is the caller’s to have bounded. */
export function readJsonText(text: string, parse: (text: string) => unknown = JSON.parse): JsonRead {
  try {
    const value = parse(text);
    const at = duplicateKeyAt(text);
    return at === null ? { ok: true, value } : { ok: false, namedTwice: keyPathAt(text, at) };
  } catch {
    // Without the cause: the parser's message quotes the text.
    return noJson;
  }
}

type Code = 'invalid_json' | 'openlineage_invalid_json';

/** The refusal of a body that is no JSON (400); if an object has a key twice, with its place. */
export function malformedJson(code: Code, { namedTwice }: RefusedJson): Problem {
  if (namedTwice === null) return new Problem(code);
  const errors = [{ path: placeOfName(namedTwice), message: 'must be named once in its object' }];
  const hint = code === 'openlineage_invalid_json' ? facetHint(namedTwice) : null;
  return new Problem(code, { errors, ...(hint !== null && { hint }) });
}

/** OpenLineage's listener for Spark writes a facet twice that two of its builders make; it can leave each out by name. */
function facetHint(path: readonly (string | number)[]): string | null {
  const [holder = '', facet = ''] = path.slice(-2).map(String);
  if (!/facets$/i.test(holder) || !/^[\w-]{1,100}$/.test(facet)) return null;
  return `The listener for Spark leaves this facet out by the setting spark.openlineage.facets.${facet}.disabled=true.`;
}

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
