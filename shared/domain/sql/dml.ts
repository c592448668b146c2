import type { Effect } from './effect.ts';
import { joinedScope } from './join.ts';
import { foldedName, type NameRules } from './name-rules.ts';
import { column, type Row, relationRow } from './row.ts';
import { type Analysis, type Scope, type Source, scopeWithin } from './scope.ts';
import {
  childrenOf,
  type Fields,
  fieldsOf,
  listOf,
  nameOf,
  recordsOf,
  type Syntax,
  syntaxOf,
  tableNameOf,
} from './syntax.ts';
import type { RelationName, SqlName } from './types.ts';

/** The columns that an UPDATE sets. */
export function updateEffect(analysis: Analysis, fields: Fields, scope: Scope): Effect {
  const named = fieldsOf(fields['table']) ?? {};
  const from = fieldsOf(fields['from_clause']);
  const items = [...recordsOf(fields, 'extra_tables').map(asTable), ...childrenOf(from ?? {}, 'expressions')];
  const start = { ...scopeWithin(scope, scope.ctes), sources: [targetSource(analysis, named)] };
  const joined = joinedScope(analysis, recordsOf(fields, 'table_joins'), start);
  const listed = sourcesAdded(analysis, items, joined);
  const all = joinedScope(analysis, recordsOf(fields, 'from_joins'), listed);
  const { target, within } = realTarget(analysis, all);
  analysis.noteIndirect(analysis.expression(analysis, fields['where_clause'], within), 'FILTER');
  const row = listOf(fields['set']).flatMap((pair): Row => {
    const [name, value] = listOf(pair);
    const set = nameOf(name);
    return set === null ? [] : [column(lastPart(set), analysis.expression(analysis, value, within))];
  });
  return { kind: 'update', target, row };
}

/** A DELETE gives no columns; what it compares decides which rows are left. */
export function deleteEffect(analysis: Analysis, fields: Fields, scope: Scope): Effect {
  const named = fieldsOf(fields['table']) ?? {};
  const start = {
    ...scopeWithin(scope, scope.ctes),
    sources: [targetSource(analysis, { ...named, alias: fields['alias'] ?? named['alias'] })],
  };
  const using = sourcesAdded(analysis, recordsOf(fields, 'using').map(asTable), start);
  const { target, within } = realTarget(analysis, joinedScope(analysis, recordsOf(fields, 'joins'), using));
  analysis.noteIndirect(analysis.expression(analysis, fields['where_clause'], within), 'FILTER');
  return { kind: 'delete', target, row: [] };
}

/** The relation that is written, in scope by its name, yet not read. */
export function targetSource(analysis: Analysis, fields: Fields): Source {
  analysis.visit(fields);
  const relation: RelationName = tableNameOf(fields);
  const alias = nameOf(fields['alias']) ?? relation.at(-1) ?? null;
  return { alias, relation, row: relationRow(relation, analysis.columnsOf(relation)), element: null };
}

/** SQL Server's `UPDATE x … FROM t AS x` names the target by an alias: it is then the relation of that alias. */
function realTarget(
  { rules }: Analysis,
  scope: Scope,
): { readonly target: RelationName | null; readonly within: Scope } {
  const [named, ...others] = scope.sources;
  const same = others.find(({ alias }) => isSameName(rules, alias, named?.alias ?? null));
  if (same === undefined) return { target: named?.relation ?? null, within: scope };
  return { target: same.relation ?? named?.relation ?? null, within: { ...scope, sources: others } };
}

function isSameName(rules: NameRules, a: SqlName | null, b: SqlName | null): boolean {
  return a !== null && b !== null && foldedName(rules, a) === foldedName(rules, b);
}

function asTable(fields: Fields): Syntax {
  return syntaxOf(fields) ?? { kind: 'table', fields };
}

function sourcesAdded(analysis: Analysis, items: readonly Syntax[], scope: Scope): Scope {
  return items.reduce((current: Scope, item) => analysis.source(analysis, item, current), scope);
}

/** MySQL's `SET t.a = …`, which the parser gives as one name. */
function lastPart({ text, quoted }: SqlName): SqlName {
  return quoted ? { text, quoted } : { text: text.split('.').at(-1) ?? text, quoted };
}
