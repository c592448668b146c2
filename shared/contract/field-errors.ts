import type * as v from 'valibot';
import type { FieldError } from './problems.ts';

/** The JSON pointer (RFC 6901) to what stands under the keys. */
export const jsonPointer = (...keys: readonly (string | number)[]): string =>
  keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What is at a JSON pointer; undefined if nothing does. */
export const valueAt = (document: unknown, pointer: string): unknown =>
  keysOf(pointer).reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    document,
  );

const maxErrors = 100;

/** Issues of a schema as places and rules; `root` is the pointer of the validated value. No value is repeated. */
export const fieldErrors = (root: string, issues: readonly v.BaseIssue<unknown>[]): FieldError[] =>
  issues.slice(0, maxErrors).map((issue) => ({ path: root + placeOf(issue), message: ruleOf(issue) }));

const longestName = 200;
const deepestName = 32;

/** A JSON pointer, of an undocumented field to its object: the name is the sender's (C-ERROR-2). */
export function placeOf(issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  return jsonPointer(...(isUndocumented(issue) ? keys.slice(0, -1) : keys));
}

/** The JSON pointer to what a sender named, as deep as names are no content and the pointer stays short. */
export function placeOfName(keys: readonly (string | number)[]): string {
  const named = keys.slice(0, deepestName);
  const long = named.findIndex((key) => String(key).length > longestName);
  return jsonPointer(...(long < 0 ? named : named.slice(0, long)));
}

/** The JSON pointer as far as its parts are indices or documented names: other keys are content, which is not repeated. */
export function documentedPlace(keys: readonly (string | number)[], names: ReadonlySet<string>): string {
  const foreign = keys.findIndex((key) => typeof key === 'string' && !names.has(key));
  return jsonPointer(...(foreign < 0 ? keys : keys.slice(0, foreign)));
}

const isUndocumented = (issue: v.BaseIssue<unknown>): boolean =>
  issue.type === 'strict_object' && issue.expected === 'never';

/** The rule that was broken. A message of the schema's own is a constant; the library's quotes what it received. */
function ruleOf(issue: v.BaseIssue<unknown>): string {
  if (!/^Invalid .*received /is.test(issue.message)) return issue.message;
  if (isUndocumented(issue)) return 'must not have undocumented fields';
  if (issue.received === 'undefined') return 'is required';
  return rules[issue.type]?.(issue) ?? otherRule(issue);
}

const rules: Readonly<Record<string, (issue: v.BaseIssue<unknown>) => string>> = {
  string: () => 'must be a string',
  number: () => 'must be a number',
  boolean: () => 'must be true or false',
  array: () => 'must be an array',
  object: () => 'must be an object',
  strict_object: () => 'must be an object',
  record: () => 'must be an object',
  integer: () => 'must be a whole number',
  uuid: () => 'must be a UUID',
  url: () => 'must be a URL',
  iso_timestamp: () => 'must be an ISO 8601 date-time with a zone',
  regex: () => 'has an invalid format',
  non_empty: () => 'must not be empty',
  min_length: (issue) => (issue.requirement === 1 ? 'must not be empty' : `must have at least ${lengthOf(issue)}`),
  max_length: (issue) => `must have at most ${lengthOf(issue)}`,
  length: (issue) => `must have exactly ${lengthOf(issue)}`,
  min_value: ({ requirement }) => `must be at least ${String(requirement)}`,
  max_value: ({ requirement }) => `must be at most ${String(requirement)}`,
  picklist: ({ expected }) => `must be one of ${words(expected)}`,
  literal: ({ expected }) => `must be ${words(expected)}`,
  variant: ({ expected }) => `must be one of ${words(expected)}`,
  union: unionRule,
};

function unionRule({ issues }: v.BaseIssue<unknown>): string {
  const first = issues?.[0];
  return first?.type === 'picklist' ? ruleOf(first) : 'has a type that is not allowed';
}

function lengthOf({ requirement, input }: v.BaseIssue<unknown>): string {
  const thing = Array.isArray(input) ? 'item' : 'character';
  return `${String(requirement)} ${thing}${requirement === 1 ? '' : 's'}`;
}

const words = (expected: string | null): string =>
  (expected ?? '')
    .replace(/^\((.*)\)$/, '$1')
    .replaceAll(' | ', ', ')
    .replaceAll('"', '');

/** `expected` is of the schema, `received` of the sender. */
const otherRule = ({ expected }: v.BaseIssue<unknown>): string =>
  expected === null ? 'breaks a rule of this field' : `must be ${words(expected)}`;
