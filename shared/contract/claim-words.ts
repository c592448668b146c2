import type { Claim, ClaimKind, ClaimLimit } from './claim.ts';

const many = (count: number, atLeast = false): string =>
  `${atLeast ? 'at least ' : ''}${count} relation${count === 1 ? '' : 's'}`;

const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The one sentence of an answer (C-CLAIM-5). No surface says more. */
export function claimSentence(claim: Claim): string {
  const feeds = feedsSentence(claim);
  return [feeds, isAboutFeedsOnly(claim) ? null : breaksSentence(claim)].filter(Boolean).join(' ');
}

function breaksSentence({ kind, counts: { breaks, may_break: may, at_least } }: Claim): string {
  switch (kind) {
    case 'not_evaluated':
      return 'Not evaluated: it is not known what breaks.';
    case 'nothing_known_breaks':
      return 'Nothing known breaks.';
    case 'may_break':
      return may === 0
        ? 'Something may break: not everything is known.'
        : asSentence(`${many(may, at_least)} may break`);
    case 'breaks': {
      const more = may === 0 ? '' : `, and ${many(may)} may break`;
      return asSentence(`${many(breaks, at_least)} ${breaks === 1 ? 'breaks' : 'break'}${more}`);
    }
  }
}

const onlyFeeds = 'downstream_not_requested';

/** Whether only what feeds a relation was requested: then the sentence is about that. */
const isAboutFeedsOnly = ({ counts: { feeds }, limits }: Claim): boolean =>
  feeds !== undefined && limits.some(({ code }) => code === onlyFeeds);

function feedsSentence({ counts: { feeds, at_least }, limits }: Claim): string | null {
  if (feeds === undefined) return null;
  if (feeds > 0) return asSentence(`${many(feeds, at_least)} ${feeds === 1 ? 'feeds' : 'feed'} it`);
  const isProven = limits.every(({ code, blocks }) => !blocks || code === onlyFeeds);
  return isProven ? 'Nothing known feeds it.' : 'It is not known whether anything feeds it.';
}

type Comparison = {
  readonly claim: Claim;
  readonly summary: { readonly grades: Readonly<Record<'breaking' | 'risky' | 'safe', number>> };
};

/** What a comparison claims, and the grades of its changes. */
export function headlineOf({ claim, summary: { grades } }: Comparison): string {
  const { breaking, risky, safe } = grades;
  const sentence = claimSentence(claim);
  if (breaking + risky + safe > 0)
    return `${sentence} Changes: ${breaking} breaking, ${risky} risky, ${safe} without a known effect.`;
  if (claim.kind === 'nothing_known_breaks') return `${sentence} Nothing changes.`;
  return claim.kind === 'may_break' ? `${sentence} No change was found.` : sentence;
}

function limitWords({ text, subjects, how_to_lift }: ClaimLimit, quote: Quote): string {
  const more = subjects.length > mostNamed ? [`and ${subjects.length - mostNamed} more`] : [];
  const names = [...subjects.slice(0, mostNamed).map(quote), ...more].join(', ');
  const named = names === '' ? text : `${text.replace(/\.$/, '')} (${names}).`;
  return [named, how_to_lift].filter(Boolean).join(' ');
}

type Quote = (name: string) => string;
const mostNamed = 5;

/** The limits of the claim, one line each, which stand beside its sentence. */
export const limitLines = ({ limits }: Pick<Claim, 'limits'>, quote: Quote = (name) => name): string[] =>
  limits.map((one) => limitWords(one, quote));

type JoinedClaim = Omit<Claim, 'counts'> & { readonly counts: Omit<Claim['counts'], 'feeds'> };

const weakestFirst: readonly ClaimKind[] = ['breaks', 'may_break', 'not_evaluated', 'nothing_known_breaks'];

/** The claims of several answers as one, which says no more than the weakest of them. */
export function joinedClaim(claims: readonly [Claim, ...Claim[]]): JoinedClaim {
  const sum = (of: (claim: Claim) => number) => claims.reduce((total, claim) => total + of(claim), 0);
  return {
    kind: weakestFirst.find((kind) => claims.some((one) => one.kind === kind)) ?? claims[0].kind,
    counts: {
      breaks: sum(({ counts }) => counts.breaks),
      may_break: sum(({ counts }) => counts.may_break),
      at_least: claims.some(({ counts }) => counts.at_least),
    },
    evidence_until: claims.map(({ evidence_until }) => evidence_until).sort()[0] ?? null,
    limits: claims.flatMap(({ limits }) => limits),
  };
}
