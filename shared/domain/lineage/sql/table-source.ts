import { withoutDoubledNames } from './doubled-names.ts';
import { derivedSource, type FromSource } from './effect.ts';
import { relationOfCall } from './from-call.ts';
import { elementSource } from './function-source.ts';
import { foldedName, foldedPath, partsOf } from './name-rules.ts';
import { type Analysis, type Cte, isValue, type NameScope, scopeWithin, sourceNamed } from './name-scope.ts';
import { extentOf, merge, nothing, readsOf, through, unknown } from './provenance.ts';
import { valueNamed } from './resolve-name.ts';
import {
  column,
  columnNamed,
  isOpenRow,
  knownColumn,
  openRow,
  relabelled,
  relationRow,
  wholeOf,
  withoutColumns,
} from './row.ts';
import { selectList } from './select-list.ts';
import { throughWithFields } from './struct.ts';
import {
  childOf,
  childrenOf,
  distinctRelations,
  fieldsOf,
  isQuery,
  nameOf,
  namesOf,
  nodesIn,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  splitPath,
  tableNameOf,
  textOf,
  withoutParens,
  wordSet,
} from './syntax.ts';
import type { RelationName, Row, SqlName } from './types.ts';

/** What a name in FROM means: a CTE, an array of an earlier item, or a relation, which is then read. */
export function tableSource(analysis: Analysis, fields: SyntaxFields, scope: NameScope): FromSource {
  analysis.visit(fields);
  const path = relationPath(analysis, fields);
  const names = namesOf(fields, 'column_aliases');
  const alias = explicitAlias(analysis, fields);
  if (path.length === 0 || childOf(fields, 'identifier_func') !== null)
    return derivedSource(alias, openRow('a relation is named by an expression'));
  return namedSource(analysis, { path, alias, names }, scope);
}

/** A relation that reads as a call: `STREAM(t)`, or with a hint, `FROM t(NOLOCK)`. */
export function calledTable(analysis: Analysis, node: Syntax, scope: NameScope): FromSource | null {
  const path = relationOfCall(node) ?? hintedRelation(analysis, node);
  return path && namedSource(analysis, { path }, scope);
}

function hintedRelation({ rules }: Analysis, { kind, fields }: Syntax): RelationName | null {
  const name = kind === 'function' ? textOf(fields, 'name') : null;
  const hints = childrenOf(fields, 'args').map(({ fields: own }) => nameOf(own['name'])?.text.toLowerCase() ?? '');
  const isHinted = rules.parenthesisedHints && hints.length > 0 && hints.every((hint) => tableHints.has(hint));
  return name !== null && isHinted ? splitPath(name) : null;
}

type Named = { readonly path: RelationName; readonly alias?: SqlName | null; readonly names?: readonly SqlName[] };

export function namedSource(
  analysis: Analysis,
  { path, alias = null, names = [] }: Named,
  scope: NameScope,
): FromSource {
  const shown = alias ?? path.at(-1) ?? null;
  const cte = scope.ctes.get(foldedPath(analysis.rules, path));
  if (cte?.row) {
    cte.used?.(analysis);
    return { ...derivedSource(shown, relabelled(cte.row, names)), cte: path, written: writtenRelation(cte, path) };
  }
  if (isArrayInScope(analysis, path, scope)) {
    const value = valueNamed(analysis, path, scope);
    analysis.recordIndirect(value, 'JOIN');
    return elementSource(throughWithFields(value, 'TRANSFORMATION'), shown, names);
  }
  if (isDual(analysis, path)) return derivedSource(shown, []);
  analysis.recordRead(path);
  return { alias: shown, relation: path, row: relabelled(relationRow(analysis, path), names), element: null };
}

/** What a statement writes that names a CTE: a temporary table, or the relation that all its columns come from, if it is one. */
export function writtenRelation({ row, used, written }: Cte, path: RelationName): RelationName | null {
  if (used !== undefined || row === null) return path;
  if (written !== undefined) return written;
  const [only = null, ...others] = distinctRelations(readsOf(wholeOf(row)).map(({ relation }) => relation));
  return others.length === 0 ? only : null;
}

/** The relation of one row that represents none. */
function isDual({ rules, columnsOf }: Analysis, path: RelationName): boolean {
  const last = path.at(-1);
  const named = last?.text.toLowerCase() === 'dual' && (path.length === 1 || path.at(-2)?.text.toLowerCase() === 'sys');
  return rules.dual && named && columnsOf(path) === null;
}

function relationPath({ rules, dialect }: Analysis, fields: SyntaxFields): RelationName {
  const parts = tableNameOf(fields).map((part) => (versioned.has(dialect) ? withoutVersion(part) : part));
  return partsOf(rules, parts);
}

