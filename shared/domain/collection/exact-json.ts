import { Problem } from '../../contract/problems.ts';

/** V8 has these since Chrome 114; TypeScript's library does not declare them yet. */
declare global {
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** A number whose digits a double cannot hold: written out again as it was read. */
export type RawNumber = { readonly rawJSON: string };

/** Where a number might have more digits than a double, or a larger exponent. */
const suspicious = /[\d.]{16}|\d[eE][+-]?\d{3}/;
const safeLength = 15;

/** JSON.parse that loses no digit: a 19-digit id comes out of JSON.stringify as it came in. 400 `invalid_json`. */
export function parseExactJson(text: string): unknown {
  try {
    return suspicious.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    throw new Problem('invalid_json');
  }
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  return source.length > safeLength || !Number.isFinite(value) ? JSON.rawJSON(source) : value;
}
