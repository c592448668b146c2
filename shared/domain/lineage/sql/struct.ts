import type { SqlDialect } from './dialect.ts';
import type { NameRules } from './name-rules.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { fieldWithin, merge, through, withFields } from './provenance.ts';
import { columnNamed, mappedRow, relabelled, wholeOf } from './row.ts';
import {
  columnSyntax,
  fieldsOf,
  listOf,
  nameOf,
  namesOf,
  type Syntax,
  type SyntaxFields,
  stringOf,
  syntaxOf,
  textOf,
  unquoted,
  wordSet,
} from './syntax.ts';
import type { DirectSubtype, Provenance, SqlName } from './types.ts';
import { structureNames } from './values.ts';

/** A field of a value: of a constructed struct what the field consists of, else what the whole value consists of. */
export function fieldOf(rules: NameRules, value: Provenance, name: SqlName): Provenance {
  const match = value.fields === null ? null : columnNamed(rules, value.fields, name);
  const field = match?.value ?? fieldWithin(withFields(value, null), [name.text]);
  return throughWithFields(field, 'TRANSFORMATION');
}

/** What an operation makes of a value whose fields stay what they are. */
export function throughWithFields(value: Provenance, subtype: DirectSubtype): Provenance {
  if (value.fields === null) return through(value, subtype);
  return withFields(
    through(value, subtype),
    mappedRow(value.fields, (field) => throughWithFields(field, subtype)),
  );
}

/** `a['x']` of a struct; any other subscript gives an element. */
export function subscriptValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const value = analysis.expression(fields['this'], scope);
  const name = stringOf(fields['index']);
  if (name !== null) return fieldOf(analysis.rules, value, { text: name, quoted: false });
  const index = through(analysis.expression(fields['index'], scope), 'TRANSFORMATION');
  return withOthers(throughWithFields(value, 'TRANSFORMATION'), index);
}

/** A value that others choose, such as an index or an order: they reach each of its fields. */
export function withOthers(value: Provenance, others: Provenance): Provenance {
  if (others.columns.size === 0 && others.reasons.size === 0) return value;
  const fields = value.fields === null ? null : mappedRow(value.fields, (field) => withOthers(field, others));
  return withFields(merge([value, others]), fields);
}

/** `a:x`, `a -> 'x'` and `json_extract(a, '$.x')`. */
export function extractValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const path = fields['expression'] ?? fields['path'];
  // The bounds of PostgreSQL's `a[b:c]` look like a path.
  const isSlice = analysis.dialect === 'postgres' && fieldsOf(fields['variant_extract']) !== null;
  const bound = isSlice ? stringOf(path) : null;
  const step = bound === null ? path : columnSyntax(unquoted(bound));
  return valueAtPath(analysis, scope, fields['this'], [step]);
}

/** `get_json_object(a, '$.x')`, `json_extract_path_text(a, 'x', 'y')`, ClickHouse's `tupleElement(t, 2)`. */
export function extractedValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const [value, ...steps] = listOf(fields['args']);
  return valueAtPath(analysis, scope, value, steps);
}

function valueAtPath(analysis: Analysis, scope: NameScope, from: unknown, steps: readonly unknown[]): Provenance {
  const value = analysis.expression(from, scope);
  const computed = steps.filter((step) => namesInPath(step) === null);
  if (computed.length > 0) return through(merge([value, analysis.expression(computed, scope)]), 'TRANSFORMATION');
  const names = steps.flatMap((step) => namesInPath(step) ?? []);
  const found = names.reduce((current, text) => fieldOf(analysis.rules, current, { text, quoted: false }), value);
  return throughWithFields(found, 'TRANSFORMATION');
}

