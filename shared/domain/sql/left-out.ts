import { listOf, nodesIn } from './syntax.ts';
import type { KeywordCounts } from './types.ts';

/**
 * Whether the tree holds fewer queries or joins than the text: the parser drops the WITH in front of a bracketed query
 * that has a LIMIT, and what it drops would be missed in silence.
 */
export function leavesOut(statements: readonly unknown[], keywords: KeywordCounts): boolean {
  let selects = 0;
  let joins = 0;
  for (const { kind, fields } of nodesIn(statements)) {
    if (kind === 'select') selects++;
    for (const key of joinLists) joins += listOf(fields[key]).length;
  }
  return selects < keywords.select || joins < keywords.join;
}

const joinLists = ['joins', 'from_joins', 'table_joins'];
