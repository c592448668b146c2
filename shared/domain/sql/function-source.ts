import { rowFunctionColumns } from './functions.ts';
import { merge, type Provenance, through, unknown } from './provenance.ts';
import { column, openRow, type Row } from './row.ts';
import type { Analysis, Scope, Source } from './scope.ts';
import { childOf, childrenOf, type Fields, listOf, nameOf, namesOf, nodesIn, type Syntax, textOf } from './syntax.ts';
import type { SqlName } from './types.ts';

/** The names that a query gives to what a call in FROM makes. */
export type Labels = { readonly alias: SqlName | null; readonly names: readonly SqlName[] };

/** A call in FROM, LATERAL or CROSS APPLY: its columns are made of its arguments, where it is known to read nothing else. */
export function callSource(analysis: Analysis, node: Syntax, scope: Scope, given: Labels): Source {
  const labels = labelsOf(node.fields, given);
  const call = unwrappedCall(node);
  const name = callName(call);
  const known = rowFunctionColumns(name);
  const made = through(analysis.expression(analysis, operandsOf(call), scope), 'TRANSFORMATION');
  const value = known === null ? merge([made, unknown(unknownColumns(name))]) : made;
  const alias = labels.alias ?? { text: name, quoted: false };
  const parts = known === null ? [] : callColumns(analysis, call, labels.names.length, scope);
  const labelled = labels.names.map((label, place) => column(label, parts[place] ?? value));
  const own = labelled.length > 0 ? labelled : ownColumns(call, name, known ?? [], alias, value);
  const row = own.length > 0 ? own : known === null ? openRow(unknownColumns(name), value) : elementRow(value, alias);
  return { alias, relation: null, row, element: value };
}

const unknownColumns = (name: string): string => `the columns of the table function ${name} are not known`;

/** The elements of an array. */
export function elementSource(value: Provenance, alias: SqlName | null, names: readonly SqlName[]): Source {
  const row = names.length > 0 ? names.map((name) => column(name, value)) : elementRow(value, alias);
  return { alias, relation: null, row, element: value };
}

/** What each of a number of columns of a call is made of, where that can be told; empty where each is made of all. */
export function callColumns(analysis: Analysis, call: Syntax, count: number, scope: Scope): readonly Provenance[] {
  const operands = listOf(operandsOf(call));
  const valueOfAll = (items: readonly unknown[]) =>
    through(analysis.expression(analysis, items, scope), 'TRANSFORMATION');
  if (callName(call) === 'stack' && count > 0) {
    const cells = operands.slice(1);
    return Array.from({ length: count }, (_, place) => valueOfAll(cells.filter((_cell, at) => at % count === place)));
  }
  const ordinality = call.fields['with_ordinality'] === true ? 1 : 0;
  if (call.kind !== 'unnest' || operands.length < 2 || operands.length + ordinality !== count) return [];
  return operands.map((operand) => valueOfAll([operand]));
}

/** PostgreSQL's `f(x) AS t(a int, b text)`, which the parser gives as a pair. */
export function typedCallSource(analysis: Analysis, fields: Fields, scope: Scope): Source {
  const [call, definition] = childrenOf(fields, 'expressions');
  const names =
    definition === undefined
      ? []
      : childrenOf(definition.fields, 'columns').flatMap((item) => nameOf(item.fields['name']) ?? []);
  const alias = definition === undefined ? null : nameOf(definition.fields['this']);
  if (call === undefined || definition?.kind !== 'table_alias')
    return fileSource('a list in FROM is not understood', alias);
  return callSource(analysis, call, scope, { alias, names });
}

/** Rows of something that is no relation, such as a staged file. */
export function fileSource(reason: string, alias: SqlName | null): Source {
  return { alias, relation: null, row: openRow(reason, unknown(reason)), element: null };
}

function labelsOf(fields: Fields, given: Labels): Labels {
  const offset = offsetName(fields);
  const names = given.names.length > 0 ? given.names : namesOf(fields, 'column_aliases');
  const alias = given.alias ?? nameOf(fields['alias']);
  if (offset === null) return { alias, names };
  return { alias, names: [...(names.length > 0 || alias === null ? names : [alias]), offset] };
}

/** BigQuery's WITH OFFSET, which has a name of its own; with ordinality elsewhere is named by the aliases. */
function offsetName(fields: Fields): SqlName | null {
  const named = nameOf(fields['offset_alias']);
  if (named !== null || fields['with_ordinality'] !== true || fields['alias'] === null) return named;
  return namesOf(fields, 'column_aliases').length === 0 ? { text: 'offset', quoted: false } : null;
}

function unwrappedCall(node: Syntax): Syntax {
  const [argument, ...more] = childrenOf(node.fields, 'args');
  const isTable = node.kind === 'function' && textOf(node.fields, 'name')?.toLowerCase() === 'table';
  const inner = node.kind === 'lateral' ? childOf(node.fields, 'this') : isTable && more.length === 0 ? argument : null;
  return inner ? unwrappedCall(inner) : node;
}

function callName({ kind, fields }: Syntax): string {
  const name =
    kind === 'function' ? textOf(fields, 'name') : kind === 'method_call' ? nameOf(fields['method'])?.text : kind;
  return (name ?? kind).toLowerCase();
}

function operandsOf(call: Syntax): unknown {
  const { kind, fields } = call;
  if (kind === 'function' || kind === 'method_call') return fields['args'];
  if (kind === 'unnest') return [fields['this'], ...listOf(fields['expressions'])];
  if (definesColumns.has(kind)) return [fields['this']];
  return [{ [kind]: fields }];
}

const definesColumns: ReadonlySet<string> = new Set(['j_s_o_n_table', 'open_j_s_o_n', 'x_m_l_table']);

/** The columns that a call defines within itself, else those that it always has; the alias of a single one names it. */
function ownColumns(call: Syntax, name: string, known: readonly string[], alias: SqlName, value: Provenance): Row {
  const defined = nodesIn(call.fields)
    .filter((node) => node.kind.endsWith('column_def'))
    .flatMap((node) => nameOf(node.fields['this']) ?? nameOf(node.fields['name']) ?? []);
  if (defined.length > 0) return defined.map((label) => column(label, value));
  if (known.length === 1 && known[0] === name) return [column(alias, value)];
  return known.map((text) => column({ text, quoted: false }, value));
}

/** An element is a value or a struct whose fields may be named like columns. */
function elementRow(value: Provenance, alias: SqlName | null): Row {
  const fields = openRow('the fields of an element are not known', value, true);
  return alias === null ? fields : [column(alias, value), ...fields];
}