/** The names of `$.a.b`, `lax $.a`, `{a,b}`, `a.b` and `2`; null if it is no literal. */
function namesInPath(step: unknown): readonly string[] | null {
  const node = syntaxOf(step);
  const text = node?.kind === 'literal' ? (stringOf(step) ?? textOf(node.fields, 'value')) : null;
  const path = text?.replace(/^(?:lax |strict )/, '').replaceAll(/[$"'\]{}]/g, '');
  return path?.split(/[.[,]/).filter((name) => name !== '') ?? null;
}

/** A cast to a struct type names the fields by their places. */
export function castValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const value = analysis.expression(fields['this'], scope);
  const type = fieldsOf(fields['to']) ?? {};
  const custom = textOf(type, 'name') ?? '';
  const isTuple = custom.toLowerCase().startsWith('tuple(');
  const names = isTuple ? (structureNames(custom.slice('tuple('.length, -1)) ?? []) : namesOf(type, 'fields');
  const row = value.fields && relabelled(value.fields, names.map(withoutQuotes));
  return throughWithFields(withFields(value, row), 'TRANSFORMATION');
}

/** The parser keeps the quotes of names in a type. */
const withoutQuotes = ({ text }: SqlName): SqlName => ({
  text: text.replaceAll('"', ''),
  quoted: text.startsWith('"'),
});

/** A query as a value: a struct, the value of its only column, or a row of several. */
export function subqueryValue(analysis: Analysis, query: Syntax, scope: NameScope): Provenance {
  const row = analysis.query(query, scope);
  const [only, ...more] = row;
  if (isStructQuery(query)) return throughWithFields(withFields(wholeOf(row), row), 'TRANSFORMATION');
  const value = only?.kind === 'column' && more.length === 0 ? only.value : withFields(wholeOf(row), null);
  return throughWithFields(value, 'TRANSFORMATION');
}

/** BigQuery's `SELECT AS STRUCT`. */
function isStructQuery({ kind, fields }: Syntax): boolean {
  if (kind === 'select') return fields['kind'] === 'STRUCT';
  const inner = kind === 'subquery' || kind === 'paren' ? syntaxOf(fields['this']) : null;
  return inner !== null && isStructQuery(inner);
}

/** The operands of a call that makes a struct, by the names of its fields; null for any other call. */
export function structOperands(
  analysis: Analysis,
  name: string,
  fields: SyntaxFields,
): readonly StructOperand[] | null {
  const { dialect } = analysis;
  if (name === 'map_func') {
    if (fields['curly_brace_syntax'] !== true) return null;
    const keys = listOf(fields['keys']).map((key) => keyOf(analysis, key));
    return pairs(keys, listOf(fields['values']));
  }
  // BigQuery's `STRUCT<a INT64>(x)`.
  if (name === 'struct' && fields['fields'])
    return listOf(fields['fields']).map((pair) => ({ name: nameOf(listOf(pair)[0]), operand: listOf(pair)[1] }));
  const operands = listOf(fields['args'] ?? fields['expressions']);
  const isWhole = alternating.has(name) && operands.length === 1 && syntaxOf(operands[0])?.kind === 'star';
  if (labelled.has(name) || isWhole) return operands.map(labelledOperand);
  if (name === 'row' || (name === 'tuple' && dialect === 'clickhouse'))
    return operands.map((operand, place) => ({ name: placeName(dialect, place), operand }));
  if (!alternating.has(name)) return null;
  return pairs(
    operands.filter((_, place) => place % 2 === 0).map(stringOf),
    operands.filter((_, place) => place % 2 === 1),
  );
}

export type StructOperand = { readonly name: SqlName | null; readonly operand: unknown };

const labelled = wordSet('struct struct_pack struct_func');
const alternating = wordSet('map named_struct object_construct object_construct_keep_null');

/** How a dialect names the fields of a row without labels; null if it gives them no names. */
function placeName(dialect: SqlDialect, place: number): SqlName | null {
  if (dialect === 'clickhouse') return { text: `${place + 1}`, quoted: false };
  return dialect === 'postgres' ? { text: `f${place + 1}`, quoted: false } : null;
}

/** The key of `{'a': x}`, or of DuckDB's `{a: x}` and `{"a": x}`. */
function keyOf(analysis: Analysis, key: unknown): string | null {
  const node = syntaxOf(key);
  const isBare = node?.kind === 'column' && (node.fields['table'] ?? null) === null;
  if (!isBare) return stringOf(key);
  analysis.visit(node.fields);
  return nameOf(node.fields['name'])?.text ?? null;
}

function pairs(names: readonly (string | null)[], values: readonly unknown[]): readonly StructOperand[] | null {
  if (names.length !== values.length || names.includes(null)) return null;
  return names.map((text, place) => ({ name: { text: text ?? '', quoted: false }, operand: values[place] }));
}

function labelledOperand(operand: unknown): StructOperand {
  const node = syntaxOf(operand);
  if (node?.kind === 'named_argument') return { name: nameOf(node.fields['name']), operand: node.fields['value'] };
  if (node?.kind === 'alias') return { name: nameOf(node.fields['alias']), operand: node.fields['this'] };
  return { name: node === null ? null : lastName(node), operand };
}

/** A field without a label is named after its column. */
function lastName({ kind, fields }: Syntax): SqlName | null {
  if (kind === 'dot') return nameOf(fields['field']);
  return kind === 'column' || kind === 'identifier' ? nameOf(fields['name']) : null;
}
