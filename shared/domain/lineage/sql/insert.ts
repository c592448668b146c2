import type { SqlDialect } from './dialect.ts';
import { derivedSource, type Effect, type FromSource } from './effect.ts';
import { joinedScope } from './join.ts';
import { foldedName, foldedPath, type NameRules } from './name-rules.ts';
import { type Analysis, type NameScope, scopeWithin, sourceNamed } from './name-scope.ts';
import { merge } from './provenance.ts';
import { column, isOpenRow, mergedByName, openRest, openRow, relabelled, relationRow, shapeOfPlaces } from './row.ts';
import {
  childOf,
  childrenOf,
  fieldsOf,
  listOf,
  nameOf,
  namesOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  splitPath,
  syntaxOf,
  tableNameOf,
  textOf,
  unquoted,
} from './syntax.ts';
import { tableSource, writtenRelation } from './table-source.ts';
import type { RelationName, Row, SqlName } from './types.ts';

export function insertEffect(
  analysis: Analysis,
  fields: SyntaxFields,
  scope: NameScope,
  source: Row | null = null,
): Effect {
  const path = tableNameOf(fieldsOf(fields['table']) ?? {});
  const target = path.length > 0 ? path : null;
  const provided = givenRow(analysis, fields, scope, source);
  const row = namedRow(analysis, fields, target, provided);
  return {
    kind: fields['overwrite'] === true ? 'insert_overwrite' : 'insert',
    target,
    row: target === null ? row : withConflicts(analysis, fields, { target, row }, scope),
  };
}

/** `source` is the row of the enclosing query, for an INSERT without a query. */
function givenRow(analysis: Analysis, fields: SyntaxFields, scope: NameScope, source: Row | null = null): Row {
  const query = childOf(fields, 'query');
  if (query?.kind === 'execute') return procedureRow(analysis, query.fields);
  if (query !== null) return analysis.query(query, scope);
  const whole = childOf(fields, 'source');
  if (whole?.kind === 'table') return tableSource(analysis, whole.fields, scope).row;
  const rows = listOf(fields['values']).map(listOf);
  const [first] = rows;
  if (first === undefined) return source ?? openRow('the statement has no query');
  return first.map((_, place) => column(null, merge(rows.map((row) => analysis.expression(row[place], scope)))));
}

/** What a procedure reads is its own affair; its name is no relation. */
function procedureRow(analysis: Analysis, fields: SyntaxFields): Row {
  analysis.visit(childOf(fields, 'this')?.fields ?? {});
  return openRow('what a procedure gives is not known');
}

/** The row under the columns that the statement lists, else those of the target by place; open while they are not known. */
function namedRow(analysis: Analysis, fields: SyntaxFields, target: RelationName | null, provided: Row): Row {
  const listed = namesOf(fields, 'columns');
  if (listed.length > 0 || fields['by_name'] === true || target === null) return relabelled(provided, listed);
  const names = isOpenRow(provided) ? null : namesByPlace(analysis, fields, target, provided.length);
  if (names !== null) return relabelled(provided, names);
  return [
    { ...openRest(unknownTarget), shape: shapeOfPlaces([relationRow(analysis, target), provided]), of: provided },
  ];
}

/** The names of the query are not those of the target. */
const unknownTarget = 'insert_into_unknown_columns';

/** Null where the list is not known whole, or the dialect would not take a row of this length. */
function namesByPlace(
  { columnsOf, dialect }: Analysis,
  fields: SyntaxFields,
  target: RelationName,
  length: number,
): readonly SqlName[] | null {
  const known = columnsOf(target);
  if (known?.complete !== true) return null;
  const partition = listOf(fields['partition']).map(listOf);
  const ofPartition = new Set(partition.map(([name]) => nameOf(name)?.text.toLowerCase()));
  const dynamic = partition.flatMap(([name, value]) => (value === null ? (nameOf(name) ?? []) : []));
  const others = (known.insertable ?? known.names).filter((name) => !ofPartition.has(name.toLowerCase()));
  const names = [...others.map(unquoted), ...dynamic];
  if (names.length === length) return names;
  return names.length > length && takesFewer.has(dialect) ? names.slice(0, length) : null;
}

/** The columns behind those that are given get their defaults. */
const takesFewer: ReadonlySet<SqlDialect> = new Set(['databricks', 'postgres', 'redshift']);

/** `ON CONFLICT … DO UPDATE` and `ON DUPLICATE KEY UPDATE` write more: from the row that was refused, or from the old one. */
type Inserted = { readonly target: RelationName; readonly row: Row };

function withConflicts(analysis: Analysis, fields: SyntaxFields, { target, row }: Inserted, scope: NameScope): Row {
  const refused = derivedSource(nameOf(fields['source_alias']) ?? unquoted('excluded'), row);
  const alias = nameOf(fields['alias']) ?? target.at(-1) ?? null;
  const old = { alias, relation: target, row: relationRow(analysis, target), element: null };
  const within = { ...scopeWithin(scope, scope.ctes), sources: [refused, old] };
  const conflict = fieldsOf(fieldsOf(fields['on_conflict'])?.['on_conflict']);
  analysis.recordIndirect(analysis.expression(conflict?.['where_'], within), 'FILTER');
  const assigned = assignmentsIn(fields['on_conflict']).map(({ name, value }) =>
    column(name, analysis.expression(withRefusedRow(value), within)),
  );
  return mergedByName(analysis.rules, [row, assigned]);
}

