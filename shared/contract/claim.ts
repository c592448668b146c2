import * as v from 'valibot';
import { type Effect, type Meaning, meanings } from './claim-meanings.ts';
import { count, timestamp } from './fields.ts';
import { limits } from './limits.ts';

/** C-CLAIM-1. */
export const claimKinds = ['breaks', 'may_break', 'nothing_known_breaks', 'not_evaluated'] as const;
export type ClaimKind = (typeof claimKinds)[number];

export type LimitCode = keyof typeof meanings;
export const limitCodes = Object.keys(meanings) as LimitCode[];

const ClaimLimit = v.object({
  code: v.picklist(limitCodes),
  text: v.string(),
  /** The first relations, columns or sources that it is about. */
  subjects: v.array(v.string()),
  /** Null if nothing lifts it. */
  how_to_lift: v.nullable(v.string()),
  /** Whether it forbids `nothing_known_breaks`. */
  blocks: v.boolean(),
});
export type ClaimLimit = v.InferOutput<typeof ClaimLimit>;

/** What an answer claims about breaking, and what limits the claim: C-CLAIM-1 to C-CLAIM-5. */
export const Claim = v.object({
  kind: v.picklist(claimKinds),
  counts: v.object({
    breaks: count,
    may_break: count,
    /** Relations that feed it; absent if they were not requested. */
    feeds: v.optional(count),
    /** Whether the counts are lower bounds. */
    at_least: v.boolean(),
  }),
  /** The moment before which no accepted delivery waits; null of an answer from files. */
  evidence_until: v.nullable(timestamp),
  limits: v.array(ClaimLimit),
});
export type Claim = v.InferOutput<typeof Claim>;

export const effectOf = (code: LimitCode): Effect => meanings[code].effect;
export const isPartial = (code: LimitCode): boolean => 'partial' in meanings[code];

type About = { readonly subjects?: readonly string[]; readonly count?: number; readonly detail?: string };

export function limitOf(
  code: LimitCode,
  { subjects: names = [], count = names.length, detail = '' }: About = {},
): ClaimLimit {
  const { effect, text, lift }: Meaning = meanings[code];
  return {
    code,
    text: text({ count, detail }),
    subjects: names.slice(0, limits.claim.subjects),
    how_to_lift: typeof lift === 'function' ? lift(detail) : lift,
    blocks: effect !== 'remark',
  };
}
