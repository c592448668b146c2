import { bare, isAggregateTerm, type Proof, type Query, rewritten, someIn, type Term, termsOf } from './terms.ts';
import { truncated } from './truncated.ts';

/** The outer aggregate of groups of groups, and the inner ones that it combines into one of all rows. */
const additive = /^(sum (sum|count)|min min|max max)$/;

/**
 * Groups of groups, by values of their keys, are groups of the rows: the sum of sums is the sum of all. It stays apart from
 * the sum itself, whose type may be another, and which counts no rows as 0. Sums are taken as exact.
 */
export function regroup(proof: Proof, query: Query): void {
  const { group } = query;
  const [leaf, second] = query.leaves;
  const inner = leaf?.query;
  if (!group || !leaf || second || !inner?.group || group.sets.length + query.outers.length + query.fulls.length > 0)
    return;
  const { keys, having, sets } = inner.group;
  if (keys.length === 0 || having.length + sets.length + inner.qualify.length + inner.limits.length > 0) return;
  const outer = { ...query, leaves: [] };
  if (someIn(proof, termsOf(outer), (one) => one.query !== null)) return;
  const known = new Set(keys.map((one) => bare(proof, one)));
  let isFit = true;
  const inGroup = (term: Term): Term | null => {
    if (term.op !== 'read' || term.args[0] !== leaf.ref || !term.args[1]) return null;
    return bare(proof, term.args[1]);
  };
  const change = (term: Term): Term | null => {
    const [unit, value] = term.args;
    if (term.op === 'truncated days' && unit && value)
      return truncated(proof, unit, rewritten(proof, value, change), true);
    const of = isAggregateTerm(term) ? inGroup(bare(proof, term.args[0] ?? term)) : inGroup(term);
    if (of === null && !isAggregateTerm(term)) return null;
    if (of && isAggregateTerm(term) && additive.test(`${term.op} ${of.op}`.replaceAll('aggregate ', '')))
      return proof.term(`aggregate again ${term.op.slice('aggregate '.length)}`, of);
    isFit &&= !isAggregateTerm(term) && of !== null && known.has(of);
    return of ?? term;
  };
  const opened = (terms: readonly Term[]) => terms.map((one) => rewritten(proof, one, change));
  const conditions = [...inner.conditions, ...opened(query.conditions)];
  const next: Query = {
    ...inner,
    conditions,
    group: { keys: [...new Set(opened(group.keys))], having: opened(group.having), sets: [] },
    qualify: opened(query.qualify),
    columns: query.columns.map(({ name, term }) => ({ name, term: rewritten(proof, term, change) })),
    limits: opened(query.limits),
  };
  const isPure = [...conditions, ...(next.group?.keys ?? [])].every((one) => one.isPure);
  if (isFit && isPure) Object.assign(query, next);
}
