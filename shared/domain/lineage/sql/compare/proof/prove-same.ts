import { type Budget, BudgetExceeded, spendFrom } from '../../../../base/budget.ts';
import { proofSteps } from '../../budget.ts';
import type { SqlDialect } from '../../dialect.ts';
import { nameRulesOf } from '../../name-rules.ts';
import type { ParsedStatement } from '../../parse-script.ts';
import { fieldsOf, holds, isQuery, listOf, type Syntax } from '../../syntax.ts';
import { fills, limitsIn } from '../print-order.ts';
import { ignoringNulls, isAggregation } from './build-expression.ts';
import { buildQuery } from './build-query.ts';
import type { QueryBuilding, ReadQuery, SharedTable } from './building.ts';
import { noLabels, wholeForm } from './normal-form.ts';
import { outermost } from './resolve-column.ts';
import { type Proof, proofOf, type Query, type Term, Unproven } from './terms.ts';

/** `read`: a relation that both versions share, or the version that is inlined there; null for a relation that differs. */
export type ProvableVersion = {
  readonly dialect: SqlDialect;
  readonly statements: readonly ParsedStatement[];
  readonly read: (name: Parameters<ReadQuery>[0]) => SharedTable | ProvableVersion | null;
};

/** Whether both statements have one normal form: the same rows, each as often, with the same columns. */
export function isProvenSame(before: ProvableVersion, after: ProvableVersion, more: readonly Budget[] = []): boolean {
  try {
    const proof = proofOf(spendFrom([{ left: proofSteps }, ...more]));
    const form = formOf(proof, before);
    const reads = new Set(proof.reads);
    proof.reads.clear();
    // A column that was not read before may not be there: then the statement fails.
    return form === formOf(proof, after) && [...proof.reads].every((one) => reads.has(one));
  } catch (error) {
    if (error instanceof Unproven || error instanceof BudgetExceeded) return false;
    throw error;
  }
}

const formOf = (proof: Proof, version: ProvableVersion): Term =>
  wholeForm(proof, queryOf(proof, version, 0), noLabels, true);

const deepest = 20;
/** Of each character of a statement that is inlined. */
const stepsToParse = 10;

function queryOf(proof: Proof, { dialect, statements, read }: ProvableVersion, depth: number): Query {
  const [only, second] = statements;
  if (!only || second || depth > deepest || !isQuery(only.node)) throw new Unproven();
  const building: QueryBuilding = {
    proof,
    rules: nameRulesOf(dialect),
    query: (node, scope) => buildQuery(building, node, { ...outermost, ctes: scope.ctes, parent: scope }),
    derived: (node, around) => buildQuery(building, node, around),
    nullsFirst: (isDescending) => nullsFirst(dialect, isDescending),
    truncatesToDays: dialect === 'duckdb',
    hasOuterNulls: dialect !== 'clickhouse',
    order: only.nodes.some(takesOrder) ? 'kept' : 'dropped',
    resultOrder: depth === 0 ? resultOrder(only.node) : null,
    read: (name) => {
      const found = read(name);
      if (found === null) throw new Unproven();
      if ('table' in found) return found;
      for (const { text } of found.statements) proof.spend(text.length * stepsToParse);
      return queryOf(proof, found, depth + 1);
    },
  };
  return buildQuery(building, only.node, outermost);
}

/** ORDER BY of a whole statement without a limit. */
function resultOrder({ fields }: Syntax): unknown {
  const order = fields['order_by'] ?? null;
  if (order === null || limitsIn(fields).length > 0) return null;
  // An aggregate makes one row of all.
  const terms = listOf(fieldsOf(order)?.['expressions']);
  if (terms.some((one) => fills(one) || holds(one, isAggregation))) throw new Unproven();
  return order;
}

/** Whether what a node gives may depend on the order of rows. */
const takesOrder = ({ kind, fields }: Syntax): boolean =>
  limitsIn(fields).length > 0 ||
  ['window_function', 'function', 'property_e_q'].includes(kind) ||
  (isAggregation({ kind, fields }) && !ignoringNulls.has(kind));

const first: ReadonlySet<SqlDialect> = new Set([
  'mysql',
  'sqlite',
  'tsql',
  'fabric',
  'bigquery',
  'spark',
  'databricks',
  'hive',
]);
const last: ReadonlySet<SqlDialect> = new Set(['duckdb', 'trino', 'presto', 'athena', 'clickhouse']);
const largest: ReadonlySet<SqlDialect> = new Set(['postgres', 'redshift', 'oracle', 'snowflake']);

/** Whether NULLs come first by default. Null: the dialect says nothing. */
function nullsFirst(dialect: SqlDialect, isDescending: boolean): boolean | null {
  if (last.has(dialect)) return false;
  if (first.has(dialect)) return !isDescending;
  return largest.has(dialect) ? isDescending : null;
}
