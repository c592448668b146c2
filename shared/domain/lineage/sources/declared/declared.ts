import * as v from 'valibot';
import { jsonPointer } from '../../../../contract/field-errors.ts';
import { beginningOf, isStorable, storable, storableRule, unstorableAt } from '../../../../contract/fields.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';
import type { Derivation } from '../../graph/derivation.ts';
import type { Node, Urn } from '../../graph/node.ts';
import type { RelationSchema } from '../../graph/schema.ts';
import type { Connector } from '../../names/connector.ts';
import type { KnownColumns, SqlAnalysis, SqlOptions } from '../../sql/types.ts';

/** An item that cannot be read: a partial delivery goes on without it, a complete snapshot is refused. */
type InvalidItem = { readonly index: number; readonly code: string; readonly errors: readonly FieldError[] };

/** What reading a declared document found: its items, and what in it cannot be read. */
export type ParsedDocument<Document> = {
  readonly document: Document;
  readonly itemCount: number;
  readonly invalidItems: readonly InvalidItem[];
  /** Why a complete snapshot of this document would retract evidence that was not withdrawn. */
  readonly shapeErrors: readonly FieldError[];
};

/** The connectors of the workspace, and the one among them that the request names. */
export type CatalogContext = {
  readonly connectors: readonly Connector[];
  readonly connector: Connector;
  readonly importSource: string;
};

export type Declared = {
  readonly derivations: readonly Derivation[];
  /** Each reason why something was not resolved, with the models or entries it holds for. */
  readonly unresolved: readonly UnresolvedCount[];
  readonly relations: readonly { readonly node: Node; readonly isMade: boolean }[];
  readonly schemas: ReadonlyMap<Urn, RelationSchema>;
  /** The same of one relation: of a project only its model is derived. */
  readonly schemaOf?: (urn: Urn) => RelationSchema | null;
  /** What is read by something that feeds nothing known. */
  readonly reads?: readonly Urn[];
};

/** What a document states of the columns of one relation. */
export const schemaOf = (declared: Pick<Declared, 'schemas' | 'schemaOf'>, urn: Urn): RelationSchema | null =>
  declared.schemaOf ? declared.schemaOf(urn) : (declared.schemas.get(urn) ?? null);

export type ColumnPorts = {
  /** Column lineage of a statement; `analyseSql` over a parser. Never throws. */
  readonly analyse: (statement: string, options: SqlOptions) => SqlAnalysis;
  readonly knownColumns?: (node: Node) => KnownColumns | null;
  /** Columns that a relation had and has not any more: statements that still read them can be analysed. */
  readonly formerColumns?: (node: Node) => readonly string[];
  /** Whether the document's lists of columns are newer than its statements, which then need not be parsed for them. */
  readonly listsAreCurrent?: boolean;
  /** Looks for undeclared reads before it parses a statement for them: for questions that need few statements. */
  readonly skimsStatements?: boolean;
};

/** Assets that are not resolved for one reason: how many there are, and the first of their names. */
export type UnresolvedCount = {
  readonly reason: string;
  readonly count: number;
  readonly assets: readonly string[];
  readonly assets_left_out: number;
};

/** The maximum number of names: more would make deliveries and their lists expensive. */
const namedAssets = 10;
const nameLength = 200;

/** The assets of each reason, in the order of first appearance. */
export function countReasons(
  found: readonly { readonly reason: string; readonly asset: string }[],
): readonly UnresolvedCount[] {
  const byReason = Map.groupBy(found, ({ reason }) => reason);
  return [...byReason].map(([reason, all]) => {
    return { reason, count: all.length, ...firstNames(all.map(({ asset }) => asset)) };
  });
}

/** The first of some names, as a store takes them. */
export const firstNames = (names: readonly string[]): Pick<UnresolvedCount, 'assets' | 'assets_left_out'> => ({
  assets: names.slice(0, namedAssets).map((name) => beginningOf(storable(name), nameLength)),
  assets_left_out: Math.max(0, names.length - namedAssets),
});

/** What the schemas of documents consist of, as far as it tells which fields they look at. */
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

/** The members of an object as `of` makes them; without those that it makes undefined. */
export const mapped = (value: Readonly<Record<string, unknown>>, of: (one: unknown) => unknown) =>
  Object.fromEntries(
    Object.entries(value)
      .map(([key, one]) => [key, of(one)] as const)
      .filter(([, one]) => one !== undefined),
  );

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

/** Reads each item by itself: what cannot be read is distinguished, and the rest is kept. */
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
    const { index } = item;
    if (unstorable !== null)
      invalid.push({ index, code: 'invalid_unicode', errors: [{ path: unstorable, message: storableRule }] });
    else if (result.success) read.push({ ...item, value: result.output });
    else invalid.push({ index, code, errors: result.issues.map((issue) => errorAt(item.place, issue)) });
  }
  return { items: read, invalid };
}

/** The error of the first text in the head of a document that is not storable. */
export function unstorableErrors(head: unknown, place: string): FieldError[] {
  const path = unstorableAt(head, place);
  return path === null ? [] : [{ path, message: storableRule }];
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
