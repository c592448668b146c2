import { expressionValue } from './expression.ts';
import { scopeWithSource } from './from.ts';
import { nameRulesOf } from './name-rules.ts';
import { readsOf } from './provenance.ts';
import { queryRow } from './query.ts';
import type { Analysis } from './scope.ts';
import type { Fields } from './syntax.ts';
import type { IndirectSource, RelationName, SqlOptions } from './types.ts';

/** What an analysis noted on its way. */
export type Notes = {
  readonly analysis: Analysis;
  readonly reads: readonly RelationName[];
  readonly indirect: ReadonlyMap<string, IndirectSource>;
  readonly visited: ReadonlySet<Fields>;
};

export class TooMuchWork extends Error {}

/**
 * Expressions, sources and columns of one statement: two thousand in the largest of TPC-DS, while a `SELECT *, *` of a
 * `SELECT *, *` doubles them at each level.
 */
const maxSteps = 250_000;

export function notesFor(options: SqlOptions): Notes {
  const reads: RelationName[] = [];
  const indirect = new Map<string, IndirectSource>();
  const visited = new Set<Fields>();
  let steps = 0;
  const analysis: Analysis = {
    dialect: options.dialect,
    rules: nameRulesOf(options.dialect),
    columnsOf: options.columnsOf,
    query: queryRow,
    expression: expressionValue,
    source: scopeWithSource,
    visit: (node) => visited.add(node),
    noteRead: (relation) => reads.push(relation),
    noteIndirect: (value, subtype) => {
      for (const read of readsOf(value)) indirect.set(keyOf(read, subtype), { ...read, subtype });
    },
    spend: (count) => {
      steps += count;
      if (steps > maxSteps) throw new TooMuchWork();
    },
  };
  return { analysis, reads, indirect, visited };
}

function keyOf({ relation, column }: Omit<IndirectSource, 'subtype'>, subtype: string): string {
  return JSON.stringify([subtype, column, ...relation.map(({ text }) => text)]);
}
