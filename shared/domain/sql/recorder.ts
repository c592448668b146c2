import type { Budget } from '../budget.ts';
import { statementBudget } from './budget.ts';
import type { Effect } from './effect.ts';
import { expressionValue } from './expression.ts';
import type { ExpressionTexts } from './expression-text.ts';
import { scopeWithSource } from './from.ts';
import { nameRulesOf } from './name-rules.ts';
import type { Analysis } from './name-scope.ts';
import { reasonsThrough } from './provenance.ts';
import { queryRow } from './query.ts';
import { effectOf } from './statement.ts';
import type { SyntaxFields } from './syntax.ts';
import type { IndirectSource, RelationName, SqlOptions } from './types.ts';
import type { Reason } from './values.ts';

/** What an analysis records while it visits a statement. */
export type ReadRecords = {
  readonly analysis: Analysis;
  readonly reads: readonly RelationName[];
  readonly indirect: ReadonlyMap<string, IndirectSource>;
  /** Why columns are missing from `indirect`. */
  readonly indirectReasons: ReadonlyMap<string, Reason>;
  readonly visited: ReadonlySet<SyntaxFields>;
  /** What is written within WITH. */
  readonly effects: readonly Effect[];
};

/** What an analysis needs of the text that the tree was parsed from. */
type StatementText = {
  readonly expressions: ExpressionTexts;
  readonly embedded: Analysis['embedded'];
};

export function recorderFor(
  options: SqlOptions,
  budget: Budget,
  { expressions, embedded }: StatementText,
): ReadRecords {
  const reads: RelationName[] = [];
  const indirect = new Map<string, IndirectSource>();
  const indirectReasons = new Map<string, Reason>();
  const visited = new Set<SyntaxFields>();
  const effects: Effect[] = [];
  const spend = statementBudget(options.budget ? [budget, options.budget] : [budget]);
  const recordIndirect: Analysis['recordIndirect'] = (value, subtype) => {
    spend(value.columns.size);
    for (const [key, { read }] of value.columns) indirect.set(`${subtype} ${key}`, { ...read, subtype });
    for (const [key, reason] of reasonsThrough(value, subtype)) indirectReasons.set(`${subtype} ${key}`, reason);
  };
  const analysis: Analysis = {
    dialect: options.dialect,
    rules: nameRulesOf(options.dialect),
    columnsOf: options.columnsOf,
    query: queryRow,
    expression: expressionValue,
    source: scopeWithSource,
    effect: effectOf,
    embedded,
    expressionOf: expressions,
    visit: (node) => visited.add(node),
    isVisited: (node) => visited.has(node),
    recordRead: (relation) => reads.push(relation),
    recordIndirect,
    recordEffect: (effect) => effects.push(effect),
    spend,
  };
  return { analysis, reads, indirect, indirectReasons, visited, effects };
}