/** MySQL's `VALUES(a)` in the form of `excluded.a`. */
function withRefusedRow(value: unknown): unknown {
  const node = syntaxOf(value);
  const [argument] = node?.kind === 'function' ? childrenOf(node.fields, 'args') : [];
  if (textOf(node?.fields ?? {}, 'name')?.toLowerCase() === 'values' && argument !== undefined)
    return { [argument.kind]: { ...argument.fields, table: { name: 'excluded' } } };
  // Without VALUES, return the same object: visited queries are recognized by identity.
  if (Array.isArray(value)) {
    const items = value.map(withRefusedRow);
    return items.every((item, place) => item === value[place]) ? value : items;
  }
  const fields = fieldsOf(value);
  if (fields === null) return value;
  const parts = Object.entries(fields).map(([key, part]) => [key, withRefusedRow(part)] as const);
  return parts.every(([key, part]) => part === fields[key]) ? value : Object.fromEntries(parts);
}

function assignmentsIn(value: unknown): readonly { readonly name: SqlName; readonly value: unknown }[] {
  const conflict = fieldsOf(fieldsOf(value)?.['on_conflict']) ?? {};
  const assignments = childrenOf(childOf(conflict, 'action')?.fields ?? conflict, 'expressions');
  return assignments.flatMap(({ kind, fields }) => {
    const name = kind === 'eq' ? nameOf(fields['left']) : null;
    return name === null ? [] : [{ name, value: fields['right'] }];
  });
}

export function updateEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  const named = fieldsOf(fields['table']) ?? {};
  const from = fieldsOf(fields['from_clause']);
  const items = [...recordsOf(fields, 'extra_tables').map(asTable), ...childrenOf(from ?? {}, 'expressions')];
  const joins = recordsOf(fields, 'from_joins');
  const joinedItems = joins.flatMap((join) => childOf(join, 'this') ?? []);
  const start = targetScope(analysis, named, [...items, ...joinedItems], scope);
  const joined = joinedScope(analysis, recordsOf(fields, 'table_joins'), start);
  const all = joinedScope(analysis, joins, sourcesAdded(analysis, items, joined));
  const { target, within } = realTarget(analysis, named, all);
  analysis.recordIndirect(analysis.expression(fields['where_clause'], within), 'FILTER');
  const row = listOf(fields['set']).flatMap((pair): Row => {
    const [name, value] = listOf(pair);
    const set = nameOf(name);
    return set === null ? [] : [column(assignedColumn(analysis, set, within), analysis.expression(value, within))];
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
  analysis.recordIndirect(analysis.expression(fields['where_clause'], within), 'FILTER');
  return { kind: 'delete', target, row: [], sources: within.sources };
}

/** The target, unless an item of FROM has its name: SQL Server's `UPDATE x … FROM t AS x`. */
function targetScope(analysis: Analysis, named: SyntaxFields, items: readonly Syntax[], scope: NameScope): NameScope {
  const start = { ...scopeWithin(scope, scope.ctes), sources: [targetSource(analysis, named, scope)] };
  const name = targetName(named);
  const isNamed = items.some(({ fields }) => isSameName(analysis.rules, nameOf(fields['alias']), name));
  return isNamed ? { ...start, sources: [] } : start;
}

const targetName = (named: SyntaxFields): SqlName | null => nameOf(named['alias']) ?? tableNameOf(named).at(-1) ?? null;

/** The relation that is written, in scope by its name, yet not read; a CTE represents what it reads. */
export function targetSource(analysis: Analysis, fields: SyntaxFields, scope: NameScope): FromSource {
  analysis.visit(fields);
  const relation: RelationName = tableNameOf(fields);
  const alias = targetName(fields);
  const cte = scope.ctes.get(foldedPath(analysis.rules, relation));
  if (!cte?.row) return { alias, relation, row: relationRow(analysis, relation), element: null };
  return { ...derivedSource(alias, cte.row), written: writtenRelation(cte, relation) };
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

const asTable = (fields: SyntaxFields): Syntax => syntaxOf(fields) ?? { kind: 'table', fields };

function sourcesAdded(analysis: Analysis, items: readonly Syntax[], scope: NameScope): NameScope {
  return items.reduce((current: NameScope, item) => analysis.source(item, current), scope);
}

/** The column of `SET t.a = …` or, of a struct, of `SET a.field = …`; the parser gives the path as one name. */
function assignedColumn({ rules }: Analysis, { text, quoted }: SqlName, scope: NameScope): SqlName {
  const path = quoted ? [{ text, quoted }] : splitPath(text);
  const [first, ...others] = path;
  const behind = others.findLast((_, at) => sourceNamed(rules, scope, path.slice(0, at + 1)) !== null);
  return behind ?? first ?? { text, quoted };
}
