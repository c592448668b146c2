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

type Parse = (text: string) => unknown;

/** Parses UTF-8 bytes as JSON. Refuses deep nesting and duplicate keys. */
export const readJson = (bytes: Uint8Array, parse?: Parse): JsonRead =>
  isNestedTooDeeply(bytes) ? noJson : readShallowJson(bytes, parse);

/** The same of bytes that are known not to be nested too deeply. */
export const readShallowJson = (bytes: Uint8Array, parse?: Parse): JsonRead =>
  isUtf8(bytes)
    ? readJsonText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(), parse)
    : noJson;

/** The same of text; nesting is the caller’s to have bounded. */
export function readJsonText(text: string, parse: Parse = JSON.parse): JsonRead {
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

/** V8 has these since Chrome 114; TypeScript's library does not declare them yet. */
declare global {
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** A number that is written out as it was read. */
type RawNumber = { readonly rawJSON: string };

/** Finds what may be a number that a double writes in another way: many digits or an exponent, a last 0, a negative zero. */
const suspicious = [/[:,[]\s*-?\d(?:[\d.]{15}|[\d.]{0,14}[eE])/, /\.\d{0,14}0[\s,}\]]/, /-0[\s,}\]]/];

/** Keeps numbers as sent: JSON.stringify writes a 19-digit id, 0.10 and 1E+2 unchanged. The caller bounds nesting. */
export function parseExactJson(text: string): unknown {
  try {
    const isExact = suspicious.some((pattern) => pattern.test(text)) && !isNestedTooDeeply(Buffer.from(text));
    return isExact ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    throw new Problem('invalid_json');
  }
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value !== 'number' || source === undefined || String(value) === source ? value : JSON.rawJSON(source);
}
