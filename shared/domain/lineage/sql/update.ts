import { derivedSource, type Effect, type FromSource } from './effect.ts';
import { joinedScope } from './join.ts';
import { foldedName, foldedPath, type NameRules } from './name-rules.ts';
import { type Analysis, type NameScope, scopeWithin, sourceNamed } from './name-scope.ts';
import { merge, nothing, unknown } from './provenance.ts';
import { column, columnNamed, openRow, relationRow } from './row.ts';
import { recordOrder } from './select-list.ts';
import {
  childOf,
  childrenOf,
  fieldsOf,
  listOf,
  nameOf,
  recordsOf,
  relationKey,
  type Syntax,
  type SyntaxFields,
  splitPath,
  syntaxOf,
  tableNameOf,
  textOf,
  unquoted,
} from './syntax.ts';
import { writtenRelation } from './table-source.ts';
import type { ColumnRead, Provenance, RelationName, Row, SqlName } from './types.ts';

export function updateEffects(analysis: Analysis, fields: SyntaxFields, scope: NameScope): readonly Effect[] {
  const named = fieldsOf(fields['table']) ?? {};
  const from = fieldsOf(fields['from_clause']);
  const items = [...recordsOf(fields, 'extra_tables').map(asTable), ...childrenOf(from ?? {}, 'expressions')];
  const joins = recordsOf(fields, 'from_joins');
  const joinedItems = joins.flatMap((join) => childOf(join, 'this') ?? []);
  const start = targetScope(analysis, named, [...items, ...joinedItems], scope);
  const joined = joinedScope(analysis, recordsOf(fields, 'table_joins'), start);
  const all = joinedScope(analysis, joins, sourcesAdded(analysis, items, joined));
  const { target, source, within } = realTarget(analysis, named, all);
  analysis.recordIndirect(analysis.expression(fields['where_clause'], within), 'FILTER');
  recordOrder(analysis, fields, [], within);
  const pairs = listOf(fields['set']).map(listOf);
  if (items.length + recordsOf(fields, 'table_joins').length > 0 && from === null && joins.length === 0)
    return severalUpdates(analysis, pairs, target, within);
  if (source !== undefined && source.relation === null) return viewUpdates(analysis, pairs, source, within);
  return [{ kind: 'update', target, row: setRow(analysis, pairs, within), sources: within.sources }];
}

type Pair = readonly unknown[];

function setRow(analysis: Analysis, pairs: readonly Pair[], within: NameScope): Row {
  return pairs.flatMap(([name, value]): Row => {
    const set = nameOf(name);
    return set === null ? [] : [column(assignedColumn(analysis, set, within), assignedValue(analysis, value, within))];
  });
}

/** An UPDATE of a query with a name writes the relations whose columns the query passes on. */
function viewUpdates(
  analysis: Analysis,
  pairs: readonly Pair[],
  view: FromSource,
  within: NameScope,
): readonly Effect[] {
  const written = view.written ?? null;
  const columns = pairs.flatMap(([name, value]) => {
    const set = nameOf(name);
    if (set === null) return [];
    const own = assignedColumn(analysis, set, within);
    const passed = passedColumn(analysis, view, own);
    const isOfTarget = passed !== null && (written === null || relationKey(passed.relation) === relationKey(written));
    const item = column(isOfTarget ? unquoted(passed.column) : own, assignedValue(analysis, value, within));
    return [{ target: written ?? passed?.relation ?? null, item }];
  });
  // A temporary table's own names are those that its later readers use.
  const own = written === null ? null : analysis.columnsOf(written);
  const isRenamed = columns.some(
    ({ item }) => own?.complete && item.name !== null && !own.names.includes(item.name.text),
  );
  if (isRenamed) return [{ kind: 'update', target: written, row: openRow(renamedColumn), sources: within.sources }];
  const byTarget = Map.groupBy(columns, ({ target }) => relationKey(target ?? []));
  return [...byTarget.values()].map((same) => ({
    kind: 'update',
    target: same[0]?.target ?? null,
    row: same.map(({ item }) => item),
    sources: within.sources,
  }));
}

const renamedColumn = 'a column is written by another name than its own';

/** The column of a relation that a query passes on under a name; null for one that it computes. */
function passedColumn({ rules }: Analysis, { row }: FromSource, name: SqlName): ColumnRead | null {
  const value = columnNamed(rules, row, name)?.value;
  const [only, ...others] = value?.reasons.size === 0 ? value.columns.values() : [];
  return only !== undefined && others.length === 0 && only.plain.has('IDENTITY') ? only.read : null;
}

/** MySQL's `UPDATE a JOIN b SET a.x = …, b.y = …` writes each relation that it names. */
function severalUpdates(analysis: Analysis, pairs: readonly Pair[], first: RelationName | null, within: NameScope) {
  const ofTarget = Map.groupBy(pairs, ([name]) => {
    const set = nameOf(name);
    const owner = set && ownerOf(analysis, set, within);
    return owner === null ? first : (owner.relation ?? owner.written ?? null);
  });
  readOtherwise(analysis, first, [...ofTarget.keys()]);
  return [...ofTarget].map(([target, own]): Effect => {
    const row = setRow(analysis, own, within);
    return {
      kind: 'update',
      target,
      row: target === first ? row.map(withDoubt(within)) : row,
      sources: within.sources,
    };
  });

  /** A bare name may be that of a column of any relation whose columns are not known. */
  function withDoubt({ sources }: NameScope) {
    const isBare = new Set(
      pairs.flatMap(([name]) => {
        const set = nameOf(name);
        return set && !set.text.includes('.') && ownerOf(analysis, set, within) === null ? [set.text] : [];
      }),
    );
    return (item: Row[number]): Row[number] =>
      item.kind === 'column' && item.name !== null && isBare.has(item.name.text) && sources.length > 1
        ? column(item.name, merge([item.value, unknown(`${item.name.text} is a column of one of several relations`)]))
        : item;
  }
}

