import { alteredViewEffect, optionalRow, tableEffect, tablePath, unknownRow, viewEffect } from './created-relation.ts';
import { withClause } from './cte.ts';
import { deleteEffect, updateEffect } from './dml.ts';
import type { Effect } from './effect.ts';
import { insertEffect } from './insert.ts';
import { mergeEffect } from './merge.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { outputEffects } from './output-into.ts';
import { pathOf } from './path.ts';
import { renamingOf } from './renaming.ts';
import { relationRow } from './row.ts';
import { relabelled } from './row-change.ts';
import {
  childOf,
  childrenOf,
  fieldsOf,
  isQuery,
  nameOf,
  nodesIn,
  type Syntax,
  type SyntaxFields,
  tableNameOf,
} from './syntax.ts';
import type { SqlName } from './types.ts';
import type { Row } from './values.ts';

/** What a statement writes or gives; empty for one that has no columns to speak of. */
export function effectOf(analysis: Analysis, statement: Syntax, scope: NameScope): readonly Effect[] {
  const { kind, fields } = statement;
  if (isQuery(statement) || kind === 'pivot' || kind === 'unpivot') return [queryEffect(analysis, statement, scope)];
  const clause = fields['with'] ?? fields['with_cte'] ?? childOf(fields, 'with_')?.fields;
  const within = withClause(analysis, clause, scope);
  if (kind === 'multitable_inserts') return multipleInserts(analysis, fields, within);
  const effect = effects.get(kind)?.(analysis, fields, within) ?? null;
  return effect === null ? [] : [effect, ...outputEffects(analysis, fields, effect, within)];
}

type Evaluate = (analysis: Analysis, fields: SyntaxFields, scope: NameScope) => Effect | null;

const effects: ReadonlyMap<string, Evaluate> = new Map<string, Evaluate>([
  ['insert', insertEffect],
  ['create_table', tableEffect],
  ['create_view', viewEffect],
  ['alter_view', alteredViewEffect],
  ['merge', mergeEffect],
  ['update', updateEffect],
  ['delete', deleteEffect],
  ['copy', copyEffect],
  ['cache', cacheEffect],
  ['export', exportEffect],
]);

/** Statements that define or control, and read no rows unless a query is within. */
const readingNothing =
  /^(alter_|analyze|comment|commit|create_(database|index|role|schema|sequence|stage|table|type|user)|declare|drop_|grant|kill|lock|pragma|put$|refresh$|revoke|rollback|set_|show|transaction|truncate|undrop$|use$)/;

export function readsNothing(statement: Syntax): boolean {
  const { kind, fields } = statement;
  if (kind === 'create_function') return !/\bselect\b/i.test(JSON.stringify(fields));
  // Rows pass from one relation to another, though no query says so.
  if (renamingOf(statement)?.isSwap === true) return false;
  return readingNothing.test(kind) && !nodesIn(fields).some((node) => node.kind === 'select');
}

/** `INSERT ALL` and `INSERT FIRST`: each branch takes rows of one query, by conditions. */
function multipleInserts(analysis: Analysis, fields: SyntaxFields, scope: NameScope): readonly Effect[] {
  const row = optionalRow(analysis, fields['source'], scope);
  const source = { alias: null, relation: null, row, element: null };
  const within = { ...scopeWithin(scope, scope.ctes), sources: [source] };
  return childrenOf(fields, 'expressions').flatMap((branch) => {
    analysis.recordIndirect(analysis.expression(analysis, branch.fields['expression'], within), 'FILTER');
    const insert = childOf(branch.fields, 'this');
    return insert === null ? [] : [insertEffect(analysis, insert.fields, within, row)];
  });
}

function cacheEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  const row = optionalRow(analysis, fields['query'], scope);
  return { kind: 'other', target: tablePath(fields['table']), row, temporary: true };
}

/** BigQuery's `EXPORT DATA … AS SELECT …` writes files. */
function exportEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  return { kind: 'copy', target: null, row: optionalRow(analysis, fields['this'], scope) };
}

function queryEffect(analysis: Analysis, query: Syntax, scope: NameScope): Effect {
  const row = analysis.query(analysis, query, scope);
  const into = intoOf(query);
  const target = into === null ? null : tableNameOf(into.fields);
  if (into !== null) analysis.visit(into.fields);
  return { kind: target === null ? null : 'select_into', target, row };
}

/** `SELECT … INTO t`, also in the first SELECT of a set operation. */
function intoOf({ fields }: Syntax): Syntax | null {
  const into = fieldsOf(fields['into']);
  if (into !== null) return childOf(into, 'this');
  const first = childOf(fields, 'left') ?? childOf(fields, 'this');
  return first !== null && isQuery(first) ? intoOf(first) : null;
}

function copyEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  const { item, names } = copiedItem(fields);
  const into = fields['is_into'] === true || fields['kind'] === true;
  if (item !== null && isQuery(item)) return { kind: 'copy', target: null, row: analysis.query(analysis, item, scope) };
  if (item !== null) analysis.visit(item.fields);
  const [query] = childrenOf(fields, 'files').filter(isQuery);
  const row =
    query === undefined ? unknownRow('the columns of a file are not known') : analysis.query(analysis, query, scope);
  if (into && item?.kind === 'literal') return unloadEffect(analysis, fields, row);
  if (into) return { kind: 'copy', target: item === null ? null : tablePath(item.fields), row: relabelled(row, names) };
  const read = item === null ? [] : tableNameOf(item.fields);
  if (item !== null && read.length > 0) analysis.recordRead(read);
  return { kind: 'copy', target: null, row: relationRow(read, analysis.columnsOf(read)) };
}

/** `COPY INTO t (a, b)`. */
function copiedItem(fields: SyntaxFields): { readonly item: Syntax | null; readonly names: readonly SqlName[] } {
  const item = childOf(fields, 'this');
  if (item?.kind !== 'schema') return { item, names: [] };
  const names = childrenOf(item.fields, 'expressions').flatMap((one) => nameOf(one.fields['name']) ?? []);
  return { item: childOf(item.fields, 'this'), names };
}

/** `COPY INTO @stage FROM t`, whose relation the parser gives as a column. */
function unloadEffect(analysis: Analysis, fields: SyntaxFields, row: Row): Effect {
  const [from] = childrenOf(fields, 'files');
  const path = from === undefined ? null : pathOf(from);
  if (path === null) return { kind: 'copy', target: null, row };
  analysis.recordRead(path);
  return { kind: 'copy', target: null, row: relationRow(path, analysis.columnsOf(path)) };
}
