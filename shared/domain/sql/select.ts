import { callColumns } from './function-source.ts';
import { joinedScope } from './join.ts';
import { foldedName } from './name-rules.ts';
import { outputName } from './output-name.ts';
import { type Provenance, unknown } from './provenance.ts';
import { column, openRow, type Row } from './row.ts';
import { type Analysis, type Scope, scopeWithin } from './scope.ts';
import { noteClauses } from './select-clauses.ts';
import { fieldsRow, starRow } from './star.ts';
import {
  childOf,
  childrenOf,
  type Fields,
  fieldsOf,
  nameOf,
  namesOf,
  recordsOf,
  type Syntax,
  textOf,
} from './syntax.ts';
import type { SqlName } from './types.ts';

/** The columns of one SELECT. */
export function selectRow(analysis: Analysis, { fields }: Syntax, outer: Scope): Row {
  analysis.visit(fields);
  // FOR UPDATE OF names relations that FROM reads.
  for (const lock of recordsOf(fields, 'locks'))
    for (const relation of childrenOf(lock, 'expressions')) analysis.visit(relation.fields);
  const from = fromScope(analysis, fields, outer);
  const { row, aliases } = listRow(analysis, childrenOf(fields, 'expressions'), from);
  noteClauses(analysis, fields, row, { ...from, aliases });
  return row;
}

function fromScope(analysis: Analysis, fields: Fields, outer: Scope): Scope {
  const start: Scope = {
    ...scopeWithin(outer, outer.ctes),
    // The depth of a row in a hierarchical query is named like a column.
    parameters: fieldsOf(fields['connect']) === null ? new Set() : new Set(['level', 'LEVEL']),
    aliasUse: analysis.rules.listAliases,
    windows: recordsOf(fields, 'windows'),
  };
  const items = childrenOf(fieldsOf(fields['from']) ?? {}, 'expressions');
  const listed = items.reduce((scope, item) => analysis.source(analysis, item, scope), start);
  const joined = joinedScope(analysis, recordsOf(fields, 'joins'), listed);
  const views = recordsOf(fields, 'lateral_views').map(lateralOf);
  return views.reduce((scope, view) => analysis.source(analysis, view, scope), joined);
}

/** Hive's LATERAL VIEW in the form of LATERAL. */
function lateralOf(view: Fields): Syntax {
  return { kind: 'lateral', fields: { ...view, alias: view['table_alias'] } };
}

type Listed = { readonly row: Row; readonly aliases: ReadonlyMap<string, Provenance> };

/** An item sees the aliases of those before it, where the dialect allows. */
function listRow(analysis: Analysis, items: readonly Syntax[], scope: Scope): Listed {
  const aliases = new Map<string, Provenance>();
  const row: Row[number][] = [];
  for (const item of items) {
    const columns = itemRow(analysis, item, { ...scope, aliases }, row.length);
    analysis.spend(columns.length);
    row.push(...columns);
    for (const { name, value } of item.kind === 'alias' ? columns.filter((one) => one.kind === 'column') : [])
      if (name !== null) aliases.set(foldedName(analysis.rules, name), value);
  }
  return { row, aliases };
}

function itemRow(analysis: Analysis, item: Syntax, scope: Scope, place: number): Row {
  const { kind, fields } = item;
  const node = { [kind]: fields };
  if (kind === 'star') return starRow(analysis, fields, scope);
  if (kind === 'dot' && nameOf(fields['field'])?.text === '*') return fieldsRow(analysis, fields['this'], scope);
  if (kind === 'function' && textOf(fields, 'name')?.toLowerCase() === 'columns')
    return chosenRow(analysis, node, scope);
  if (kind === 'apply') return chosenRow(analysis, fields['this'], scope);
  const assigned = kind === 'eq' && assigning.has(analysis.dialect) ? assignedAlias(fields) : null;
  if (assigned !== null) return [column(assigned, analysis.expression(analysis, fields['right'], scope))];
  const inner = childOf(fields, 'this');
  const names = namesOf(fields, kind === 'aliases' ? 'aliases' : 'column_aliases');
  if (inner !== null && names.length > 0) return labelledRow(analysis, inner, names, scope);
  return [column(outputName(analysis.dialect, item, place), analysis.expression(analysis, node, scope))];
}

const assigning: ReadonlySet<string> = new Set(['tsql', 'fabric']);

/** SQL Server's `alias = expression`. */
function assignedAlias(fields: Fields): SqlName | null {
  const left = childOf(fields, 'left');
  return left?.kind === 'column' && left.fields['table'] === null ? nameOf(left.fields['name']) : null;
}

/** `f(x) AS (a, b)`: one call that gives several columns. */
function labelledRow(analysis: Analysis, call: Syntax, names: readonly SqlName[], scope: Scope): Row {
  const all = analysis.expression(analysis, { [call.kind]: call.fields }, scope);
  const parts = callColumns(analysis, call, names.length, scope);
  return names.map((name, place) => column(name, parts[place] ?? all));
}

/** Columns that a pattern or a function over `*` chooses: not even their number is known. */
function chosenRow(analysis: Analysis, node: unknown, scope: Scope): Row {
  analysis.expression(analysis, node, scope);
  const reason = 'columns are chosen by a pattern';
  return openRow(reason, unknown(reason));
}
