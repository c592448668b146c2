import { withoutDoubledNames } from './doubled-names.ts';
import { derivedSource, type FromSource } from './effect.ts';
import { callSource, elementSource, typedCallSource } from './function-source.ts';
import { joinedScope } from './join.ts';
import { foldedName } from './name-rules.ts';
import { type Analysis, copyingSteps, type NameScope, scopeWithin } from './name-scope.ts';
import { pivotedSource } from './pivot.ts';
import { merge, through } from './provenance.ts';
import { valueNamed } from './resolve-name.ts';
import { column, openRow, relabelled, withoutColumns } from './row.ts';
import { starRow } from './star.ts';
import {
  childOf,
  childrenOf,
  isQuery,
  listOf,
  nameOf,
  namesOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  splitPath,
  syntaxOf,
  textOf,
  unquoted,
  wordSet,
} from './syntax.ts';
import { calledTable, tableSource } from './table-source.ts';
import type { Provenance, Row, SqlName } from './types.ts';

type Added = Pick<NameScope, 'sources' | 'merged'>;

/** The scope extended by one item of FROM or JOIN. An item sees those before it, as LATERAL does. */
export function scopeWithSource(analysis: Analysis, node: Syntax, scope: NameScope): NameScope {
  const added = addedBy(analysis, node, scope);
  analysis.spend(1 + added.merged.size + copyingSteps(scope.sources));
  return {
    ...scope,
    sources: [...scope.sources, ...added.sources],
    merged: added.merged.size === 0 ? scope.merged : new Map([...scope.merged, ...added.merged]),
  };
}

function addedBy(analysis: Analysis, node: Syntax, scope: NameScope): Added {
  const { kind, fields } = node;
  const inner = childOf(fields, 'this');
  if (kind === 'joined_table') return bracketedJoin(analysis, fields, scope);
  if (isObjectUnpivot(node)) return only(objectPairs(analysis, fields, scope));
  if (isQuery(node)) return withPivots(analysis, fields, only(querySource(analysis, node, fields, scope)), scope);
  if (inner !== null && kind === 'lateral' && isQuery(inner)) return only(querySource(analysis, inner, fields, scope));
  if (inner !== null && (kind === 'pivot' || kind === 'unpivot'))
    return pivoted(analysis, node, addedBy(analysis, inner, scope), scope);
  if (inner !== null && wrappers.has(kind))
    return withPivots(analysis, fields, wrapped(analysis, inner, fields, scope), scope);
  if (inner !== null && kind === 'at_index') return only(indexedArray(analysis, inner, fields, scope));
  if (kind === 'table') return withPivots(analysis, fields, only(tableSource(analysis, fields, scope)), scope);
  const variable = kind === 'stage_reference' ? tableVariable(analysis, fields, scope) : null;
  return only(variable ?? otherSource(analysis, node, scope));
}

/** SQL Server's `@t`, which the parser takes for a staged file. */
function tableVariable(analysis: Analysis, fields: SyntaxFields, scope: NameScope): FromSource | null {
  const name = textOf(fields, 'name') ?? '';
  if (!scope.ctes.has(foldedName(analysis.rules, unquoted(name)))) return null;
  return tableSource(analysis, { ...fields, name: { name, quoted: false } }, scope);
}

const wrappers = wordSet('alias paren subquery table_sample tablesample sample final');

const only = (source: FromSource): Added => ({ sources: [source], merged: new Map() });

