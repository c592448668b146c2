import type * as v from 'valibot';
import { isJsonObject } from '../../json/is-json-object.ts';

/** What the schemas of documents are made of, as far as it tells which fields they look at. */
type Shape = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
  readonly getter?: (value: unknown) => v.GenericSchema;
};

/** A value without the fields that a schema does not look at: it is read as before, and refused as before. */
export function selectFields(schema: v.GenericSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { type, entries, item, value: every, wrapped, getter } = schema as Shape;
  if (wrapped) return selectFields(wrapped, value);
  if (getter) return selectFields(getter(value), value);
  if (Array.isArray(value)) return type === 'array' && item ? value.map((one) => selectFields(item, one)) : value;
  if (!isJsonObject(value)) return value;
  if (type === 'record' && every) return mapped(value, (one) => selectFields(every, one));
  if (type !== 'object' || !entries) return value;
  const read = Object.entries(entries).filter(([key]) => Object.hasOwn(value, key));
  return Object.fromEntries(read.map(([key, field]) => [key, selectFields(field, value[key])]));
}

const mapped = (value: Readonly<Record<string, unknown>>, of: (one: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => [key, of(one)]));
