import * as v from 'valibot';
import { jsonPointer } from './field-errors.ts';

/** What schemas of the library have, as far as places of objects are concerned. */
type Parts = {
  readonly type: string;
  readonly kind: string;
  readonly pipe?: readonly Parts[];
  readonly entries?: Readonly<Record<string, Parts>>;
  readonly value?: Parts;
  readonly item?: Parts;
  readonly wrapped?: Parts;
  readonly options?: readonly unknown[];
};

/** The JSON pointers of the lists that stand where a schema wants an object: to the library each is one without fields. */
export const arrayPlaces = (schema: v.GenericSchema, value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null ? placesIn(schema as unknown as Parts, value, path) : [];

function placesIn(schema: Parts, value: object, path: string): string[] {
  const { type, pipe, entries, wrapped, item } = schema;
  const below = (part: Parts | undefined, inner: unknown, at = path) =>
    part === undefined ? [] : arrayPlaces(part as unknown as v.GenericSchema, inner, at);
  if (pipe !== undefined && pipe[0] !== schema) {
    const end = pipe.findIndex(({ kind }) => kind === 'transformation');
    const parts = pipe.slice(0, end < 0 ? pipe.length : end).filter(({ kind }) => kind === 'schema');
    return [...new Set(parts.flatMap((part) => below(part, value)))];
  }
  if (wrapped !== undefined) return below(wrapped, value);
  if (type === 'union' || type === 'variant') return ofOptions(schema, value, path);
  if (wantsObject(schema) && Array.isArray(value)) return [path];
  if (item !== undefined && Array.isArray(value))
    return value.flatMap((one, i) => below(item, one, path + jsonPointer(i)));
  return Object.entries(value).flatMap(([key, inner]) => {
    const part = entries && Object.hasOwn(entries, key) ? entries[key] : type === 'record' ? schema.value : undefined;
    return below(part, inner, path + jsonPointer(key));
  });
}

const wantsObject = ({ type, wrapped }: Parts): boolean =>
  wrapped === undefined ? /object|^record$/.test(type) : wantsObject(wrapped);

/** A list is in a wrong place only if each of the options that take it wants an object there. */
function ofOptions({ options = [] }: Parts, value: object, path: string): string[] {
  const possible = options.filter((option) => !Array.isArray(value) || !wantsObject(option as Parts));
  if (possible.length === 0) return [path];
  const taking = possible.filter((option): option is v.GenericSchema => v.is(option as v.GenericSchema, value));
  const places = taking.map((option) => arrayPlaces(option, value, path));
  return places.length > 0 && places.every(({ length }) => length > 0) ? (places[0] ?? []) : [];
}
