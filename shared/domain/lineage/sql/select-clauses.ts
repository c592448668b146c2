import { isAggregate, isRowGenerator } from './functions.ts';
import { foldedName } from './name-rules.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { merge, nothing } from './provenance.ts';
import { wholeOf } from './row.ts';
import {
  childrenOf,
  fieldsOf,
  functionName,
  listOf,
  nameOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
} from './syntax.ts';
import type { IndirectSubtype } from './types.ts';
import type { Provenance, Row } from './values.ts';

/** Records what the clauses of a SELECT read: it decides which rows there are, not the value of one column. */
export function recordClauses(analysis: Analysis, fields: SyntaxFields, row: Row, scope: NameScope): void {
  const afterList = (): NameScope => ({
    ...scope,
    aliases: aliasesOf(analysis, row, scope),
    aliasUse: laterUse(scope),
  });
  for (const key of beforeList) recordClause(analysis, fields[key], 'FILTER', () => scope);
  for (const key of filters) recordClause(analysis, fields[key], 'FILTER', afterList);
  for (const key of groups) recordClause(analysis, fields[key], 'GROUP_BY', afterList);
  recordGroups(analysis, fields, row, afterList);
  recordGenerators(analysis, fields, scope);
  const isDistinct = fields['distinct'] === true && listOf(fields['distinct_on']).length === 0;
  if (isDistinct) analysis.recordIndirect(wholeOf(row), 'GROUP_BY');
  recordOrder(analysis, fields, row, scope);
}

const beforeList = ['where_clause', 'prewhere', 'connect'];
const filters = ['having', 'qualify'];
const groups = ['distinct_on', 'limit_by'];

/** Most queries have few of the clauses, and for those that they do not have no scope is made. */
function recordClause(analysis: Analysis, clause: unknown, subtype: IndirectSubtype, scope: () => NameScope): void {
  if (typeof clause !== 'object' || clause === null) return;
  analysis.recordIndirect(analysis.expression(analysis, clause, scope()), subtype);
}

/** Records ORDER BY, which names the columns of the result before those of the sources, and LIMIT. */
export function recordOrder(analysis: Analysis, fields: SyntaxFields, row: Row, scope: NameScope): void {
  for (const key of ['limit', 'offset', 'fetch', 'top']) recordClause(analysis, fields[key], 'FILTER', () => scope);
  const clauses = ['order_by', 'sort_by', 'distribute_by', 'cluster_by'].map((key) =>
    listOf(fieldsOf(fields[key])?.['expressions']),
  );
  if (clauses.every((items) => items.length === 0)) return;
  const within: NameScope = { ...scope, aliases: aliasesOf(analysis, row, scope), aliasUse: 'first' };
  for (const items of clauses.map((clause) => clause.map((item) => fieldsOf(item)?.['this'] ?? item)))
    if (isWordAll(items)) analysis.recordIndirect(wholeOf(row), 'SORT');
    else for (const item of items) analysis.recordIndirect(placedValue(analysis, item, row, within), 'SORT');
}

/** GROUP BY cannot mean the alias of an aggregate or a window function: the name is then that of a column. */
function recordGroups(analysis: Analysis, fields: SyntaxFields, row: Row, afterList: () => NameScope): void {
  const clause = fieldsOf(fields['group_by']);
  if (clause === null) return;
  const scope = afterList();
  const items = childrenOf(fields, 'expressions');
  const computed = items
    .filter((item) => item.kind === 'alias' && anyNode(item, isAggregateCall))
    .map((item) => nameOf(item.fields['alias']));
  const aliases = new Map(scope.aliases);
  for (const name of computed) if (name !== null) aliases.delete(foldedName(analysis.rules, name));
  const within = { ...scope, aliases };
  for (const item of listOf(clause['expressions']))
    analysis.recordIndirect(placedValue(analysis, item, row, within), 'GROUP_BY');
  const isAll = clause['all'] === true || isWordAll(listOf(clause['expressions']));
  for (const item of isAll ? items : [])
    analysis.recordIndirect(
      merge(outsideAggregates(item).map((part) => analysis.expression(analysis, part, scope))),
      'GROUP_BY',
    );
}

/** The parser gives ALL as a column in some places. */
function isWordAll([only, ...more]: readonly unknown[]): boolean {
  const name = nameOf(only);
  return more.length === 0 && name !== null && !name.quoted && name.text.toLowerCase() === 'all';
}

const isAggregateCall = ({ kind, fields }: Syntax): boolean =>
  kind === 'window_function' || isAggregate(kind) || isAggregate(functionName(kind, fields));

/** The columns of an expression that no aggregate encloses: GROUP BY ALL groups by what they are in. */
function outsideAggregates(node: Syntax): readonly unknown[] {
  if (!anyNode(node, isAggregateCall)) return [{ [node.kind]: node.fields }];
  if (isAggregateCall(node)) return [];
  return Object.values(node.fields).flatMap((part) => nodesBelow(part).flatMap(outsideAggregates));
}

function nodesBelow(value: unknown): readonly Syntax[] {
  const node = syntaxOf(value);
  if (node !== null) return [node];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(nodesBelow) : [];
}

/** Whether an expression holds such a node outside subqueries. */
function anyNode(node: Syntax, holds: (node: Syntax) => boolean): boolean {
  if (node.kind === 'select' || node.kind === 'subquery') return false;
  return holds(node) || anyBelow(node.fields, holds);
}

/** A loop, as every item of a select list passes here. */
function anyBelow(value: object, holds: (node: Syntax) => boolean): boolean {
  for (const key in value) {
    const part: unknown = Reflect.get(value, key);
    if (typeof part !== 'object' || part === null || key === 'span') continue;
    const node = syntaxOf(part);
    if (node === null ? anyBelow(part, holds) : anyNode(node, holds)) return true;
  }
  return false;
}

/** A function of the select list that makes rows decides how many there are. */
function recordGenerators(analysis: Analysis, fields: SyntaxFields, scope: NameScope): void {
  for (const item of childrenOf(fields, 'expressions'))
    if (anyNode(item, isRowGenerator))
      analysis.recordIndirect(analysis.expression(analysis, { [item.kind]: item.fields }, scope), 'JOIN');
}

/** A number stands for the column at that place of the result. */
function placedValue(analysis: Analysis, item: unknown, row: Row, scope: NameScope): Provenance {
  const literal = fieldsOf(fieldsOf(item)?.['literal']);
  if (literal?.['literal_type'] !== 'number') return analysis.expression(analysis, item, scope);
  const column = row[Number(literal['value']) - 1];
  return column?.kind === 'column' ? column.value : nothing;
}

function aliasesOf({ rules }: Analysis, row: Row, scope: NameScope): ReadonlyMap<string, Provenance> {
  const named = row.flatMap((item) =>
    item.kind === 'column' && item.name !== null ? [[foldedName(rules, item.name), item.value] as const] : [],
  );
  return new Map([...named, ...scope.aliases]);
}

function laterUse({ aliasUse }: NameScope): NameScope['aliasUse'] {
  return aliasUse === 'first' ? 'first' : 'last';
}
