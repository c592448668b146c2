import { valueAt } from '../../shared/contract/field-errors.ts';

type Json = { readonly [key: string]: unknown };
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A description with all references resolved, for programs that read it part by part. */
export function dereferenced<D extends Json>(document: D): D {
  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand);
    if (!isJson(value)) return value;
    const reference = value['$ref'];
    if (typeof reference === 'string') return expand(valueAt(document, reference));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expand(one)]));
  };
  const isDocument = (value: unknown): value is D => isJson(value);
  const expanded = expand(document);
  if (!isDocument(expanded)) throw new TypeError('a description is an object');
  return expanded;
}
