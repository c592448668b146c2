import { Problem, problems } from '../../../contract/problems.ts';
import { isJsonObject } from '../../base/json/read-json.ts';

export type PosthogJson = Readonly<Record<string, unknown>>;

/** An object of JSON: no array, and no number that was kept as text. */
export const isParsedObject = (value: unknown): value is PosthogJson => isJsonObject(value) && !JSON.isRawJSON(value);

/** Text with something in it, else null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && /\S/.test(value) ? value : null);

/** Text, or a number in its own digits; else null. */
export function textOrDigits(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : textOf(value);
}

/** A copy in which no string has a NUL or a lone surrogate: stores downstream refuse both. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isParsedObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wellFormedText(key), wellFormed(inner)]));
}

export const wellFormedText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

/** Refuses the whole batch for one place of one event. SDKs that log the hint alone show the place by it. */
export function refuse(code: 'invalid_event' | 'unsupported_event', path: string, message: string): never {
  const errors = [{ path, message }];
  if (code === 'invalid_event') throw new Problem(code, { errors });
  throw new Problem(code, { errors, hint: `${path} ${message}. ${problems.unsupported_event.hint}` });
}
