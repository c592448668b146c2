import * as v from 'valibot';
import { documentedAs } from './documented-as.ts';
import { limits } from './limits.ts';

/** Small schemas that many routes share. */
export const text = (max: number) => v.pipe(v.string(), v.minLength(1), maxCharacters(max));
export const textUpTo = (max: number) => v.pipe(v.string(), maxCharacters(max));
export const textBetween = ({ min, max }: { readonly min: number; readonly max: number }) =>
  v.pipe(v.string(), minCharacters(min), maxCharacters(max));

// As JSON Schema counts: code points, where the library counts code units.

function minCharacters(min: number): v.MinLengthAction<string, number, undefined> {
  const action = v.minLength<string, number>(min);
  return {
    ...action,
    '~run': (dataset, config) =>
      dataset.typed && dataset.value.length >= min && [...dataset.value].length < min
        ? action['~run']({ typed: true, value: '' }, config)
        : action['~run'](dataset, config),
  };
}

function maxCharacters(max: number): v.MaxLengthAction<string, number, undefined> {
  const action = v.maxLength<string, number>(max);
  return {
    ...action,
    '~run': (dataset, config) =>
      dataset.typed && dataset.value.length > max && [...dataset.value].length <= max
        ? dataset
        : action['~run'](dataset, config),
  };
}

/** Any non-empty text: an id that nobody has is refused as 403 or 404, not as a malformed field. */
export const anyId = text(200);

/** The `next_cursor` of the page before: it belongs to its list, workspace and filters (C-READ-3). */
export const pageCursor = v.optional(text(2_000));

/** A JSON object of any content, described by a JSON Schema. Checked before the record, which would make an object of an array. */
export const jsonObjectAs = (documented: Readonly<Record<string, unknown>>) =>
  v.pipe(
    v.unknown(),
    documentedAs<unknown>(documented),
    v.check((value) => !Array.isArray(value), 'must be an object'),
    v.record(v.string(), v.unknown(), 'must be an object'),
  );
export const jsonObject = jsonObjectAs({ type: 'object', description: 'A JSON object.' });

export const timestamp = v.pipe(v.string(), v.isoTimestamp());
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A whole number as it stands in a query string. */
export const queryInteger = ({ min, max }: { readonly min: number; readonly max: number }) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/),
    documentedAs({ type: 'integer', minimum: min, maximum: max }),
    v.transform(Number),
    v.minValue(min),
    v.maxValue(max),
  );

export const pageLimit = v.optional(queryInteger(limits.page), String(limits.page.default));
