import { limits } from '../../../contract/limits.ts';

/** Whatever walks JSON calls itself a level down: C-LIMIT-10 keeps that far from the end of the stack. */
export const { nesting: deepestJson } = limits.json;
export const nestingRule = `must be nested at most ${deepestJson} levels deep`;

/** Whether the bytes of a JSON text open more containers in each other than may be; known before a value consists of them. */
export function isNestedTooDeeply(json: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === openBrace || byte === openBracket) {
      if (++depth > deepestJson) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return false;
}

function endOfString(json: Uint8Array, start: number): number {
  let end = json.indexOf(quote, start + 1);
  while (end > 0 && isEscaped(json, end)) end = json.indexOf(quote, end + 1);
  return end < 0 ? json.length : end;
}

/** A character is escaped by an odd number of backslashes before it. */
function isEscaped(json: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (json[before] === backslash) before--;
  return (at - before) % 2 === 0;
}

/** Whether a value has more levels: each object or array is one, a number kept as text is a leaf. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return !JSON.isRawJSON(value);
  // Loops: an event has hundreds of values.
  if (Array.isArray(value)) {
    for (const inner of value) if (isDeeperThan(levels - 1, inner)) return true;
    return false;
  }
  for (const name in value) if (isDeeperThan(levels - 1, value[name as keyof typeof value])) return true;
  return false;
}

/**
 * At least as many bytes as the compact JSON of a value has in UTF-8; Infinity if the value is deeper than the levels.
 * Much cheaper than to write the JSON.
 */
export function mostBytes(levels: number, value: unknown): number {
  if (typeof value === 'string') return mostBytesOf(value);
  if (typeof value !== 'object' || value === null) return longestNumber;
  if (levels === 0) return JSON.isRawJSON(value) ? value.rawJSON.length : Number.POSITIVE_INFINITY;
  let bytes = 2;
  if (Array.isArray(value)) for (const inner of value) bytes += 1 + mostBytes(levels - 1, inner);
  else
    for (const name in value) bytes += 2 + mostBytesOf(name) + mostBytes(levels - 1, value[name as keyof typeof value]);
  return bytes;
}

/** `-1.2345678901234567e-308`: the longest value apart from texts and containers. */
const longestNumber = 24;

/** An escaped character has six bytes, and no other has more. */
const mostBytesOf = (text: string): number => 2 + 6 * text.length;

/** The characters that JSON's grammar consists of, by their codes: one byte each in UTF-8. */
const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
export const space = 32;
export const quote = 34;
export const comma = 44;
export const colon = 58;
export const openBracket = 91;
export const backslash = 92;
export const closeBracket = 93;
export const openBrace = 123;
export const closeBrace = 125;

export const oneSpace = new Uint8Array([space]);

/** Which bytes mean something outside of strings: most of a text is passed over by one look-up. */
export const isStructural = new Uint8Array(256);
for (const byte of [quote, openBrace, openBracket, closeBrace, closeBracket, comma, colon]) isStructural[byte] = 1;

/** What RFC 8259 lets stand between tokens, from a place to the end. */
export function isWhitespace(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== space && byte !== tab && byte !== lineFeed && byte !== carriageReturn) return false;
  }
  return true;
}
