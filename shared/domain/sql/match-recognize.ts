import type { FromSource } from './from-source.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { merge, through } from './provenance.ts';
import { column } from './row.ts';
import { relabelled } from './row-change.ts';
import { starRow } from './star.ts';
import { childOf, childrenOf, listOf, nameOf, namesOf, recordsOf, type SyntaxFields, textOf } from './syntax.ts';
import type { SqlName } from './types.ts';
import type { Provenance, Row } from './values.ts';

/** MATCH_RECOGNIZE: the partition's columns and the measures of each match, or of each of its rows. */
export function matchedSource(analysis: Analysis, fields: SyntaxFields, scope: NameScope): FromSource {
  const row = inputRow(analysis, fields, scope);
  const within = matchScope(fields, row, scope);
  const evaluate = (item: unknown) => analysis.expression(analysis, item, within);
  const partition = childrenOf(fields, 'partition_by');
  const order = recordsOf(fields, 'order_by').map((item) => item['this']);
  const conditions = listOf(fields['define']).map((pair) => listOf(pair)[1]);
  analysis.recordIndirect(evaluate(partition.map(({ kind, fields: own }) => ({ [kind]: own }))), 'GROUP_BY');
  analysis.recordIndirect(evaluate(order), 'SORT');
  analysis.recordIndirect(evaluate(conditions), 'FILTER');
  // Which rows a measure reads is chosen by the order and by the conditions of the pattern.
  const chosen = through(merge([evaluate(order), evaluate(conditions)]), 'WINDOW');
  const measures = recordsOf(fields, 'measures').map((item) => measure(item, chosen, evaluate));
  const keys = partition.map((node) => column(keyName(node.fields), evaluate({ [node.kind]: node.fields })));
  const isEveryRow = /all/i.test(textOf(fields, 'rows') ?? '');
  return {
    alias: nameOf(fields['alias']),
    relation: null,
    row: relabelled([...(isEveryRow ? row : keys), ...measures], namesOf(fields, 'alias_columns')),
    element: null,
  };
}

function inputRow(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Row {
  const inner = childOf(fields, 'this');
  const start = { ...scope, sources: [], merged: new Map() };
  return inner === null ? [] : starRow(analysis, {}, analysis.source(analysis, inner, start));
}

/** A variable of the pattern qualifies the columns of the rows that it matches. */
function matchScope(fields: SyntaxFields, row: Row, scope: NameScope): NameScope {
  const defined = listOf(fields['define']).flatMap((pair) => nameOf(listOf(pair)[0]) ?? []);
  const matched = (textOf(fields, 'pattern') ?? '').match(/\w+/g) ?? [];
  const variables = [...defined, ...matched.map((text) => ({ text, quoted: false }))];
  const source = (alias: SqlName | null): FromSource => ({ alias, relation: null, row, element: null });
  const around = { ...scopeWithin(scope, scope.ctes), sources: variables.map(source) };
  return { ...scopeWithin(around, scope.ctes), sources: [source(null)] };
}

function measure(item: SyntaxFields, chosen: Provenance, evaluate: (item: unknown) => Provenance) {
  const value = through(evaluate(item['this']), 'TRANSFORMATION');
  return column(nameOf(childOf(item, 'this')?.fields['alias']), merge([value, chosen]));
}

function keyName(fields: SyntaxFields): SqlName | null {
  return nameOf(fields['name']);
}