/** Delta's `t@v3` and `t@20240131000000000` are versions of one relation. */
const withoutVersion = ({ text, quoted }: SqlName): SqlName => ({ text: text.replace(/@(v\d+|\d{17})$/i, ''), quoted });

const versioned = wordSet('databricks spark');

/** The parser takes ClickHouse's GLOBAL of a join for an alias. */
function explicitAlias({ dialect }: Analysis, fields: SyntaxFields): SqlName | null {
  const alias = nameOf(fields['alias']);
  return dialect === 'clickhouse' && alias?.text.toLowerCase() === 'global' && !alias.quoted ? null : alias;
}

/** `FROM t, t.items`, and `FROM t.items` in a subquery: a path that starts with an alias is an array. */
function isArrayInScope({ rules, dialect }: Analysis, path: RelationName, scope: NameScope): boolean {
  const [first, ...more] = path;
  if (first === undefined || more.length === 0 || !correlatedArrays.has(dialect)) return false;
  // Where the dialect is unknown an outer alias is more likely the name of a schema.
  const within = dialect === 'ansi' ? { ...scope, outer: null } : scope;
  return sourceNamed(rules, within, [first]) !== null;
}

const correlatedArrays: ReadonlySet<string> = new Set(['ansi', 'bigquery', 'redshift']);

const tableHints = wordSet(
  `forceseek forcescan holdlock noexpand nolock nowait paglock readcommitted readcommittedlock readpast readuncommitted
  repeatableread rowlock serializable snapshot spatial_window_max_cells tablock tablockx updlock xlock`,
);

/** The scope extended by a WITH clause. Each CTE sees those before it. */
export function withClause(analysis: Analysis, clause: unknown, scope: NameScope): NameScope {
  const fields = fieldsOf(clause);
  if (fields === null) return scope;
  analysis.spend(scope.ctes.size);
  // One map for all: a CTE is evaluated before those behind it are added.
  const ctes = new Map(scope.ctes);
  const within = { ...scope, ctes };
  const recursive = fields['recursive'] === true || analysis.rules.implicitRecursion;
  const values = new Set<string>();
  const all = recordsOf(fields, 'ctes');
  for (const cte of all) {
    const name = nameOf(cte['alias']);
    if (name === null) continue;
    const written = cteOf(analysis, { cte, name, recursive }, within);
    const found = cte === all.at(-1) ? withTraversal(analysis, childOf(fields, 'search'), written) : written;
    const folded = foldedName(analysis.rules, name);
    ctes.set(folded, found);
    if (isValue(found)) values.add(folded);
  }
  return values.size === 0 ? within : { ...within, values };
}

/** SEARCH and CYCLE give the CTE before them columns, which consist of the one that they name. */
function withTraversal({ rules }: Analysis, search: Syntax | null, cte: Cte): Cte {
  const by = nameOf(search?.fields['this']);
  if (search === null || by === null || cte.row === null) return cte;
  const value = through(columnNamed(rules, cte.row, by)?.value ?? nothing, 'TRANSFORMATION');
  const names = ['expression', 'using'].flatMap((key) => nameOf(search.fields[key]) ?? []);
  return { ...cte, row: [...cte.row, ...names.map((name) => column(name, value))] };
}

type Definition = { readonly cte: SyntaxFields; readonly name: SqlName; readonly recursive: boolean };

function cteOf(analysis: Analysis, { cte, name, recursive }: Definition, scope: NameScope): Cte {
  const body = childOf(cte, 'this');
  const names = namesOf(cte, 'columns');
  if (body === null) return { row: openRow('an empty query is not supported'), value: null };
  if (!isQuery(body)) return cteOfOther(analysis, body, names, scope);
  const isRecursive = recursive && refersTo(analysis, body, name);
  const row = isRecursive ? recursiveRow(analysis, body, { name, names }, scope) : analysis.query(body, scope);
  const labelled = withoutDoubledNames(analysis, relabelled(row, names));
  // ClickHouse's `WITH (SELECT …) AS x` names a value, which a relation of that name does not hide.
  const isScalar = analysis.dialect === 'clickhouse' && body.kind === 'subquery';
  const value = isScalar ? through(wholeOf(labelled), 'TRANSFORMATION') : null;
  return { row: labelled, value, written: temporaryWithin(analysis, body, scope) };
}

/** The temporary table of a query's FROM: what it consists of is not what a statement writes by the query's name. */
function temporaryWithin({ rules }: Analysis, { fields }: Syntax, scope: NameScope): RelationName | undefined {
  const [table] = childrenOf(fieldsOf(fields['from']) ?? {}, 'expressions');
  const path = table?.kind === 'table' ? tableNameOf(table.fields) : [];
  const known = scope.ctes.get(foldedPath(rules, path));
  return known?.used === undefined ? known?.written : path;
}

