import { Problem } from '../../../contract/problems.ts';
import { isNestedTooDeeply } from '../../base/json/nesting.ts';

/** V8 has these since Chrome 114; TypeScript's library does not declare them yet. */
declare global {
  interface JSON {
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** A number whose digits a double cannot hold: written out again as it was read. */
type RawNumber = { readonly rawJSON: string };

/** Where a number might have more digits than a double holds, or a larger exponent. */
const suspicious = /[:,[]\s*-?\d(?:[\d.]{15}|[\d.]{0,14}[eE][+-]?\d{3})/;

/**
 * JSON.parse that loses no digit: a 19-digit id comes out of JSON.stringify as it came in. 400 `invalid_json`. What is
 * nested too deeply to be walked comes as it is, for whoever knows its place to refuse.
 */
export function parseExactJson(text: string): unknown {
  try {
    const isExact = suspicious.test(text) && !isNestedTooDeeply(Buffer.from(text));
    return isExact ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    throw new Problem('invalid_json');
  }
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value !== 'number' || source === undefined || isKept(value, source) ? value : JSON.rawJSON(source);
}

const digitsOfDouble = 15;

/** Up to 15 significant digits are kept by any double within range; a longer number where it is its shortest form. */
function isKept(value: number, source: string): boolean {
  if (String(value) === source) return true;
  const significant = (source.split(/e/i, 1)[0] ?? '').replace(/\D/g, '').replace(/^0+/, '');
  return Number.isFinite(value) && significant.length <= digitsOfDouble && (value !== 0 || significant === '');
}
