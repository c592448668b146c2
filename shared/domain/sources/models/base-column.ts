import type { Spend } from '../../budget.ts';
import { type Node, urnOf } from '../../graph/node.ts';
import type { SourceUse } from './compose.ts';

/** A column of a relation, read by a model's statement. */
export type BaseColumn = SourceUse & { readonly node: Node; readonly column: string };

/** The lists as one: a column once for each way in which it is read, or a chain of inlined models would double them. */
export function distinctColumns(spend: Spend, lists: readonly (readonly BaseColumn[])[]): readonly BaseColumn[] {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  const found = new Map<string, BaseColumn>();
  for (const list of lists) {
    spend(list.length);
    for (const one of list) found.set(keyOf(one), one);
  }
  return [...found.values()];
}

const keyOf = ({ node, column, type, subtype, masking }: BaseColumn): string =>
  `${type} ${subtype} ${masking} ${JSON.stringify([urnOf(node), column])}`;
