import { withoutDoubledNames } from './doubled-names.ts';
import { derivedSource, type Effect, type FromSource } from './effect.ts';
import { insertEffect } from './insert.ts';
import { mergeEffect } from './merge.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { nothing } from './provenance.ts';
import { column, isOpenRow, mappedRow, openRow, pathOf, relabelled, relationRow, withoutColumns } from './row.ts';
import { selectList } from './select-list.ts';
import {
  childOf,
  childrenOf,
  fieldsOf,
  isQuery,
  listOf,
  nameOf,
  nodesIn,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  tableNameOf,
  textOf,
  unquoted,
} from './syntax.ts';
import { withClause } from './table-source.ts';
import { renamingOf } from './tokens.ts';
import type { RelationName, Row, SqlName } from './types.ts';
import { deleteEffects, updateEffects } from './update.ts';

/** `CREATE TABLE`; null for one that is empty and lasts. */
function tableEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect | null {
  const target = tablePath(fields['name']);
  const copied = fieldsOf(fields['clone_source']) ?? likeSource(fields);
  const names = recordsOf(fields, 'columns').flatMap((definition) => nameOf(definition['name']) ?? []);
  if (fields['as_select'] !== null && fields['as_select'] !== undefined)
    return {
      kind: 'create_table_as',
      target,
      // MySQL puts the columns of the query beside those of the list, each under its own name.
      row: relabelled(optionalRow(analysis, fields['as_select'], scope), analysis.dialect === 'mysql' ? [] : names),
      temporary: fields['temporary'] === true,
    };
  if (copied === null) return emptyTable(target, fields, names);
  const source = tableNameOf(copied);
  const row = relationRow(analysis, source);
  const isEmpty = fieldsOf(fields['clone_source']) === null;
  if (isEmpty && fields['temporary'] === true) {
    analysis.visit(copied);
    return { kind: 'other', target, row: emptied(row), temporary: true };
  }
  analysis.recordRead(source);
  return { kind: isEmpty ? 'other' : 'create_table_as', target, row: isEmpty ? [] : row };
}

/** LIKE copies the shape of a relation, and none of its rows. */
const emptied = (row: Row): Row => (isOpenRow(row) ? [] : mappedRow(row, () => nothing));

/** A temporary table without a query is filled by later statements. */
function emptyTable(target: Effect['target'], fields: SyntaxFields, names: readonly SqlName[]): Effect | null {
  if (fields['temporary'] !== true) return null;
  return { kind: 'other', target, row: names.map((name) => column(name, nothing)), temporary: true };
}

function likeSource(fields: SyntaxFields): SyntaxFields | null {
  const like = listOf(fields['constraints']).map((constraint) => fieldsOf(fieldsOf(constraint)?.['Like']));
  return fieldsOf(like.find((found) => found !== null)?.['source']);
}

function viewEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  // What ClickHouse's view lists with types is the other table's, whose columns are filled by name.
  const typed = fields['to_table'] ? [] : childrenOf(fieldsOf(fields['schema']) ?? {}, 'expressions');
  const listed = [...recordsOf(fields, 'columns'), ...typed.map((one) => one.fields)];
  const names = listed.flatMap((definition) => nameOf(definition['name']) ?? []);
  return {
    kind: fields['materialized'] === true ? 'create_materialized_view' : 'create_view',
    // ClickHouse's materialized view may write another table.
    target: tablePath(fields['to_table'] ?? fields['name']),
    row: relabelled(optionalRow(analysis, fields['query'], scope), names),
    temporary: fields['temporary'] === true,
  };
}

/** `ALTER VIEW v AS SELECT …`. */
function alteredViewEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect | null {
  const query = listOf(fields['actions'])
    .map((action) => fieldsOf(action)?.['AsSelect'])
    .find((found) => found);
  if (query === undefined) return null;
  return { kind: 'create_view', target: tablePath(fields['name']), row: optionalRow(analysis, query, scope) };
}

function optionalRow(analysis: Analysis, value: unknown, scope: NameScope): Row {
  const query = syntaxOf(value);
  return query === null
    ? openRow('the statement has no query')
    : withoutDoubledNames(analysis, analysis.query(query, scope));
}

function tablePath(value: unknown): Effect['target'] {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const path = tableNameOf(fieldsOf(fields['name']) !== null ? fields : { name: value });
  return path.length === 0 ? null : path;
}

