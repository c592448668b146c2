import { targetSource } from './dml.ts';
import type { Effect } from './effect.ts';
import { type Analysis, type FromSource, type NameScope, scopeWithin } from './name-scope.ts';
import { column, isOpenRow, type Row } from './row.ts';
import { mergedByName } from './row-change.ts';
import { childOf, childrenOf, listOf, nameOf, type Syntax, type SyntaxFields, syntaxOf, textOf } from './syntax.ts';
import type { SqlName } from './types.ts';

/** The columns that the branches of a MERGE set, each from all branches. */
export function mergeEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  const named = childOf(fields, 'this');
  const target = targetSource(analysis, mergeTarget(named), scope);
  analysis.visit((named?.kind === 'alias' ? childOf(named.fields, 'this') : named)?.fields ?? {});
  const using = childOf(fields, 'using');
  const start: NameScope = { ...scopeWithin(scope, scope.ctes), sources: [target] };
  const within = using === null ? start : analysis.source(analysis, using, start);
  analysis.recordIndirect(analysis.expression(analysis, [fields['on'], fields['using_cond']], within), 'JOIN');
  const given = within.sources.slice(1);
  const whens = childrenOf(childOf(fields, 'whens')?.fields ?? {}, 'expressions').map((when) => when.fields);
  for (const when of whens) analysis.recordIndirect(analysis.expression(analysis, when['condition'], within), 'FILTER');
  const rows = whens.map((when) => branchRow(analysis, childOf(when, 'then'), { target, given, within }));
  return {
    kind: 'merge',
    target: target.relation ?? target.written ?? null,
    row: mergedByName(analysis.rules, rows),
    sources: given,
  };
}

function mergeTarget(item: Syntax | null): SyntaxFields {
  if (item?.kind !== 'alias') return item?.fields ?? {};
  return { ...mergeTarget(childOf(item.fields, 'this')), alias: item.fields['alias'] };
}

type Merged = { readonly target: FromSource; readonly given: readonly FromSource[]; readonly within: NameScope };

/** What one WHEN writes: the parser gives it as a list of the verb, the columns and the values. */
function branchRow(analysis: Analysis, then: Syntax | null, { target, given, within }: Merged): Row {
  const [verb, first, second] = then?.kind === 'tuple' ? childrenOf(then.fields, 'expressions') : [];
  if (verb === undefined || first === undefined) return isWholeRow(then) ? given.flatMap(({ row }) => row) : [];
  const where = childrenOf(then?.fields ?? {}, 'expressions').find(({ kind }) => kind === 'where');
  if (where !== undefined)
    analysis.recordIndirect(analysis.expression(analysis, where.fields['this'], within), 'FILTER');
  if (first.kind === 'star' || isWord(first, 'ROW')) return given.flatMap(({ row }) => row);
  if (textOf(verb.fields, 'this')?.toUpperCase() === 'UPDATE') return assignedRow(analysis, first, within);
  const names = second === undefined ? targetNames(target) : childrenOf(first.fields, 'expressions').map(labelOf);
  const values = listOf((second ?? first).fields['expressions']);
  return values.map((value, place) => column(names[place] ?? null, analysis.expression(analysis, value, within)));
}

/** A verb that names no columns, of DuckDB and Databricks, and BigQuery's `INSERT ROW` stand for the whole source row. */
function isWholeRow(then: Syntax | null): boolean {
  return then !== null && ['INSERT', 'INSERT ROW', 'UPDATE'].some((words) => isWord(then, words));
}

function isWord({ kind, fields }: Syntax, word: string): boolean {
  return kind === 'var' && textOf(fields, 'this')?.toUpperCase() === word;
}

function assignedRow(analysis: Analysis, assignments: Syntax, within: NameScope): Row {
  return childrenOf(assignments.fields, 'expressions').map((assignment) =>
    column(
      labelOf(syntaxOf(assignment.fields['left'])),
      analysis.expression(analysis, assignment.fields['right'], within),
    ),
  );
}

function targetNames({ row }: FromSource): readonly (SqlName | null)[] {
  return isOpenRow(row) ? [] : row.map((item) => (item.kind === 'column' ? item.name : null));
}

function labelOf(node: Syntax | null): SqlName | null {
  if (node === null) return null;
  return node.kind === 'dot' ? nameOf(node.fields['field']) : nameOf({ [node.kind]: node.fields });
}
