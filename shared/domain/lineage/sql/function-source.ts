import { namesByPlace } from './dialect.ts';
import { derivedSource, type FromSource } from './effect.ts';
import { callName, isNumbered, operandsOf, unwrappedCall, valueOfArgument } from './from-call.ts';
import { isOfScalars, rowFunctionColumns } from './functions.ts';
import { callColumns, generatedRow } from './generator.ts';
import { type Analysis, type NameScope, scopesFrom, scopeWithin } from './name-scope.ts';
import { merge, unknown } from './provenance.ts';
import { column, isOpenRow, openRow, pathOf, relabelled } from './row.ts';
import { extractedValue, throughWithFields } from './struct.ts';
import {
  childrenOf,
  isQuery,
  listOf,
  nameOf,
  namesOf,
  nodesIn,
  type Syntax,
  type SyntaxFields,
  stringOf,
  syntaxOf,
  unquoted,
  wordSet,
} from './syntax.ts';
import type { Provenance, RelationName, Row, SqlName } from './types.ts';
import { structureNames } from './values.ts';

/** The names that a query gives to what a call in FROM makes. */
type Labels = { readonly alias: SqlName | null; readonly names: readonly SqlName[] };

/** A call in FROM, LATERAL or CROSS APPLY: its columns consist of its arguments, if it is known to read nothing else. */
export function callSource(analysis: Analysis, node: Syntax, scope: NameScope, provided: Labels): FromSource {
  const labels = labelsOf(node.fields, provided);
  const call = unwrappedCall(node);
  const name = callName(call);
  const embedded = embeddedSource(analysis, call, labels, scope);
  if (embedded !== null) return embedded;
  const known = rowFunctionColumns(name, analysis.dialect);
  const inner = name === 'flatten' ? pathOfInput(call) : null;
  const operands =
    inner === null
      ? analysis.expression(recordTableArguments(analysis, call, scope), scope)
      : extractedValue(analysis, { args: inner }, scope);
  // How many rows there are is decided by the operands.
  analysis.recordIndirect(operands, 'JOIN');
  const built = throughWithFields(operands, 'TRANSFORMATION');
  const value = known === null ? merge([built, unknown(unknownColumns(name))]) : built;
  // BigQuery's UNNEST without an alias has no name, so that only bare names can mean its fields.
  const isNameless = labels.alias === null && labels.names.length === 0 && analysis.dialect === 'bigquery';
  const alias = labels.alias ?? unquoted(name);
  const shown = isNameless && call.kind === 'unnest' ? null : alias;
  const own = ownRow(analysis, call, { alias: shown, value }, scope);
  const number = namesByPlace.has(analysis.dialect) ? null : unquoted('ordinality');
  const ordinality = analysis.dialect !== 'bigquery' && isNumbered(call) ? [column(number, value)] : [];
  if (labels.names.length === 0) return derivedSource(shown, [...own, ...ordinality], value);
  const parts = known === null ? [] : callColumns(analysis, call, labels.names.length, scope);
  const labelled = labels.names.map((label, place) => column(label, parts[place] ?? value));
  // An element counts as one column, however many fields it has.
  const others = [...(isOpenRow(own) ? own.slice(0, 1) : own), ...ordinality].slice(labelled.length);
  return derivedSource(shown, [...labelled, ...others], value);
}

type Element = { readonly alias: SqlName | null; readonly value: Provenance };

/** The columns of a call without labels. */
function ownRow(analysis: Analysis, call: Syntax, { alias, value }: Element, scope: NameScope): Row {
  const { dialect } = analysis;
  const name = callName(call);
  const known = rowFunctionColumns(name, dialect);
  const own = known === null ? null : generatedRow(analysis, call, value, scope);
  const columns = own ?? ownColumns(analysis, call, known ?? [], { alias: alias ?? unquoted(name), value });
  if (columns.length > 0) return columns;
  if (known === null) return openRow(unknownColumns(name), value);
  if (dialect === 'duckdb' && name === 'unnest') return [column(unquoted(name), value)];
  // A record is no value with a name.
  if (name.includes('_record')) return elementRow(value, null);
  const operands = call.kind === 'unnest' ? listOf(operandsOf(call)).length : 1;
  if (operands < 2) return elementRow(value, alias, isOfScalars(call));
  const parts = callColumns(analysis, call, operands + (isNumbered(call) ? 1 : 0), scope);
  return parts.map((part) => column(dialect === 'postgres' ? unquoted(name) : null, part));
}

/** The value and the path of Snowflake's `FLATTEN(INPUT => a, PATH => 'b')`; null without a path. */
function pathOfInput(call: Syntax): readonly unknown[] | null {
  const named = ['input', 'path'].map((word) =>
    childrenOf(call.fields, 'args').find(
      ({ kind, fields }) => kind === 'named_argument' && nameOf(fields['name'])?.text.toLowerCase() === word,
    ),
  );
  const values = named.flatMap((one) => (one === undefined ? [] : [one.fields['value']]));
  return values.length === named.length ? values : null;
}

