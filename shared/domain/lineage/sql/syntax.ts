import { isJsonObject } from '../../base/json/read-json.ts';
import type { RelationName, SqlName } from './types.ts';

/** The fields of a syntax node; the parser's tree is foreign data, so every read of it is checked here. */
export type SyntaxFields = Readonly<Record<string, unknown>>;

/** A node of the syntax tree, which the parser writes as `{ kind: fields }`. */
export type Syntax = { readonly kind: string; readonly fields: SyntaxFields };

/** Unwraps a node: the parser wraps nodes that have comments. */
export function syntaxOf(value: unknown): Syntax | null {
  if (!isFields(value)) return null;
  const kind = onlyKey(value);
  // A clause that holds nothing but an expression is a record without a kind.
  if (kind === null || kind === 'this') return null;
  const fields = fieldsOf(value[kind]) ?? {};
  return (kind === 'annotated' ? syntaxOf(fields['this']) : null) ?? { kind, fields };
}

/** The key of a record with one; a loop, as every value of every tree passes here. */
function onlyKey(value: SyntaxFields): string | null {
  let only: string | null = null;
  for (const key in value) {
    if (only !== null) return null;
    only = key;
  }
  return only;
}

export const fieldsOf = (value: unknown): SyntaxFields | null => (isFields(value) ? value : null);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const childOf = (fields: SyntaxFields, key: string): Syntax | null => syntaxOf(fields[key]);

/** The syntax nodes of a list; what is no node is left out. */
export function childrenOf(fields: SyntaxFields, key: string): readonly Syntax[] {
  return listOf(fields[key]).flatMap((item) => syntaxOf(item) ?? []);
}

/** The records of a list, such as joins and CTEs, which carry no kind. */
export function recordsOf(fields: SyntaxFields, key: string): readonly SyntaxFields[] {
  return listOf(fields[key])
    .map(fieldsOf)
    .filter((item) => item !== null);
}

export function textOf(fields: SyntaxFields, key: string): string | null {
  const value = fields[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A name, from any of the parser's identifier forms; null if it is absent or empty. */
export function nameOf(value: unknown): SqlName | null {
  if (typeof value === 'string') return value === '' ? null : { text: value, quoted: false };
  const fields = fieldsOf(value);
  if (fields === null) return null;
  if (typeof fields['name'] === 'string' && !('table' in fields)) {
    return fields['name'] === '' ? null : { text: fields['name'], quoted: fields['quoted'] === true };
  }
  for (const key of ['identifier', 'column', 'var', 'name', 'this'])
    if (key in fields && fields[key] !== null) return nameOf(fields[key]);
  return null;
}

export const unquoted = (text: string): SqlName => ({ text, quoted: false });

/** A column without a relation, as the parser gives it. */
export const columnSyntax = ({ text, quoted }: SqlName) => ({ column: { name: { name: text, quoted }, table: null } });

/** The parts of a dotted name. */
export const splitPath = (text: string, quoted = false): RelationName =>
  text.split('.').map((part) => ({ text: part, quoted }));

/** Tells relations apart by the names of their parts. */
export const relationKey = (relation: RelationName): string => JSON.stringify(relation.map(({ text }) => text));

export const distinctRelations = (relations: readonly RelationName[]): readonly RelationName[] => [
  ...new Map(relations.map((relation) => [relationKey(relation), relation])).values(),
];

/** The words of a text, which white space divides. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Entries of a table for words that share a value. */
export const entriesOf = <Value>(words: string, value: Value): readonly (readonly [string, Value])[] =>
  [...wordSet(words)].map((word) => [word, value]);

export function namesOf(fields: SyntaxFields, key: string): readonly SqlName[] {
  return listOf(fields[key]).flatMap((item) => nameOf(item) ?? []);
}

/** The parts of a table reference as written; empty if it names nothing. */
export function tableNameOf(fields: SyntaxFields): RelationName {
  return ['catalog', 'schema', 'name'].flatMap((key) => nameOf(fields[key]) ?? []);
}

/** What a call is called, in lower case. */
export function functionName(kind: string, fields: SyntaxFields): string {
  const name = textOf(fields, 'name') ?? nameOf(fieldsOf(fields['this'])?.['identifier'])?.text ?? kind;
  return name.toLowerCase();
}

/** The text of a string literal; null for anything else. */
export function stringOf(value: unknown): string | null {
  const node = syntaxOf(value);
  const isString = node?.kind === 'literal' && node.fields['literal_type'] !== 'number';
  // The parser gives what three quotes enclose with the quote.
  const [tripled] = isString ? listOf(node.fields['value']) : [];
  if (typeof tripled === 'string') return tripled;
  return isString ? textOf(node.fields, 'value') : null;
}

/** Peels the wrappers that change nothing. */
export function withoutParens(node: Syntax): Syntax {
  const inner = node.kind === 'paren' || isBareSubquery(node) ? childOf(node.fields, 'this') : null;
  return inner === null ? node : withoutParens(inner);
}

function isBareSubquery({ kind, fields }: Syntax): boolean {
  return kind === 'subquery' && fieldsOf(fields['with']) === null && nameOf(fields['alias']) === null;
}

/** Whether a node is a query, in brackets or not, rather than an item of FROM. */
export function isQuery(node: Syntax): boolean {
  if (node.kind === 'subquery' || node.kind === 'paren') {
    const inner = childOf(node.fields, 'this');
    return inner !== null && isQuery(inner);
  }
  return queryKinds.has(node.kind) || (node.kind === 'pivot' && childOf(node.fields, 'this')?.kind === 'column');
}

const queryKinds: ReadonlySet<string> = new Set(['select', 'union', 'intersect', 'except', 'values', 'with', 'cte']);

/** Every syntax node at or below a value, outermost first. */
export function nodesIn(value: unknown): readonly Syntax[] {
  const found: Syntax[] = [];
  collectNodes(value, found, () => false);
  return found;
}

/** The same without queries and what is in them. */
export function nodesOutsideQueries(value: unknown): readonly Syntax[] {
  const found: Syntax[] = [];
  collectNodes(value, found, isQuery);
  return found;
}

/** Whether a part of a tree holds such a node, outside of its queries. */
export const holds = (value: unknown, isOne: (node: Syntax) => boolean): boolean =>
  nodesOutsideQueries(value).some(isOne);

function collectNodes(value: unknown, found: Syntax[], isLeftOut: (node: Syntax) => boolean): void {
  if (Array.isArray(value)) for (const part of value) collectNodes(part, found, isLeftOut);
  if (!isFields(value)) return;
  const node = syntaxOf(value);
  if (node !== null && isLeftOut(node)) return;
  if (node !== null && !('annotated' in value)) found.push(node);
  // A loop, as for `onlyKey`: most values in a tree are not objects, and a span holds only positions.
  for (const key in value) {
    const part = value[key];
    if (typeof part === 'object' && part !== null && key !== 'span') collectNodes(part, found, isLeftOut);
  }
}

const isFields = (value: unknown): value is SyntaxFields => isJsonObject(value);
