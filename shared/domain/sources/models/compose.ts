import type { DirectSubtype, SourceInfluence } from '../../sql/types.ts';

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