function bracketedJoin(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Added {
  const left = childOf(fields, 'left');
  // Within the brackets USING compares only what is there; the rest is seen as LATERAL sees it.
  const around = { ...scope, sources: [], merged: new Map(), outer: scope };
  const start = left === null ? around : analysis.source(left, around);
  const joined = joinedScope(analysis, recordsOf(fields, 'joins'), start);
  const added: Added = { sources: joined.sources, merged: joined.merged };
  return named(analysis, added, fields, scope);
}

/** Redshift's `FROM t, t.items AS item AT place`; the parser gives the path as one name. */
function indexedArray(analysis: Analysis, array: Syntax, fields: SyntaxFields, scope: NameScope): FromSource {
  const alias = nameOf(array.fields['alias']);
  const path = nameOf(array.kind === 'alias' ? childOf(array.fields, 'this')?.fields['name'] : array.fields['name']);
  const parts = splitPath(path?.text ?? '', path?.quoted);
  const names = [alias, nameOf(fields['expression'])].filter((name) => name !== null);
  return elementsOf(analysis, valueNamed(analysis, parts, scope), names);
}

/** Redshift's `FROM t, UNPIVOT t.pairs AS value AT name`; the parser gives both names as one. */
function objectPairs(analysis: Analysis, fields: SyntaxFields, scope: NameScope): FromSource {
  const provided = nameOf(fields['alias']);
  const names = provided?.text.split(/ AT /i).map((text) => ({ text, quoted: provided.quoted })) ?? [];
  return elementsOf(analysis, analysis.expression(fields['this'], scope), names);
}

/** Unlike DuckDB's UNPIVOT statement it lists no columns. */
function isObjectUnpivot({ kind, fields }: Syntax): boolean {
  const isOfPath = kind === 'pivot' && fields['unpivot'] === true && childOf(fields, 'this')?.kind === 'column';
  return isOfPath && childrenOf(fields, 'expressions').length === 0;
}

/** How many elements there are is decided by the array or object. */
function elementsOf(analysis: Analysis, value: Provenance, names: readonly SqlName[]): FromSource {
  analysis.recordIndirect(value, 'JOIN');
  return elementSource(through(value, 'TRANSFORMATION'), names[0] ?? null, names);
}

function querySource(analysis: Analysis, query: Syntax, labels: SyntaxFields, scope: NameScope): FromSource {
  const row = relabelled(analysis.query(query, scope), namesOf(labels, 'column_aliases'));
  return derivedSource(nameOf(labels['alias']), withoutDoubledNames(analysis, row));
}

function wrapped(analysis: Analysis, inner: Syntax, fields: SyntaxFields, scope: NameScope): Added {
  const alias = nameOf(fields['alias']);
  const names = namesOf(fields, 'column_aliases');
  if (alias !== null && isCall(inner) && inner.kind !== 'stage_reference') {
    const table = calledTable(analysis, inner, scope);
    const source = table === null ? null : { ...table, alias, row: relabelled(table.row, names) };
    return only(source ?? callSource(analysis, inner, scope, { alias, names }));
  }
  return named(analysis, addedBy(analysis, inner, scope), fields, scope);
}

/** An alias of one item renames it; an alias of a bracketed join makes one item of several. */
function named(analysis: Analysis, added: Added, fields: SyntaxFields, scope: NameScope): Added {
  const alias = nameOf(fields['alias']);
  const names = namesOf(fields, 'column_aliases');
  const [first, ...more] = added.sources;
  if (alias === null || first === undefined) return added;
  if (more.length === 0) return only({ ...first, alias, row: relabelled(first.row, names) });
  const row = starRow(analysis, {}, { ...scope, ...added });
  return only(derivedSource(alias, relabelled(row, names)));
}

function isCall(node: Syntax): boolean {
  const { kind } = node;
  const isSource = wrappers.has(kind) || kind === 'table' || kind === 'joined_table' || kind.endsWith('pivot');
  return !isSource && !isQuery(node);
}

function withPivots(analysis: Analysis, fields: SyntaxFields, added: Added, scope: NameScope): Added {
  return childrenOf(fields, 'pivots').reduce((current, pivot) => pivoted(analysis, pivot, current, scope), added);
}

function pivoted(analysis: Analysis, pivot: Syntax, added: Added, scope: NameScope): Added {
  const row = starRow(analysis, {}, { ...scope, ...added });
  const before = added.sources.at(-1)?.alias ?? null;
  return only(pivotedSource(analysis, pivot, derivedSource(before, row), scope));
}

function otherSource(analysis: Analysis, node: Syntax, scope: NameScope): FromSource {
  if (node.kind === 'tuple') return typedCallSource(analysis, node.fields, scope);
  if (node.kind === 'stage_reference')
    return derivedSource(nameOf(node.fields['alias']), openRow('the columns of a staged file are not known'));
  if (node.kind === 'match_recognize') return matchedSource(analysis, node.fields, scope);
  return calledTable(analysis, node, scope) ?? callSource(analysis, node, scope, { alias: null, names: [] });
}

/** MATCH_RECOGNIZE: the partition's columns and the measures of each match, or of each of its rows. */
function matchedSource(analysis: Analysis, fields: SyntaxFields, scope: NameScope): FromSource {
  const row = inputRow(analysis, fields, scope);
  const within = matchScope(fields, row, scope);
  const evaluate = (item: unknown) => analysis.expression(item, within);
  const partition = childrenOf(fields, 'partition_by');
  const order = recordsOf(fields, 'order_by').map((item) => item['this']);
  const conditions = listOf(fields['define']).map((pair) => listOf(pair)[1]);
  analysis.recordIndirect(evaluate(partition.map(({ kind, fields: own }) => ({ [kind]: own }))), 'GROUP_BY');
  analysis.recordIndirect(evaluate(order), 'SORT');
  analysis.recordIndirect(evaluate(conditions), 'FILTER');
  // Which rows a measure reads is chosen by the order and by the conditions of the pattern.
  const chosen = through(merge([evaluate(order), evaluate(conditions)]), 'WINDOW');
  const measures = recordsOf(fields, 'measures').map((item) => measure(item, chosen, evaluate));
  const named = (nodes: readonly Syntax[]) =>
    nodes.map((node) => column(nameOf(node.fields['name']), evaluate({ [node.kind]: node.fields })));
  const keys = named(partition);
  const isEveryRow = /all/i.test(textOf(fields, 'rows') ?? '');
  const places = isEveryRow ? [...keys, ...named(order.flatMap((item) => syntaxOf(item) ?? []))] : keys;
  const placed = places.flatMap(({ name }) => name ?? []);
  const others = isEveryRow ? withoutColumns(analysis.rules, row, placed) : [];
  // Snowflake does not put the columns of the partition and the order in front.
  const isInPlace = isEveryRow && analysis.dialect === 'snowflake';
  const columns = isInPlace ? [...row, ...measures] : [...places, ...measures, ...others];
  return derivedSource(nameOf(fields['alias']), relabelled(columns, namesOf(fields, 'alias_columns')));
}

function inputRow(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Row {
  const inner = childOf(fields, 'this');
  const start = { ...scope, sources: [], merged: new Map() };
  return inner === null ? [] : starRow(analysis, {}, analysis.source(inner, start));
}

/** A variable of the pattern qualifies the columns of the rows that it matches. */
function matchScope(fields: SyntaxFields, row: Row, scope: NameScope): NameScope {
  const defined = listOf(fields['define']).flatMap((pair) => nameOf(listOf(pair)[0]) ?? []);
  const matched = (textOf(fields, 'pattern') ?? '').match(/\w+/g) ?? [];
  const variables = [...defined, ...matched.map(unquoted)].map((name) => derivedSource(name, row));
  const around = { ...scopeWithin(scope, scope.ctes), sources: variables };
  return { ...scopeWithin(around, scope.ctes), sources: [derivedSource(null, row)] };
}

function measure(item: SyntaxFields, chosen: Provenance, evaluate: (item: unknown) => Provenance) {
  const value = through(evaluate(item['this']), 'TRANSFORMATION');
  return column(nameOf(childOf(item, 'this')?.fields['alias']), merge([value, chosen]));
}