/** What a statement writes or gives; empty for one that has no columns to speak of. */
export function effectOf(analysis: Analysis, statement: Syntax, scope: NameScope): readonly Effect[] {
  const { kind, fields } = statement;
  if (isQuery(statement) || kind === 'pivot' || kind === 'unpivot') return [queryEffect(analysis, statement, scope)];
  const clause = fields['with'] ?? fields['with_cte'] ?? childOf(fields, 'with_')?.fields;
  const within = withClause(analysis, clause, scope);
  if (kind === 'multitable_inserts') return multipleInserts(analysis, fields, within);
  if (kind === 'update' || kind === 'delete') {
    const all = kind === 'update' ? updateEffects(analysis, fields, within) : deleteEffects(analysis, fields, within);
    return all.flatMap((effect) => [effect, ...outputEffects(analysis, fields, effect, within)]);
  }
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
  ['copy', copyEffect],
  ['cache', cacheEffect],
  // BigQuery's `EXPORT DATA … AS SELECT …` writes files.
  ['export', (analysis, fields, scope) => copied(optionalRow(analysis, fields['this'], scope))],
]);

/** Statements that define or control, and read no rows unless a query is within. */
const readingNothing =
  /^(alter_|analyze|comment|commit|create_(database|index|role|schema|sequence|stage|table|type|user)|declare|drop_|grant|kill|lock|pragma|put$|refresh$|revoke|rollback|set_|show|transaction|truncate|undrop$|use$)/;

/** Rows pass from one relation to another, though no query says so: SWAP, and partitions of another table. */
function movesRows(statement: Syntax): boolean {
  if (statement.kind !== 'alter_table') return false;
  const actions = recordsOf(statement.fields, 'actions');
  const words = actions.map(
    (action) =>
      textOf(fieldsOf(action['Raw']) ?? {}, 'sql')
        ?.toLowerCase()
        .split(' ') ?? [],
  );
  const isMoved = words.some(
    ([verb = '', ...others]) =>
      ['attach', 'exchange', 'move'].includes(verb) && others.some((word) => ['from', 'table'].includes(word)),
  );
  return isMoved || actions.some((action) => 'ReplacePartition' in action) || renamingOf(statement)?.isSwap === true;
}

export function readsNothing(statement: Syntax): boolean {
  const { kind, fields } = statement;
  if (kind === 'create_function') return !/\bselect\b/i.test(JSON.stringify(fields));
  if (movesRows(statement)) return false;
  return readingNothing.test(kind) && !nodesIn(fields).some((node) => node.kind === 'select');
}

/** `INSERT ALL` and `INSERT FIRST`: each branch takes rows of one query, by conditions. */
function multipleInserts(analysis: Analysis, fields: SyntaxFields, scope: NameScope): readonly Effect[] {
  const row = optionalRow(analysis, fields['source'], scope);
  const within = { ...scopeWithin(scope, scope.ctes), sources: [derivedSource(null, row)] };
  return childrenOf(fields, 'expressions').flatMap((branch) => {
    analysis.recordIndirect(analysis.expression(branch.fields['expression'], within), 'FILTER');
    const insert = childOf(branch.fields, 'this');
    return insert === null ? [] : [insertEffect(analysis, insert.fields, within, row)];
  });
}

function cacheEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  const row = optionalRow(analysis, fields['query'], scope);
  return { kind: 'other', target: tablePath(fields['table']), row, temporary: true };
}

const copied = (row: Row, target: RelationName | null = null): Effect => ({ kind: 'copy', target, row });

function queryEffect(analysis: Analysis, query: Syntax, scope: NameScope): Effect {
  const row = analysis.query(query, scope);
  const into = intoOf(query);
  const table = into === null ? null : childOf(into, 'this');
  const target = table === null ? null : tableNameOf(table.fields);
  if (table !== null) analysis.visit(table.fields);
  return { kind: target === null ? null : 'select_into', target, row, temporary: into?.['temporary'] === true };
}

/** `SELECT … INTO t`, also in the first SELECT of a set operation. */
function intoOf({ fields }: Syntax): SyntaxFields | null {
  const into = fieldsOf(fields['into']);
  if (into !== null) return into;
  const first = childOf(fields, 'left') ?? childOf(fields, 'this');
  return first !== null && isQuery(first) ? intoOf(first) : null;
}

function copyEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  const { item, names } = copiedItem(fields);
  const into = fields['is_into'] === true || fields['kind'] === true;
  if (item !== null && isQuery(item)) return copied(analysis.query(item, scope));
  if (item !== null) analysis.visit(item.fields);
  const [query] = childrenOf(fields, 'files').filter(isQuery);
  const row = query === undefined ? openRow('the columns of a file are not known') : analysis.query(query, scope);
  if (into && item?.kind === 'literal') return unloadEffect(analysis, fields, row);
  if (into) return copied(relabelled(row, names), item && tablePath(item.fields));
  const read = item === null ? [] : tableNameOf(item.fields);
  if (item !== null && read.length > 0) analysis.recordRead(read);
  return copied(relationRow(analysis, read));
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
  const path = from?.kind === 'table' ? tableNameOf(from.fields) : from && pathOf(from);
  if (from === undefined || !path) return copied(row);
  analysis.visit(from.fields);
  analysis.recordRead(path);
  return copied(relationRow(analysis, path));
}

/** SQL Server's `OUTPUT inserted.a INTO t (b)`: the rows that a statement writes or deletes are written to a second relation. */
function outputEffects(analysis: Analysis, fields: SyntaxFields, effect: Effect, scope: NameScope): readonly Effect[] {
  const output = outputOf(fields);
  const second = output === null ? null : secondTarget(output.into);
  if (output === null || second === null || effect.target === null) return [];
  const sources = [...changedRows(analysis, effect.target, effect), ...(effect.sources ?? [])];
  const within = { ...scopeWithin(scope, scope.ctes), sources };
  // Which rows there are to give is decided by those of the relation itself, except for an INSERT.
  if (!effect.kind?.startsWith('insert')) analysis.recordRead(effect.target);
  const { row } = selectList(analysis, output.items, within);
  const insert = { table: tableAt(second.path), columns: second.columns.map(syntaxOfName) };
  return [insertEffect(analysis, insert, scope, row)];
}

type Output = { readonly items: readonly Syntax[]; readonly into: Syntax };

/** The parser gives the clause of a MERGE as RETURNING. */
function outputOf(fields: SyntaxFields): Output | null {
  const output = fieldsOf(fields['output']);
  const returning = childOf(fields, 'returning')?.fields;
  const into = childOf(output ?? {}, 'into_table') ?? childOf(returning ?? {}, 'into');
  if (into === null) return null;
  return { items: output ? childrenOf(output, 'columns') : childrenOf(returning ?? {}, 'expressions'), into };
}

type SecondTarget = { readonly path: RelationName; readonly columns: readonly SqlName[] };

const called: ReadonlySet<string> = new Set(['dot', 'method_call']);

/** A name, or a name with columns, which the parser returns as a call: a special node if it knows such a function. */
function secondTarget(into: Syntax): SecondTarget | null {
  const columns = childrenOf(into.fields, 'args').flatMap((one) => nameOf(one.fields['name']) ?? []);
  const operands = Object.values(into.fields).flatMap((one) => syntaxOf(one) ?? []);
  if (operands.length > 0 && !called.has(into.kind) && operands.every(({ kind }) => kind === 'column'))
    // `log (a)` reads as a logarithm.
    return {
      path: [unquoted(into.kind === 'ln' ? 'log' : into.kind)],
      columns: operands.flatMap(({ fields }) => nameOf(fields['name']) ?? []),
    };
  if (into.kind === 'function') {
    const name = nameOf(into.fields['name']);
    return name === null ? null : { path: [name], columns };
  }
  const isCall = into.kind === 'method_call';
  const path = pathOf((isCall && childOf(into.fields, 'this')) || into);
  const last = isCall ? nameOf(into.fields['method']) : null;
  return path && { path: last === null ? path : [...path, last], columns };
}

/** What `inserted` and `deleted` represent: a column that the statement does not set has the value that it had. */
function changedRows(analysis: Analysis, target: RelationName, { kind, row }: Effect): FromSource[] {
  const old = relationRow(analysis, target);
  const set = row.flatMap((item) => (item.kind === 'column' ? (item.name ?? []) : []));
  const retained = kind?.startsWith('insert') ? [] : withoutColumns(analysis.rules, old, set);
  return [derivedSource(unquoted('inserted'), [...row, ...retained]), derivedSource(unquoted('deleted'), old)];
}

function tableAt(path: RelationName): SyntaxFields {
  const [name, schema, catalog] = path.map(syntaxOfName).reverse();
  return { name, schema: schema ?? null, catalog: catalog ?? null };
}

const syntaxOfName = ({ text, quoted }: SqlName) => ({ name: text, quoted });
