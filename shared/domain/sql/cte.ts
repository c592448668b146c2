import { foldedName } from './name-rules.ts';
import { extentOf, merge, through, unknown } from './provenance.ts';
import { column, openRow, type Row, relabelled, wholeOf } from './row.ts';
import type { Analysis, Cte, Scope } from './scope.ts';
import {
  childOf,
  type Fields,
  fieldsOf,
  isQuery,
  nameOf,
  namesOf,
  nodesIn,
  recordsOf,
  type Syntax,
  tableNameOf,
  withoutParens,
} from './syntax.ts';
import type { SqlName } from './types.ts';

/** The scope with what WITH names; each CTE sees those before it. */
export function withClause(analysis: Analysis, clause: unknown, scope: Scope): Scope {
  const fields = fieldsOf(clause);
  if (fields === null) return scope;
  const recursive = fields['recursive'] === true || analysis.rules.implicitRecursion;
  return recordsOf(fields, 'ctes').reduce((current: Scope, cte) => {
    const name = nameOf(cte['alias']);
    if (name === null) return current;
    return withCte(analysis, name, cteOf(analysis, cte, name, recursive, current), current);
  }, scope);
}

function withCte({ rules }: Analysis, name: SqlName, cte: Cte, scope: Scope): Scope {
  return { ...scope, ctes: new Map([...scope.ctes, [foldedName(rules, name), cte]]) };
}

function cteOf(analysis: Analysis, fields: Fields, name: SqlName, recursive: boolean, scope: Scope): Cte {
  const body = childOf(fields, 'this');
  const names = namesOf(fields, 'columns');
  if (body === null) return { row: notUnderstood('an empty query'), value: null };
  if (!isQuery(body)) return cteOfOther(analysis, body, scope);
  const isRecursive = recursive && refersTo(analysis, body, name);
  const row = isRecursive ? recursiveRow(analysis, body, name, names, scope) : analysis.query(analysis, body, scope);
  const labelled = relabelled(row, names);
  // ClickHouse's `WITH (SELECT …) AS x` names a value, which a relation of that name does not hide.
  const isValue = analysis.dialect === 'clickhouse' && body.kind === 'subquery';
  return { row: labelled, value: isValue ? through(wholeOf(labelled), 'TRANSFORMATION') : null };
}

/** A statement in WITH gives what it returns; ClickHouse names an expression. */
function cteOfOther(analysis: Analysis, body: Syntax, scope: Scope): Cte {
  if (statements.has(body.kind)) return { row: notUnderstood('a statement that writes, within WITH,'), value: null };
  return { row: null, value: analysis.expression(analysis, { [body.kind]: body.fields }, scope) };
}

const statements: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'merge']);

/** Each round can only add to what the columns are made of, so the rounds end; more than this many are not worth it. */
const maxRounds = 64;

function recursiveRow(analysis: Analysis, body: Syntax, name: SqlName, names: readonly SqlName[], scope: Scope): Row {
  const anchors = termsOf(body).filter((term) => !refersTo(analysis, term, name));
  const [anchor] = anchors;
  if (anchor === undefined) return analysis.query(analysis, body, scope);
  let row = relabelled(analysis.query(analysis, anchor, withinTerms(analysis, body, scope)), names);
  for (let round = 0; round < maxRounds; round++) {
    const around = withCte(analysis, name, { row, value: null }, scope);
    const next = relabelled(analysis.query(analysis, body, around), names);
    if (extentOfRow(next) === extentOfRow(row)) return next;
    row = next;
  }
  return row.map((item) =>
    item.kind === 'column' ? column(item.name, merge([item.value, unknown('a recursive query has no end')])) : item,
  );
}

/** A set operation in brackets may have a WITH of its own. */
function withinTerms(analysis: Analysis, body: Syntax, scope: Scope): Scope {
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

function notUnderstood(what: string): Row {
  const reason = `${what} is not understood`;
  return openRow(reason, unknown(reason));
}