/** The first relation is read where others are written. */
function readOtherwise(
  analysis: Analysis,
  first: RelationName | null,
  targets: readonly (RelationName | null)[],
): void {
  if (first !== null && targets.some((one) => one !== first)) analysis.recordRead(first);
}

/** The relation that a name of SET is a column of; null if it does not say. */
function ownerOf({ rules }: Analysis, name: SqlName, scope: NameScope): FromSource | null {
  const path = assignedPath(rules, name, scope);
  if (path.length > 1) return sourceNamed(rules, scope, path.slice(0, -1));
  const own = scope.sources.filter(({ row }) => columnNamed(rules, row, name)?.certainty === 'has');
  return own.length === 1 ? (own[0] ?? null) : null;
}

/** A DELETE gives no columns; what it compares decides which rows are left. */
export function deleteEffects(analysis: Analysis, fields: SyntaxFields, scope: NameScope): readonly Effect[] {
  const table = fieldsOf(fields['table']) ?? {};
  const first = { ...table, alias: fields['alias'] ?? table['alias'] };
  const items = recordsOf(fields, 'using').map(asTable);
  const start = targetScope(analysis, first, items, scope);
  const all = joinedScope(analysis, recordsOf(fields, 'joins'), sourcesAdded(analysis, items, start));
  const { target, within } = realTarget(analysis, first, all);
  analysis.recordIndirect(analysis.expression(fields['where_clause'], within), 'FILTER');
  recordOrder(analysis, fields, [], within);
  const named = recordsOf(fields, 'tables').map((one) => sourceNamed(analysis.rules, all, tableNameOf(one)));
  const targets = named.length === 0 ? [target] : named.map((one) => one?.relation ?? one?.written ?? null);
  readOtherwise(analysis, target, targets);
  return targets.map((one) => ({ kind: 'delete', target: one, row: [], sources: within.sources }));
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
  if (relation.length === 0) return derivedSource(alias, openRow('a relation is named by an expression'));
  const cte = scope.ctes.get(foldedPath(analysis.rules, relation));
  if (!cte?.row) return { alias, relation, row: relationRow(analysis, relation), element: null };
  return { ...derivedSource(alias, cte.row), written: writtenRelation(cte, relation) };
}

type Target = {
  readonly target: RelationName | null;
  readonly source: FromSource | undefined;
  readonly within: NameScope;
};

/** The relation of the last source that has the target's name, without the target itself where FROM names it again. */
function realTarget({ rules }: Analysis, named: SyntaxFields, scope: NameScope): Target {
  const name = targetName(named);
  const [first] = scope.sources;
  const same = scope.sources.findLast(({ alias }) => isSameName(rules, alias, name)) ?? first;
  const sources = same === first ? scope.sources : scope.sources.slice(1);
  return { target: same?.relation ?? same?.written ?? null, source: same, within: { ...scope, sources } };
}

function isSameName(rules: NameRules, a: SqlName | null, b: SqlName | null): boolean {
  return a !== null && b !== null && foldedName(rules, a) === foldedName(rules, b);
}

const asTable = (fields: SyntaxFields): Syntax => syntaxOf(fields) ?? { kind: 'table', fields };

function sourcesAdded(analysis: Analysis, items: readonly Syntax[], scope: NameScope): NameScope {
  return items.reduce((current: NameScope, item) => analysis.source(item, current), scope);
}

/** The column of `SET t.a = …` or, of a struct, of `SET a.field = …`. */
function assignedColumn({ rules }: Analysis, name: SqlName, scope: NameScope): SqlName {
  const path = assignedPath(rules, name, scope);
  const [first, ...others] = path;
  const behind = others.findLast((_, at) => sourceNamed(rules, scope, path.slice(0, at + 1)) !== null);
  return behind ?? first ?? name;
}

/** The parser gives a path as one name, quoted if its last part is. Else a quoted one may be one name with dots. */
function assignedPath(rules: NameRules, name: SqlName, scope: NameScope): RelationName {
  const path = splitPath(name.text, name.quoted);
  if (!name.quoted || rules.quotedPaths) return path;
  const isOfSource = (owner: RelationName) => owner.some((_, at) => sourceNamed(rules, scope, owner.slice(0, at + 1)));
  const owner = [path.slice(0, -1), splitPath(name.text).slice(0, -1)].find(isOfSource);
  return owner ? [...owner, ...path.slice(-1)] : [name];
}

/** The value that a column gets; DEFAULT reads nothing. */
export function assignedValue(analysis: Analysis, value: unknown, scope: NameScope): Provenance {
  const node = syntaxOf(value);
  if (node?.kind === 'var' && textOf(node.fields, 'this')?.toUpperCase() === 'DEFAULT') return nothing;
  const name = node?.kind === 'column' && !node.fields['table'] ? nameOf(node.fields['name']) : null;
  return name?.text.toLowerCase() === 'default' && !name.quoted ? nothing : analysis.expression(value, scope);
}
