import * as v from 'valibot';
import { jsonPointer } from './field-errors.ts';
import { limits } from './limits.ts';

type Documented = Readonly<Record<string, unknown>> | v.GenericSchema;

/** What a schema takes, if it cannot say so: numbers as text, rules in code, later validation. Put it last. */
export const documentedAs = <Input>(
  documented: Documented,
): v.MetadataAction<Input, { readonly documented: Documented }> => v.metadata({ documented });

/** What a part of a pipe says that the schema is documented as, if it does. */
export function documentationOf(part: object): Documented | null {
  if (!('metadata' in part) || typeof part.metadata !== 'object' || part.metadata === null) return null;
  return 'documented' in part.metadata ? (part.metadata.documented as Documented) : null;
}

/** A query parameter that may be given several times; none of them is an empty list. */
export const severalOf = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(
    v.pipe(
      v.union([schema, v.array(schema)]),
      v.transform((given): v.InferOutput<Schema>[] => (Array.isArray(given) ? given : [given])),
    ),
    [],
  );

export const text = (max: number) => v.pipe(v.string(), v.minLength(1), maxCharacters(max));
/** For what becomes a scope: nobody could tell two blank ones apart. */
export const notBlank = <S extends v.GenericSchema<string, string>>(schema: S) =>
  v.pipe(schema, v.regex(/\S/, 'must not be blank'));
export const textUpTo = (max: number) => v.pipe(v.string(), maxCharacters(max));
export const textBetween = ({ min, max }: { readonly min: number; readonly max: number }) =>
  v.pipe(v.string(), minCharacters(min), maxCharacters(max));

// As JSON Schema counts: code points, if the library counts code units.

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

/** A type of feed, also as the name of its weight. */
export const providerTypeName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_]{0,62}$/, 'must be 1 to 63 of a-z, 0-9 and _, and begin with a letter'),
  // Every object inherits a member of this name, and valibot leaves it out of records.
  v.notValue('constructor', 'must be another name'),
);

/** Any non-empty text: an id that nobody has is refused as 403 or 404, not as a malformed field. */
export const anyId = text(200);

/** The `next_cursor` of the page before: it belongs to its list, workspace and filters (C-READ-3). */
export const pageCursor = v.optional(text(2_000));

/** A number that `JSON.rawJSON` keeps as text: an object without a prototype. */
const isNumberText = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;

/** A JSON object of any content, described by a JSON Schema. Checked before the record, which would make an object of an array. */
export const jsonObjectAs = (documented: Readonly<Record<string, unknown>>) =>
  v.pipe(
    v.unknown(),
    documentedAs<unknown>(documented),
    v.check((value) => !Array.isArray(value) && !isNumberText(value), 'must be an object'),
    v.record(v.string(), v.unknown(), 'must be an object'),
  );
export const jsonObject = jsonObjectAs({ type: 'object', description: 'A JSON object.' });

/** May be left out, or null. */
export const orNull = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);

export const timestamp = v.pipe(v.string(), v.isoTimestamp());
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What the answer took of the store; what the process remembers is counted as if it were read. */
export const Cost = v.object({ read_units: v.pipe(v.number(), v.minValue(0)), requests: count });

/** A whole number as it is in a query string. */
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

/** The query fields of a paginated list. */
export const paging = { limit: pageLimit, cursor: pageCursor };

export const pageOf = <Item extends v.GenericSchema>(item: Item) =>
  v.object({ workspace_id: v.string(), items: v.array(item), next_cursor: v.nullable(v.string()) });

/** A text without any of a character at its end; a regular expression would begin anew at each of them. */
export function withoutTrailing(character: string, text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** What every text that becomes a name or a key has to be: stores and queues refuse the rest, or change it. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !/[\0\ufffe\uffff]/.test(text);

export const storableRule = 'must be well-formed Unicode without the characters NUL, U+FFFE and U+FFFF';

/** The beginning of a text, in code points: a cut through one would leave a half that no store takes. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const beginning = text.slice(0, 2 * length);
  return [...beginning].slice(0, length).join('').toWellFormed();
}

/** The same in UTF-16 code units, as code hosts count the characters of a title. */
export const beginningInUnits = (text: string, units: number): string =>
  text.length <= units ? text : text.slice(0, units).replace(/[\ud800-\udbff]$/, '');

/** A text as a store takes it, whatever it quotes. */
export const storable = (text: string): string => text.toWellFormed().replaceAll(/[\0\ufffe\uffff]/g, '\ufffd');

type Place = { readonly value: unknown; readonly path: string };

/** The JSON pointer of the first text or field name that is not storable, outside of the fields `except`; else null. */
export const unstorableAt = (value: unknown, path = '', except: readonly string[] = []): string | null =>
  isAllStorable(value, except) ? null : placeOfUnstorable(value, path, except);

/** Without their places, which take most of the time: hardly any text is not storable. */
function isAllStorable(value: unknown, except: readonly string[]): boolean {
  const left = [value];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one === 'string' && !isStorable(one)) return false;
    if (typeof one !== 'object' || one === null) continue;
    if (Array.isArray(one)) {
      for (const inner of one) left.push(inner ?? null);
      continue;
    }
    for (const [key, inner] of Object.entries(one)) {
      if (one === value && except.includes(key)) continue;
      if (!isStorable(key) || (typeof inner === 'string' && !isStorable(inner))) return false;
      if (typeof inner === 'object' && inner !== null) left.push(inner);
    }
  }
  return true;
}

function placeOfUnstorable(value: unknown, path: string, except: readonly string[]): string | null {
  // A worklist instead of recursion: nesting is only bounded by the body size and could overflow the stack.
  const left: Place[] = [{ value, path }];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one.value === 'string' && !isStorable(one.value)) return one.path;
    if (typeof one.value !== 'object' || one.value === null) continue;
    for (const [key, inner] of Object.entries(one.value)) {
      if (one.value === value && except.includes(key)) continue;
      if (!isStorable(key)) return one.path;
      if (typeof inner === 'string' ? !isStorable(inner) : typeof inner === 'object')
        left.push({ value: inner, path: one.path + jsonPointer(key) });
    }
  }
  return null;
}
