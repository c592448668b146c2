import { foldedName } from './name-rules.ts';
import { type Analysis, type Cte, type NameScope, scopeWithin } from './name-scope.ts';
import { extentOf, merge, nothing, through, unknown } from './provenance.ts';
import { column, openRow, relationRow, wholeOf } from './row.ts';
import { relabelled, withoutColumns } from './row-change.ts';
import { listedRow } from './select-list.ts';
import {
  childOf,
  fieldsOf,
  isQuery,
  listOf,
  nameOf,
  namesOf,
  nodesIn,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  tableNameOf,
  withoutParens,
} from './syntax.ts';
import type { SqlName } from './types.ts';
import type { Row } from './values.ts';

/** The scope with what WITH names; each CTE sees those before it. */
export function withClause(analysis: Analysis, clause: unknown, scope: NameScope): NameScope {
  const fields = fieldsOf(clause);
  if (fields === null) return scope;
  analysis.spend(scope.ctes.size);
  // One map for all: a CTE is evaluated before those behind it are added.
  const ctes = new Map(scope.ctes);
  const within = { ...scope, ctes };
  const recursive = fields['recursive'] === true || analysis.rules.implicitRecursion;
  for (const cte of recordsOf(fields, 'ctes')) {
    const name = nameOf(cte['alias']);
    if (name !== null) ctes.set(foldedName(analysis.rules, name), cteOf(analysis, { cte, name, recursive }, within));
  }
  return within;
}

type Definition = { readonly cte: SyntaxFields; readonly name: SqlName; readonly recursive: boolean };

function cteOf(analysis: Analysis, { cte, name, recursive }: Definition, scope: NameScope): Cte {
  const body = childOf(cte, 'this');
  const names = namesOf(cte, 'columns');
  if (body === null) return { row: notSupported('an empty query'), value: null };
  if (!isQuery(body)) return cteOfOther(analysis, body, names, scope);
  const isRecursive = recursive && refersTo(analysis, body, name);
  const row = isRecursive
    ? recursiveRow(analysis, body, { name, names }, scope)
    : analysis.query(analysis, body, scope);
  const labelled = relabelled(row, names);
  // ClickHouse's `WITH (SELECT …) AS x` names a value, which a relation of that name does not hide.
  const isValue = analysis.dialect === 'clickhouse' && body.kind === 'subquery';
  return { row: labelled, value: isValue ? through(wholeOf(labelled), 'TRANSFORMATION') : null };
}

/** A statement in WITH gives what it returns; ClickHouse names an expression. */
function cteOfOther(analysis: Analysis, body: Syntax, names: readonly SqlName[], scope: NameScope): Cte {
  if (writing.has(body.kind)) return { row: relabelled(returnedRow(analysis, body, scope), names), value: null };
  const node = { [body.kind]: body.fields };
  // An expression that names itself is not evaluated again.
  let evaluating = false;
  const valueIn = (within: Analysis, place: NameScope) => {
    if (evaluating) return nothing;
    evaluating = true;
    const value = within.expression(within, node, place);
    evaluating = false;
    return value;
  };
  return { row: null, value: null, valueIn };
}

const writing: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'merge']);

/** What RETURNING gives: the columns that are written, and those of the target that stay as they were. */
function returnedRow(analysis: Analysis, { kind, fields }: Syntax, scope: NameScope): Row {
  const [effect] = analysis.effect(analysis, { kind, fields }, scope);
  if (effect === undefined || effect.target === null) return notSupported('a statement that writes, within WITH,');
  analysis.recordEffect(effect);
  const { target, row } = effect;
  if (kind !== 'insert') analysis.recordRead(target);
  const written = row.flatMap((item) => (item.kind === 'column' ? (item.name ?? []) : []));
  const old = withoutColumns(analysis.rules, relationRow(target, analysis.columnsOf(target)), written);
  const source = { alias: target.at(-1) ?? null, relation: target, row: [...row, ...old], element: null };
  const list = { expressions: listOf(fields['returning']) };
  return listedRow(analysis, list, { ...scopeWithin(scope, scope.ctes), sources: [source] });
}

/** Each round can only add to what the columns are made of, so the rounds end; this many are enough for most chains. */
const maxRounds = 64;

type Labels = { readonly name: SqlName; readonly names: readonly SqlName[] };

function recursiveRow(analysis: Analysis, body: Syntax, { name, names }: Labels, scope: NameScope): Row {
  const anchors = termsOf(body).filter((term) => !refersTo(analysis, term, name));
  const [anchor] = anchors;
  if (anchor === undefined) return analysis.query(analysis, body, scope);
  let row = relabelled(analysis.query(analysis, anchor, withinTerms(analysis, body, scope)), names);
  for (let round = 0; round < maxRounds; round++) {
    analysis.spend(scope.ctes.size);
    const ctes = new Map(scope.ctes).set(foldedName(analysis.rules, name), { row, value: null });
    const next = relabelled(analysis.query(analysis, body, { ...scope, ctes }), names);
    if (extentOfRow(next) === extentOfRow(row)) return next;
    row = next;
  }
  return row.map((item) =>
    item.kind === 'column' ? column(item.name, merge([item.value, unknown('a recursive query has no end')])) : item,
  );
}

/** A set operation in brackets may have a WITH of its own. */
function withinTerms(analysis: Analysis, body: Syntax, scope: NameScope): NameScope {
  return withClause(analysis, withoutParens(body).fields['with'], scope);
}

function termsOf(query: Syntax): readonly Syntax[] {
  const bare = withoutParens(query);
  const sides = bare.kind === 'union' ? [childOf(bare.fields, 'left'), childOf(bare.fields, 'right')] : [];
  return sides.length === 0 ? [bare] : sides.flatMap((side) => (side === null ? [] : termsOf(side)));
}

function refersTo({ rules }: Analysis, node: Syntax, name: SqlName): boolean {
  const folded = foldedName(rules, name);
  for (const { kind, fields } of nodesIn({ [node.kind]: node.fields })) {
    const [first, ...more] = kind === 'table' ? tableNameOf(fields) : [];
    if (first !== undefined && more.length === 0 && foldedName(rules, first) === folded) return true;
  }
  return false;
}

function extentOfRow(row: Row): number {
  return row.reduce((sum, item) => sum + (item.kind === 'column' ? extentOf(item.value) : 1), row.length);
}

function notSupported(what: string): Row {
  const reason = `${what} is not supported`;
  return openRow(reason, unknown(reason));
}
