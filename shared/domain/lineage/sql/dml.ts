import type { Effect, FromSource } from './effect.ts';
import { joinedScope } from './join.ts';
import { foldedName, type NameRules } from './name-rules.ts';
import { type Analysis, type NameScope, scopeWithin, sourceNamed } from './name-scope.ts';
import { column, relationRow } from './row.ts';
import {
  childOf,
  childrenOf,
  fieldsOf,
  listOf,
  nameOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  tableNameOf,
} from './syntax.ts';
import { onlyRelation } from './table-source.ts';
import type { RelationName, SqlName } from './types.ts';
import type { Row } from './values.ts';

export function updateEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  const named = fieldsOf(fields['table']) ?? {};
  const from = fieldsOf(fields['from_clause']);
  const items = [...recordsOf(fields, 'extra_tables').map(asTable), ...childrenOf(from ?? {}, 'expressions')];
  const joins = recordsOf(fields, 'from_joins');
  const start = targetScope(
    analysis,
    named,
    [...items, ...joins.flatMap((join) => childOf(join, 'this') ?? [])],
    scope,
  );
  const joined = joinedScope(analysis, recordsOf(fields, 'table_joins'), start);
  const all = joinedScope(analysis, joins, sourcesAdded(analysis, items, joined));
  const { target, within } = realTarget(analysis, named, all);
  analysis.recordIndirect(analysis.expression(analysis, fields['where_clause'], within), 'FILTER');
  const row = listOf(fields['set']).flatMap((pair): Row => {
    const [name, value] = listOf(pair);
    const set = nameOf(name);
    return set === null
      ? []
      : [column(assignedColumn(analysis, set, within), analysis.expression(analysis, value, within))];
  });
  return { kind: 'update', target, row, sources: within.sources };
}

/** A DELETE gives no columns; what it compares decides which rows are left. */
export function deleteEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  const table = fieldsOf(fields['table']) ?? {};
  const named = { ...table, alias: fields['alias'] ?? table['alias'] };
  const items = recordsOf(fields, 'using').map(asTable);
  const start = targetScope(analysis, named, items, scope);
  const all = joinedScope(analysis, recordsOf(fields, 'joins'), sourcesAdded(analysis, items, start));
  const { target, within } = realTarget(analysis, named, all);
  analysis.recordIndirect(analysis.expression(analysis, fields['where_clause'], within), 'FILTER');
  return { kind: 'delete', target, row: [], sources: within.sources };
}

/** The target, unless an item of FROM has its name: SQL Server's `UPDATE x … FROM t AS x`. */
function targetScope(analysis: Analysis, named: SyntaxFields, items: readonly Syntax[], scope: NameScope): NameScope {
  const start = { ...scopeWithin(scope, scope.ctes), sources: [targetSource(analysis, named, scope)] };
  const name = targetName(named);
  const isNamed = items.some(({ fields }) => isSameName(analysis.rules, nameOf(fields['alias']), name));
  return isNamed ? { ...start, sources: [] } : start;
}

function targetName(named: SyntaxFields): SqlName | null {
  return nameOf(named['alias']) ?? tableNameOf(named).at(-1) ?? null;
}

/** The relation that is written, in scope by its name, yet not read; a CTE represents what it reads. */
export function targetSource(analysis: Analysis, fields: SyntaxFields, scope: NameScope): FromSource {
  analysis.visit(fields);
  const relation: RelationName = tableNameOf(fields);
  const alias = targetName(fields);
  const cte = scope.ctes.get(relation.map((part) => foldedName(analysis.rules, part)).join('.'));
  if (!cte?.row) return { alias, relation, row: relationRow(relation, analysis.columnsOf(relation)), element: null };
  const written = cte.used === undefined ? onlyRelation(cte.row) : relation;
  return { alias, relation: null, row: cte.row, element: null, written };
}

type Target = { readonly target: RelationName | null; readonly within: NameScope };

/** The relation of the last source that has the target's name, without the target itself where FROM names it again. */
function realTarget({ rules }: Analysis, named: SyntaxFields, scope: NameScope): Target {
  const name = targetName(named);
  const [first] = scope.sources;
  const same = scope.sources.findLast(({ alias }) => isSameName(rules, alias, name)) ?? first;
  const sources = same === first ? scope.sources : scope.sources.slice(1);
  return { target: same?.relation ?? same?.written ?? null, within: { ...scope, sources } };
}

function isSameName(rules: NameRules, a: SqlName | null, b: SqlName | null): boolean {
  return a !== null && b !== null && foldedName(rules, a) === foldedName(rules, b);
}

function asTable(fields: SyntaxFields): Syntax {
  return syntaxOf(fields) ?? { kind: 'table', fields };
}

function sourcesAdded(analysis: Analysis, items: readonly Syntax[], scope: NameScope): NameScope {
  return items.reduce((current: NameScope, item) => analysis.source(analysis, item, current), scope);
}

/** The column of `SET t.a = …` or, of a struct, of `SET a.field = …`; the parser gives the path as one name. */
function assignedColumn({ rules }: Analysis, { text, quoted }: SqlName, scope: NameScope): SqlName {
  const path = quoted ? [{ text, quoted }] : text.split('.').map((part) => ({ text: part, quoted }));
  const [first, ...others] = path;
  const behind = others.findLast((_, at) => sourceNamed(rules, scope, path.slice(0, at + 1)) !== null);
  return behind ?? first ?? { text, quoted };
}
