import { isUtf8 } from 'node:buffer';
import { placeOfName } from '../../../contract/field-errors.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import { duplicateKeyAt, endOfString } from './duplicate-keys.ts';
import { type JsonPath, keyPathAt } from './item-cutter.ts';
import { closeBrace, closeBracket, colon, comma, isNestedTooDeeply, openBrace, openBracket, quote } from './nesting.ts';

/** The path to a duplicate key, or null for text that is not JSON. */
export type RefusedJson = { readonly ok: false; readonly value?: undefined; readonly namedTwice: JsonPath | null };
type JsonRead<Value = unknown> = { readonly ok: true; readonly value: Value } | RefusedJson;

export const noJson: RefusedJson = { ok: false, namedTwice: null };

type Parse<Value = unknown> = (text: string) => Value;

/** Parses UTF-8 bytes as JSON. Refuses deep nesting and duplicate keys. */
export const readJson = (bytes: Uint8Array, parse: Parse = JSON.parse): JsonRead =>
  isNestedTooDeeply(bytes) ? noJson : readShallowJson(bytes, parse);

/** The same of bytes that are known not to be nested too deeply. */
export const readShallowJson = <Value>(bytes: Uint8Array, parse: Parse<Value>): JsonRead<Value> =>
  isUtf8(bytes)
    ? readJsonText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(), parse)
    : noJson;

/** The same of text; nesting is the caller’s to have bounded. */
export function readJsonText<Value>(text: string, parse: Parse<Value> = JSON.parse): JsonRead<Value> {
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

export function malformedJson(code: Code, { namedTwice }: RefusedJson, placeOf: PlaceOf = placeOfName): Problem {
  if (namedTwice === null) return new Problem(code);
  const errors = [{ path: placeOf(namedTwice), message: 'must be named once in its object' }];
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

/** The text of a member of an object as it was sent, of a text that `readJson` accepts; null if there is none of that name. */
export function memberText(object: string, name: string): string | null {
  let [depth, key, start]: [number, string | null, number | null] = [0, null, null];
  for (let at = 0; at < object.length; at++) {
    const code = object.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(object, at);
      if (depth === 1 && start === null) key = JSON.parse(object.slice(at, end + 1));
      at = end;
    } else if (code === openBrace || code === openBracket) depth++;
    else if (code === colon && depth === 1 && key === name) start ??= at + 1;
    else if (code === comma || code === closeBrace || code === closeBracket) {
      if (depth === 1 && start !== null) return object.slice(start, at).trim();
      if (code !== comma) depth--;
    }
  }
  return null;
}

/** V8 has these since Chrome 114; TypeScript's library does not declare them yet. */
declare global {
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** A number that is written out as it was read. */
type RawNumber = { readonly rawJSON: string };

/**
 * Finds what may be a number that a double writes in another way: many digits or an exponent, a last 0, a negative zero.
 * The character before counts: every browser's user agent has "5.0 ".
 */
const suspicious = /[:,[]\s*(?:-?\d(?:[\d.]{15}|[\d.]*[eE]|\d*\.\d*0[\s,}\]])|-0[\s,}\]])/;

type PlaceOf = (path: JsonPath) => string;

/** Keeps numbers as sent: JSON.stringify writes a 19-digit id, 0.10 and 1E+2 unchanged. The caller bounds nesting. */
export function parseExactJson(text: string, placeOf: PlaceOf = placeOfName): unknown {
  try {
    const isExact = suspicious.test(text) && !isNestedTooDeeply(Buffer.from(text));
    return isExact ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    throw new Problem('invalid_json', { errors: notNumbersIn(text, placeOf) });
  }
}

/** The first place of what some serializers write for a number that JSON cannot hold; none if the text is wrong otherwise. */
export function notNumbersIn(text: string, placeOf: PlaceOf): readonly FieldError[] {
  try {
    for (let at = 0; at < text.length; at++) {
      if (text.charCodeAt(at) === quote) {
        at = endOfString(text, at);
        if (at < 0) return [];
      } else if (text.startsWith('NaN', at) || text.startsWith('Infinity', at))
        return [{ path: placeOf(keyPathAt(text, at)), message: 'must not be NaN or Infinity: JSON has neither' }];
    }
  } catch {
    // A key that is no JSON string.
  }
  return [];
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value !== 'number' || source === undefined || String(value) === source ? value : JSON.rawJSON(source);
}

/** Begins what may be a number that no double holds: one of many digits, or with an exponent. */
const longNumber = /[-:,[\s]\d(?:[\d.]{15}|[\d.]{0,14}[eE])/g;

/**
 * The value of a JSON text, of which `JSON.parse` gives the value, with each number that a double would change as its
 * exact decimal: equal numbers have one form, however they are written.
 */
export function exactValue(text: string, value: unknown): unknown {
  for (const { index } of text.matchAll(longNumber)) {
    let end = index + 1;
    while ('0123456789.eE+-'.includes(text[end] ?? ' ')) end++;
    const found = text.slice(index + 1, end);
    // Parsing in this way takes several times as long. What is no number is part of a string.
    if (!Number.isNaN(Number(found)) && exactForm(found) !== null) return JSON.parse(text, keepValue);
  }
  return value;
}

function keepValue(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const exact = typeof value === 'number' && context?.source !== undefined ? exactForm(context.source) : null;
  return exact === null ? value : JSON.rawJSON(exact);
}

/** A JSON text whose decimals that no double holds are strings: databases read numbers as doubles. */
export function longDecimalsAsText(text: string): string {
  // Most lines have none, and are not parsed.
  if (!/\d[\d.]{15}/.test(text)) return text;
  const asText = (_key: string, value: unknown, context?: { readonly source?: string }) => {
    const { source = '' } = context ?? {};
    if (typeof value !== 'number') return value;
    return source.includes('.') && exactForm(source) !== null ? source : JSON.rawJSON(source);
  };
  return JSON.stringify(JSON.parse(text, asText));
}

/** The decimal of a number's text if no double has its value, else null. */
function exactForm(source: string): string | null {
  const exact = decimalOf(source);
  return exact === decimalOf(String(Number(source))) ? null : exact;
}

/** A decimal as a whole number without zeros at its end, and a power of ten. */
function decimalOf(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = whole + fraction;
  let [from, to] = [0, all.length];
  while (all[from] === '0') from++;
  while (to > from && all[to - 1] === '0') to--;
  if (from === to) return '0';
  // A power of more digits than any that counts is compared as text: to add to it could take seconds.
  const power = exponent.length > 20 ? exponent : BigInt(exponent) + BigInt(all.length - to - fraction.length);
  return `${mantissa.startsWith('-') ? '-' : ''}${all.slice(from, to)}e${power}`;
}
