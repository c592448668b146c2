import type { Spend } from '../../../base/budget.ts';
import { type Node, urnOf } from '../../graph/node.ts';
import type { DirectSubtype, SourceInfluence } from '../../sql/types.ts';

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

/** One way in which a column reaches another, and the expression that computes with it. */
export type SourceUse = SourceInfluence & { readonly expression?: string | null };

const rising: readonly DirectSubtype[] = ['IDENTITY', 'TRANSFORMATION', 'AGGREGATION'];

/** How a column reaches another over one between: an indirect step makes the whole way indirect, the strongest direct one names it. */
export function compose(inner: SourceUse, outer: SourceUse): SourceUse {
  const expression = outer.expression ?? inner.expression;
  return { ...composedInfluence(inner, outer), ...(expression && { expression }) };
}

function composedInfluence(inner: SourceInfluence, outer: SourceInfluence): SourceInfluence {
  const masking = inner.masking || outer.masking;
  if (outer.type === 'INDIRECT') return { ...outer, masking };
  if (inner.type === 'INDIRECT') return { ...inner, masking };
  const subtype = rising.indexOf(inner.subtype) > rising.indexOf(outer.subtype) ? inner.subtype : outer.subtype;
  return { type: 'DIRECT', subtype, masking };
}
