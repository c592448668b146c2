import { branchedValue, chosenValue, comparingValue, decodedValue, defaultingValue } from './conditional.ts';
import { withoutDatePart } from './date-part.ts';
import { pathIn } from './from-call.ts';
import {
  choosesRow,
  countsRows,
  isAggregate,
  isCollecting,
  isMasking,
  keepsFields,
  keywordColumn,
  rowFunctionColumns,
  wordValue,
} from './functions.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { fromColumn, merge, nothing, through, unknown, withFields } from './provenance.ts';
import { presenceOf } from './resolve-name.ts';
import { column, mappedRow, wholeOf } from './row.ts';
import { starRow } from './star.ts';
import { extractedValue, type StructOperand, structOperands, throughWithFields, withOthers } from './struct.ts';
import {
  childOf,
  entriesOf,
  functionName,
  listOf,
  nameOf,
  nodesIn,
  type Syntax,
  type SyntaxFields,
  stringOf,
  syntaxOf,
  unquoted,
  wordSet,
} from './syntax.ts';
import type { Provenance, Row } from './types.ts';

/** Fields of an operator or call that hold no operand. */
const notOperands = wordSet('to data_type alias span inferred_type unit operator');

/** What a call or operator makes of its operands. One that seems constant and holds a name that nobody read is unknown. */
export function callValue(analysis: Analysis, node: Syntax, scope: NameScope): Provenance {
  const value = computedValue(analysis, node, scope);
  const isKnown = value.columns.size > 0 || value.reasons.size > 0;
  return isKnown || !holdsUnreadName(analysis, node) ? value : unknown('a name in the expression is not understood');
}

function holdsUnreadName(analysis: Analysis, { kind, fields }: Syntax): boolean {
  const nodes = nodesIn({ [kind]: fields });
  analysis.spend(nodes.length >> 4);
  return nodes.some((node) => names.has(node.kind) && !analysis.isVisited(node.fields));
}

const names: ReadonlySet<string> = new Set(['column', 'var']);

function computedValue(analysis: Analysis, node: Syntax, scope: NameScope): Provenance {
  const { kind, fields } = node;
  const name = functionName(kind, fields);
  const word = kind === 'function' && fields['no_parens'] === true ? nameOf(fields['name']) : null;
  if (word !== null) return presenceOf(analysis, word, scope) === 'no' ? nothing : wordValue(analysis, word, scope);
  const special = specialCalls.get(name);
  if (special !== undefined && kind === 'function') return special(analysis, fields, scope);
  const dictionary = dictionaryValue(analysis, name, fields, scope);
  if (dictionary !== null) return dictionary;
  const struct = structOperands(analysis, kind === 'function' ? name : kind, fields);
  if (struct !== null) return structValue(analysis, struct, scope);
  const column = keywordColumn(analysis, node, scope);
  return withOthers(operatorValue(analysis, node, scope), through(column, 'TRANSFORMATION'));
}

type Evaluate = (analysis: Analysis, fields: SyntaxFields, scope: NameScope) => Provenance;

const specialCalls: ReadonlyMap<string, Evaluate> = new Map<string, Evaluate>([
  ['columns', chosenColumns],
  // A literal is replaced before the text is parsed.
  ['identifier', () => unknown('a name is given by an expression')],
  ['nullif', comparingValue],
  ['decode', decodedValue],
  ['multiif', branchedValue],
  ...entriesOf('choose elt', chosenValue),
  ...entriesOf('coalesce ifnull isnull nvl', defaultingValue),
  ...entriesOf(
    `struct_extract tupleelement get_json_object get_path json_extract_path json_extract_path_text json_extract_string
    jsonextract jsonextractbool jsonextractfloat jsonextractint jsonextractraw jsonextractstring`,
    extractedValue,
  ),
]);

function structValue(analysis: Analysis, operands: readonly StructOperand[], scope: NameScope): Provenance {
  const row = operands.flatMap(({ name, operand }): Row => {
    const star = syntaxOf(operand);
    // Spark's `struct(t.*)` and Snowflake's `object_construct(*)`.
    if (star?.kind === 'star' && name === null) return starRow(analysis, star.fields, scope);
    return [column(name, analysis.expression(operand, scope))];
  });
  return withFields(through(wholeOf(row), 'TRANSFORMATION'), row);
}

type Operand = { readonly key: string; readonly value: Provenance };

function operatorValue(analysis: Analysis, node: Syntax, scope: NameScope): Provenance {
  const { kind } = node;
  const name = functionName(kind, node.fields);
  const aggregate = isAggregate(kind) || isAggregate(name);
  const subtype = aggregate ? 'AGGREGATION' : 'TRANSFORMATION';
  const masking = isMasking(kind) || isMasking(name);
  const ofColumns: NameScope = { ...scope, aliasUse: 'last' };
  const within = aggregate && scope.aliasUse === 'outsideAggregates' ? ofColumns : scope;
  const operands = operandsOf(analysis, node, name, within);
  const isSorted = aggregate && (kind !== 'within_group' || collectsWithin(node));
  const values = operands.map(({ key, value }, place) => {
    if (key === 'order_by' && isSorted) return through(value, 'SORT');
    const isChoice = key === 'filter' || key === 'having_max' || choosesRow(name, place, operands.length);
    return isChoice ? through(value, 'CONDITIONAL') : through(value, subtype, masking);
  });
  const built = merge(values);
  const retained = keepsFields(name) || keepsFields(kind) ? operands.findIndex(({ key }) => valueKeys.has(key)) : -1;
  const fieldOperand = operands[retained]?.value.fields;
  if (!fieldOperand) return withFields(built, compositeRow(analysis, name, built));
  const others = merge(values.toSpliced(retained, 1));
  return withFields(
    built,
    mappedRow(fieldOperand, (field) => withOthers(throughWithFields(field, subtype), others)),
  );
}

