import {
  type Claim,
  type ClaimKind,
  type ClaimLimit,
  effectOf,
  isPartial,
  limitOf,
} from '../../../../contract/claim.ts';

export type Found = Pick<Claim['counts'], 'breaks' | 'may_break' | 'feeds'>;

/** What may be claimed of what was found, under all limits (C-CLAIM-2). Nothing else decides a kind. */
export function claimOf(found: Found, limits: readonly ClaimLimit[], evidenceUntil: string | null): Claim {
  const inOrder = [...limits.filter(({ blocks }) => blocks), ...limits.filter(({ blocks }) => !blocks)];
  return {
    kind: kindOf(found, limits),
    counts: { ...found, at_least: limits.some(({ code, blocks }) => blocks && isPartial(code)) },
    evidence_until: evidenceUntil,
    limits: inOrder,
  };
}

/** The claim with further limits: it may only become weaker. */
export const limited = ({ counts, limits, evidence_until }: Claim, ...more: readonly ClaimLimit[]): Claim =>
  claimOf(counts, [...limits, ...more], evidence_until);

/** That lists lack edges without a requested verdict: the claim is that of all edges (C-VERDICT-5). */
export const withOtherVerdicts = (claim: Claim, count: number): Claim =>
  count > 0 ? limited(claim, limitOf('other_verdicts', { count })) : claim;

function kindOf({ breaks, may_break }: Found, limits: readonly ClaimLimit[]): ClaimKind {
  const blocking = limits.filter(({ blocks }) => blocks);
  const has = (effect: ReturnType<typeof effectOf>) => blocking.some(({ code }) => effectOf(code) === effect);
  if (has('void')) return 'not_evaluated';
  if (breaks > 0) return 'breaks';
  if (may_break > 0) return 'may_break';
  if (has('late')) return 'not_evaluated';
  return blocking.length > 0 ? 'may_break' : 'nothing_known_breaks';
}
