import * as v from 'valibot';
import { jsonPointer } from '../../../../contract/field-errors.ts';
import { isStorable, storableRule, unstorableAt } from '../../../../contract/fields.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import type { InvalidItem } from './declared.ts';

/** The messages of declared schemas: each names the rule, none the value. */
export const rules = {
  string: 'must be a string',
  text: 'must be a non-empty string',
  object: 'must be an object',
  strings: 'must be an array of strings',
  array: 'must be an array',
  required: 'is required',
} as const;

export const string = v.string(rules.string);
export const text = v.pipe(v.string(rules.text), v.minLength(1, rules.text));
export const strings = v.array(v.string(rules.strings), rules.strings);

/** The schemas of items by the member of the document that holds them; `listed`: of a document that is a list. */
export type ItemSchemas = {
  readonly [member: string]: v.GenericSchema;
  readonly [listed]?: v.GenericSchema;
};
export const listed: unique symbol = Symbol('listed');

export type DocumentItem<T> = {
  readonly key: string;
  readonly index: number;
  readonly place: string;
  readonly value: T;
};

/** Reads each item by itself: what cannot be read is told apart, and the rest is kept. */
export function readItems<T>(
  schema: v.GenericSchema<unknown, T>,
  code: string,
  items: readonly DocumentItem<unknown>[],
): { readonly items: DocumentItem<T>[]; readonly invalid: InvalidItem[] } {
  const read: DocumentItem<T>[] = [];
  const invalid: InvalidItem[] = [];
  for (const item of items) {
    const result = v.safeParse(schema, item.value, { abortEarly: true });
    const unstorable = result.success ? unstorableName(item, result.output) : null;
    if (unstorable !== null)
      invalid.push({
        index: item.index,
        code: 'invalid_unicode',
        errors: [{ path: unstorable, message: storableRule }],
      });
    else if (result.success) read.push({ ...item, value: result.output });
    else invalid.push({ index: item.index, code, errors: result.issues.map((issue) => errorAt(item.place, issue)) });
  }
  return { items: read, invalid };
}

/** Statements are read, and never a name. */
const statements = ['compiled_code', 'compiled_sql', 'rendered_sql', 'query', 'sql'];

const unstorableName = ({ key, place }: DocumentItem<unknown>, value: unknown): string | null =>
  isStorable(key) ? unstorableAt(value, place, statements) : place.slice(0, place.lastIndexOf('/'));

function errorAt(place: string, issue: v.BaseIssue<unknown>): FieldError {
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  return {
    path: place + jsonPointer(...keys),
    message: issue.received === 'undefined' ? rules.required : issue.message,
  };
}
