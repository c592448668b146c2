import type { DirectSubtype, Influence } from '../../sql/types.ts';

const rising: readonly DirectSubtype[] = ['IDENTITY', 'TRANSFORMATION', 'AGGREGATION'];

/** How a column reaches another over one between: an indirect step makes the whole way indirect, the strongest direct one names it. */
export function compose(inner: Influence, outer: Influence): Influence {
  const masking = inner.masking || outer.masking;
  if (outer.type === 'INDIRECT') return { ...outer, masking };
  if (inner.type === 'INDIRECT') return { ...inner, masking };
  const subtype = rising.indexOf(inner.subtype) > rising.indexOf(outer.subtype) ? inner.subtype : outer.subtype;
  return { type: 'DIRECT', subtype, masking };
}