/** A statement in WITH gives what it returns; ClickHouse names an expression. */
function cteOfOther(analysis: Analysis, body: Syntax, names: readonly SqlName[], scope: NameScope): Cte {
  if (writing.has(body.kind)) return { row: relabelled(returnedRow(analysis, body, scope), names), value: null };
  const node = { [body.kind]: body.fields };
  // An expression that names itself is not evaluated again.
  let evaluating = false;
  const valueIn = (within: Analysis, place: NameScope) => {
    if (evaluating) return null;
    evaluating = true;
    const value = within.expression(node, place);
    evaluating = false;
    return value;
  };
  return { row: null, value: null, valueIn };
}

const writing: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'merge']);

/** What RETURNING gives: the target's columns as they are written or stay, and those of the sources of the statement. */
function returnedRow(analysis: Analysis, { kind, fields }: Syntax, scope: NameScope): Row {
  const [effect] = analysis.effect({ kind, fields }, scope);
  if (effect === undefined || effect.target === null)
    return openRow('a statement that writes, within WITH, is not supported');
  analysis.recordEffect(effect);
  const { target, sources = [] } = effect;
  if (kind !== 'insert') analysis.recordRead(target);
  const written = sources.find(({ relation }) => relation === target);
  const alias = written?.alias ?? nameOf((childOf(fields, 'this')?.fields ?? fields)['alias']) ?? target.at(-1) ?? null;
  const own = { alias, relation: target, row: writtenRow(analysis, target, effect.row), element: null };
  const others = sources.filter((one) => one !== written);
  // `*` of a MERGE puts the columns of its source first.
  const within = { ...scopeWithin(scope, scope.ctes), sources: kind === 'merge' ? [...others, own] : [own, ...others] };
  const [list, key] = kind === 'merge' ? [childOf(fields, 'returning')?.fields, 'expressions'] : [fields, 'returning'];
  return selectList(analysis, childrenOf(list ?? {}, key), within).row;
}

/** The columns of a relation after a statement has written some. */
function writtenRow(analysis: Analysis, target: RelationName, row: Row): Row {
  const old = relationRow(analysis, target);
  const names = row.flatMap((item) => (item.kind === 'column' ? (item.name ?? []) : []));
  if (isOpenRow(old)) return [...row, ...withoutColumns(analysis.rules, old, names)];
  return old.map((item) =>
    item.kind === 'column' && item.name !== null ? (knownColumn(analysis.rules, row, item.name) ?? item) : item,
  );
}

/** Each round can only add to what the columns consist of, so the rounds end; this many are enough for most chains. */
const maxRounds = 64;

type Labels = { readonly name: SqlName; readonly names: readonly SqlName[] };

function recursiveRow(analysis: Analysis, body: Syntax, { name, names }: Labels, scope: NameScope): Row {
  const anchors = termsOf(body).filter((term) => !refersTo(analysis, term, name));
  const [anchor] = anchors;
  if (anchor === undefined) return analysis.query(body, scope);
  // A set operation in brackets may have its own WITH.
  const within = withClause(analysis, withoutParens(body).fields['with'], scope);
  let row = relabelled(analysis.query(anchor, within), names);
  for (let round = 0; round < maxRounds; round++) {
    analysis.spend(scope.ctes.size);
    const ctes = new Map(scope.ctes).set(foldedName(analysis.rules, name), { row, value: null });
    const next = relabelled(analysis.query(body, { ...scope, ctes }), names);
    if (extentOfRow(next) === extentOfRow(row)) return next;
    row = next;
  }
  return row.map((item) =>
    item.kind === 'column' ? column(item.name, merge([item.value, unknown('a recursive query has no end')])) : item,
  );
}

function termsOf(query: Syntax): readonly Syntax[] {
  const bare = withoutParens(query);
  if (bare.kind !== 'union') return [bare];
  return ['left', 'right'].flatMap((side) => childOf(bare.fields, side) ?? []).flatMap(termsOf);
}

function refersTo({ rules }: Analysis, node: Syntax, name: SqlName): boolean {
  const folded = foldedName(rules, name);
  return nodesIn({ [node.kind]: node.fields }).some(
    ({ kind, fields }) => kind === 'table' && foldedPath(rules, tableNameOf(fields)) === folded,
  );
}

function extentOfRow(row: Row): number {
  return row.reduce((sum, item) => sum + (item.kind === 'column' ? extentOf(item.value) : 1), row.length);
}
