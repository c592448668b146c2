import type { Effect, FromSource } from './effect.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { column, columnNamed, isOpenRow, mergedByName, relabelled, withoutColumns } from './row.ts';
import {
  childOf,
  childrenOf,
  listOf,
  nameOf,
  namesOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  textOf,
} from './syntax.ts';
import type { Row, SqlName } from './types.ts';
import { assignedValue, targetSource } from './update.ts';

/** The columns that the branches of a MERGE set, each from all branches. */
export function mergeEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  const named = childOf(fields, 'this');
  const target = targetSource(analysis, mergeTarget(named), scope);
  analysis.visit((named?.kind === 'alias' ? childOf(named.fields, 'this') : named)?.fields ?? {});
  const using = childOf(fields, 'using');
  const start: NameScope = { ...scopeWithin(scope, scope.ctes), sources: [target] };
  const within = using === null ? start : analysis.source(using, start);
  analysis.recordIndirect(analysis.expression(fields['on'], within), 'JOIN');
  const shared = childOf(fields, 'using_cond')?.fields['expressions'];
  for (const side of within.sources)
    analysis.recordIndirect(analysis.expression(shared, { ...within, sources: [side] }), 'JOIN');
  const provided = within.sources.slice(1);
  const whens = childrenOf(childOf(fields, 'whens')?.fields ?? {}, 'expressions').map((when) => when.fields);
  for (const when of whens) analysis.recordIndirect(analysis.expression(when['condition'], within), 'FILTER');
  const rows = whens.map((when) => branchRow(analysis, childOf(when, 'then'), { target, given: provided, within }));
  return {
    kind: 'merge',
    target: target.relation ?? target.written ?? null,
    row: mergedByName(analysis.rules, rows),
    sources: provided,
  };
}

function mergeTarget(item: Syntax | null): SyntaxFields {
  if (item?.kind !== 'alias') return item?.fields ?? {};
  return { ...mergeTarget(childOf(item.fields, 'this')), alias: item.fields['alias'] };
}

type Merged = { readonly target: FromSource; readonly given: readonly FromSource[]; readonly within: NameScope };

/** What one WHEN writes: the parser gives it as a list of the verb, the columns and the values. */
function branchRow(analysis: Analysis, then: Syntax | null, merged: Merged): Row {
  const { target, within } = merged;
  const [verb, first, second] = then?.kind === 'tuple' ? childrenOf(then.fields, 'expressions') : [];
  if (verb === undefined || first === undefined) return isWholeRow(then) ? wholeRow(analysis, merged) : [];
  const where = childrenOf(then?.fields ?? {}, 'expressions').find(({ kind }) => kind === 'where');
  if (where !== undefined) analysis.recordIndirect(analysis.expression(where.fields['this'], within), 'FILTER');
  if (first.kind === 'star') return starRow(analysis, merged);
  if (isWord(first, 'ROW')) return wholeRow(analysis, merged);
  if (textOf(verb.fields, 'this')?.toUpperCase() === 'UPDATE') return assignedRow(analysis, first, within);
  const listed = childrenOf(first.fields, 'expressions');
  if (second !== undefined && isWord(second, 'ROW'))
    return relabelled(
      givenRow(merged),
      listed.flatMap((item) => labelOf(item) ?? []),
    );
  const [star] = listed;
  if (second === undefined && star?.kind === 'star') return listedStarRow(analysis, star.fields, merged);
  const names = second === undefined ? targetNames(target) : listed.map(labelOf);
  const values = listOf((second ?? first).fields['expressions']);
  return values.map((value, place) => column(names[place] ?? null, assignedValue(analysis, value, within)));
}

/** A verb that names no columns, of DuckDB and Databricks, and BigQuery's `INSERT ROW` represent the whole source row. */
function isWholeRow(then: Syntax | null): boolean {
  return then !== null && ['INSERT', 'INSERT ROW', 'UPDATE'].some((words) => isWord(then, words));
}

/** What `SET *` and `INSERT *` write: the columns of the target, by name as in Delta Lake, or by place. */
function starRow(analysis: Analysis, merged: Merged): Row {
  return analysis.rules.mergedByPlace ? wholeRow(analysis, merged) : namedRow(analysis, merged, []);
}

/** The star of the rewritten forms: `source.*` is the source's own columns, `*` those of the target by name. */
function listedStarRow(analysis: Analysis, star: SyntaxFields, merged: Merged): Row {
  const except = namesOf(star, 'except');
  const isOfSource = nameOf(star['table']) !== null;
  return isOfSource ? withoutColumns(analysis.rules, givenRow(merged), except) : namedRow(analysis, merged, except);
}

/** Columns of the target that the source has. A source that lacks some may change the target: then all of its own. */
function namedRow({ rules }: Analysis, merged: Merged, except: readonly SqlName[]): Row {
  const row = withoutColumns(rules, givenRow(merged), except);
  if (isOpenRow(merged.target.row)) return row;
  const target = withoutColumns(rules, merged.target.row, except);
  const columns = target.flatMap((item) => {
    const match = item.kind === 'rest' || item.name === null ? null : columnNamed(rules, row, item.name);
    return match === null || item.kind === 'rest' ? [] : [column(item.name, match.value)];
  });
  return columns.length < target.length ? row : columns;
}

const givenRow = ({ given }: Merged): Row => given.flatMap((source) => source.row);

/** The columns of the source, under the target's names where the place decides and both sides are known. */
function wholeRow({ rules }: Analysis, merged: Merged): Row {
  const row = givenRow(merged);
  const names = targetNames(merged.target).filter((name) => name !== null);
  const isPlaced = rules.mergedByPlace && !isOpenRow(row) && names.length === row.length;
  return isPlaced ? relabelled(row, names) : row;
}

function isWord({ kind, fields }: Syntax, word: string): boolean {
  return kind === 'var' && textOf(fields, 'this')?.toUpperCase() === word;
}

function assignedRow(analysis: Analysis, assignments: Syntax, within: NameScope): Row {
  return childrenOf(assignments.fields, 'expressions').map(({ fields }) =>
    column(labelOf(syntaxOf(fields['left'])), assignedValue(analysis, fields['right'], within)),
  );
}

function targetNames({ row }: FromSource): readonly (SqlName | null)[] {
  return isOpenRow(row) ? [] : row.map((item) => (item.kind === 'column' ? item.name : null));
}

function labelOf(node: Syntax | null): SqlName | null {
  if (node === null) return null;
  return node.kind === 'dot' ? nameOf(node.fields['field']) : nameOf({ [node.kind]: node.fields });
}
