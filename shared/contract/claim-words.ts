import type { Claim, ClaimLimit } from './claim.ts';

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
      return asSentence(`${many(breaks, at_least)} ${breaks === 1 && !at_least ? 'breaks' : 'break'}${more}`);
    }
  }
}

const onlyFeeds = 'downstream_not_requested';

/** Whether only what feeds a relation was requested: then the sentence is about that. */
const isAboutFeedsOnly = ({ counts: { feeds }, limits }: Claim): boolean =>
  feeds !== undefined && limits.some(({ code }) => code === onlyFeeds);

function feedsSentence({ counts: { feeds, at_least }, limits }: Claim): string | null {
  if (feeds === undefined) return null;
  if (feeds > 0) return asSentence(`${many(feeds, at_least)} ${feeds === 1 && !at_least ? 'feeds' : 'feed'} it`);
  const isProven = limits.every(({ code, blocks }) => !blocks || code === onlyFeeds);
  return isProven ? 'Nothing known feeds it.' : 'It is not known whether anything feeds it.';
}

const limitWords = ({ text, subjects, how_to_lift }: ClaimLimit, quote: Quote): string => {
  const named = subjects.slice(0, mostNamed).map(quote);
  const rest = subjects.length > mostNamed ? [`and ${subjects.length - mostNamed} more`] : [];
  return [text, ...(named.length > 0 ? [`(${[...named, ...rest].join(', ')})`] : []), how_to_lift]
    .filter(Boolean)
    .join(' ');
};

type Quote = (name: string) => string;
const mostNamed = 5;

/** The limits of the claim, one line each, which stand beside its sentence. */
export const limitLines = ({ limits }: Pick<Claim, 'limits'>, quote: Quote = (name) => name): string[] =>
  limits.map((one) => limitWords(one, quote));