/** Operands without relations given as a whole, which are read: `TABLE(t)`, and `f(s.t)` if no column can be meant. */
function recordTableArguments(analysis: Analysis, call: Syntax, scope: NameScope): readonly unknown[] {
  const name = callName(call);
  const holdsNoColumn = [...scopesFrom(scope)].every(({ sources }) => sources.length === 0);
  const mayName = holdsNoColumn && rowFunctionColumns(name, analysis.dialect) === null;
  const operands = listOf(operandsOf(call));
  return (analysis.rules.equalsNamesArgument ? operands.map(valueOfArgument) : operands).filter((operand) => {
    const node = syntaxOf(operand);
    const value = node?.kind === 'named_argument' ? syntaxOf(node.fields['value']) : node;
    if (value === null || callName(value) === 'descriptor') return value === null;
    const named = mayName ? namedArgument(name, value) : null;
    const path = callName(value) === 'table' ? tableArgument(value) : named;
    if (path !== null) analysis.recordRead(path);
    return path === null;
  });
}

/** A path names a relation; a single word may be a parameter, but of functions whose operand is always a relation. */
function namedArgument(name: string, value: Syntax): RelationName | null {
  const path = ['column', 'identifier', 'dot'].includes(value.kind) ? pathOf(value) : null;
  return path !== null && (path.length > 1 || ofRelations.has(name)) ? path : null;
}

const ofRelations: ReadonlySet<string> = new Set(['live', 'stream']);

function tableArgument(call: Syntax): RelationName | null {
  const [only, ...more] = childrenOf(call.fields, 'args');
  return only === undefined || more.length > 0 ? null : pathOf(only);
}

/** ClickHouse's `view(SELECT …)`, and BigQuery's `EXTERNAL_QUERY('connection', 'SELECT …')`, a statement of another database. */
function embeddedSource(
  analysis: Analysis,
  call: Syntax,
  { alias, names }: Labels,
  scope: NameScope,
): FromSource | null {
  const name = callName(call);
  const [first, second] = listOf(operandsOf(call));
  const written = name === 'view' ? syntaxOf(first) : null;
  const text = name === 'external_query' ? stringOf(second) : null;
  const [query, within] = text === null ? [written, scope] : [analysis.embedded(text), scopeWithin(null, new Map())];
  if (query === null || !isQuery(query)) return null;
  return derivedSource(alias, relabelled(analysis.query(query, within), names));
}

const unknownColumns = (name: string): string => `the columns of the table function ${name} are not known`;

export function elementSource(value: Provenance, alias: SqlName | null, names: readonly SqlName[]): FromSource {
  const row = names.length > 0 ? names.map((name) => column(name, value)) : elementRow(value, alias);
  return derivedSource(alias, row, value);
}

/** PostgreSQL's `f(x) AS t(a int, b text)`, which the parser gives as a pair. */
export function typedCallSource(analysis: Analysis, fields: SyntaxFields, scope: NameScope): FromSource {
  const [call, definition] = childrenOf(fields, 'expressions');
  const alias = nameOf(definition?.fields['this']);
  if (call === undefined || definition?.kind !== 'table_alias')
    return derivedSource(alias, openRow('a list in FROM is not supported'));
  const names = childrenOf(definition.fields, 'columns').flatMap((item) => nameOf(item.fields['name']) ?? []);
  return callSource(analysis, call, scope, { alias, names });
}

function labelsOf(fields: SyntaxFields, provided: Labels): Labels {
  const offset = offsetName(fields);
  const names = provided.names.length > 0 ? provided.names : namesOf(fields, 'column_aliases');
  const alias = provided.alias ?? nameOf(fields['alias']);
  if (offset === null) return { alias, names };
  return { alias, names: [...(names.length > 0 || alias === null ? names : [alias]), offset] };
}

/** BigQuery's WITH OFFSET, which has its own name; with ordinality elsewhere is named by the aliases. */
function offsetName(fields: SyntaxFields): SqlName | null {
  const named = nameOf(fields['offset_alias']);
  if (named !== null || fields['with_ordinality'] !== true || fields['alias'] === null) return named;
  return namesOf(fields, 'column_aliases').length === 0 ? { text: 'offset', quoted: false } : null;
}

type GeneratedColumn = { readonly alias: SqlName; readonly value: Provenance };

/** The columns that a call defines within itself, else those that it always has; the alias of a single one names it. */
function ownColumns(
  { dialect }: Analysis,
  call: Syntax,
  known: readonly string[],
  { alias, value }: GeneratedColumn,
): Row {
  const defined = nodesIn(call.fields)
    .filter((node) => node.kind.endsWith('column_def'))
    .flatMap((node) => nameOf(node.fields['this']) ?? nameOf(node.fields['name']) ?? []);
  // ClickHouse's `s3('place', 'CSV', 'a Int32, b String')`.
  const texts = dialect === 'clickhouse' ? listOf(call.fields['args']) : [];
  defined.push(...texts.flatMap((text) => structureNames(stringOf(text) ?? '') ?? []));
  if (defined.length > 0) return defined.map((label) => column(label, value));
  const isAliased = known.length === 1 && known[0] === callName(call) && !keepsName.has(dialect);
  if (isAliased) return [column(alias, value)];
  return known.map((text) => column(unquoted(text), value));
}

/** Where an alias of a function in FROM is no name of its only column. */
const keepsName = wordSet('clickhouse duckdb');

/** An element is a value or a struct whose fields may be named like columns. */
function elementRow(value: Provenance, alias: SqlName | null, isScalar = false): Row {
  if (isScalar && alias !== null) return [column(alias, value)];
  if (value.fields !== null) return value.fields;
  const fields = openRow('the fields of an element are not known', value, true);
  return alias === null ? fields : [column(alias, value), ...fields];
}