/** What PostgreSQL's `(jsonb_each(a)).key` chooses from. */
function compositeRow({ dialect }: Analysis, name: string, value: Provenance): Row | null {
  const columns = rowFunctionColumns(name, dialect) ?? [];
  return columns.length > 1 ? columns.map((text) => column(unquoted(text), value)) : null;
}

/** `LISTAGG(a, ',') WITHIN GROUP (ORDER BY b)` puts values in an order; of `PERCENTILE_CONT(0.5)` the order is the value. */
function collectsWithin({ fields }: Syntax): boolean {
  const inner = childOf(fields, 'this');
  return inner !== null && (isCollecting(inner.kind) || isCollecting(functionName(inner.kind, inner.fields)));
}

const valueKeys: ReadonlySet<string> = new Set(['this', 'args', 'expressions']);

function operandsOf(analysis: Analysis, { kind, fields }: Syntax, name: string, scope: NameScope): readonly Operand[] {
  const operands: Operand[] = [];
  const counts = countsRows(name);
  for (const key in fields) {
    const value = fields[key];
    if (typeof value !== 'object' || value === null || notOperands.has(key)) continue;
    // The name of an aggregate that takes parameters, such as `quantile(0.5)(a)`.
    if (key === 'this' && kind.endsWith('parameterized_agg')) continue;
    const items = Array.isArray(value) ? (key === 'args' ? valuesAmong(analysis, name, value, scope) : value) : [value];
    // Texts are comments.
    for (const item of items)
      if (typeof item !== 'string' && !(counts && isBareStar(item)))
        operands.push({ key, value: analysis.expression(item, scope) });
  }
  return operands;
}

/** The arguments that are values: not the unit of a date function or the type of Redshift's `convert(type, value)`. */
function valuesAmong(
  analysis: Analysis,
  name: string,
  items: readonly unknown[],
  scope: NameScope,
): readonly unknown[] {
  const { dialect } = analysis;
  if (name === 'convert' && dialect === 'redshift') {
    for (const { fields } of nodesIn(items.slice(0, 1))) analysis.visit(fields);
    return items.slice(1);
  }
  const values = withoutDatePart({ dialect, name }, items, (word) => presenceOf(analysis, word, scope));
  for (const { fields } of nodesIn(items.filter((item) => !values.includes(item)))) analysis.visit(fields);
  return values;
}

function isBareStar(item: unknown): boolean {
  const node = syntaxOf(item);
  return node?.kind === 'star' && (node.fields['table'] ?? null) === null;
}

/** DuckDB's and ClickHouse's COLUMNS(…) is several columns, chosen by a pattern: which, is known for `*` alone. */
function chosenColumns(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const [argument] = listOf(fields['args']);
  const star = syntaxOf(argument);
  const all = star?.kind === 'star' ? wholeOf(starRow(analysis, star.fields, scope)) : nothing;
  return merge([all, unknown('COLUMNS() stands for several columns')]);
}

/** What a record without a kind holds, such as the parts of a window. */
export function valueOfParts(analysis: Analysis, fields: SyntaxFields | null, scope: NameScope): Provenance {
  if (fields === null) return nothing;
  const values: Provenance[] = [];
  for (const key in fields) {
    const value = fields[key];
    if (typeof value !== 'object' || value === null || notOperands.has(key)) continue;
    values.push(analysis.expression(value, scope));
  }
  return merge(values);
}

/** ClickHouse's `dictGet('dictionary', 'attribute', key)` and `joinGet('table', 'column', key)`; else null. */
function dictionaryValue(analysis: Analysis, name: string, fields: SyntaxFields, scope: NameScope): Provenance | null {
  if (analysis.dialect !== 'clickhouse' || !/^(dict(get|has|is)|joinget)/.test(name)) return null;
  const [dictionary, ...operands] = listOf(fields['args']);
  const node = syntaxOf(dictionary);
  const relation = node && pathIn(node);
  if (relation === null) return null;
  analysis.recordRead(relation);
  const keys = analysis.expression(operands, scope);
  const attributes = byKey.test(name) ? [] : attributesIn(operands[0]);
  // The definition of the dictionary says which column has the keys.
  const read = attributes.length > 0 ? attributes.map((one) => fromColumn(relation, one)) : [unknown(unnamedAttribute)];
  return through(merge([...read, keys]), 'TRANSFORMATION');
}

const byKey = /^dict(has|is|get(hierarchy|children|descendants|keys))/;
const unnamedAttribute = 'the statement does not name the columns of the dictionary';

/** An attribute, or a tuple of several. */
function attributesIn(operand: unknown): readonly string[] {
  const tuple = syntaxOf(operand);
  const listed = tuple?.kind === 'tuple' ? listOf(tuple.fields['expressions']) : [operand];
  const names = listed.flatMap((one) => stringOf(one) ?? []);
  return names.length === listed.length ? names : [];
}
