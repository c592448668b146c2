import { spendFrom } from '../../base/budget.ts';
import { endsStatement } from './body-words.ts';
import type { SqlDialect } from './dialect.ts';
import { closingPlaces, isName, isSymbol, isWord, type Token, tokensOf } from './tokens.ts';

/** How often each token is looked at, at most. */
const lookedAt = 50;

/** The tokens of a body, and how places in it are found. */
export type BodyText = {
  readonly tokens: readonly Token[];
  readonly dialect: SqlDialect;
  /** The place that closes a bracket. */
  readonly closing: (at: number) => number | undefined;
  readonly slice: (from: number, to: number) => string;
  /** The place of the semicolon or of the control word that ends what begins at a place. */
  readonly endOf: (from: number) => number;
  /** The next place of one of some words, or of a semicolon. */
  readonly find: (from: number, ...words: string[]) => number;
  /** The first place of a range, at any depth, whose token fits; -1 if none does. */
  readonly placeIn: (from: number, to: number, fits: (token: Token) => boolean) => number;
  /** A name, with the sign of a variable. */
  readonly nameAt: (at: number) => string;
  /** The variables of a list; null if it has anything else. */
  readonly namesBetween: (from: number, to: number) => readonly string[] | null;
};

/** Looking for places throws `BudgetExceeded`: a word that nothing closes is looked for to the end, from each place where one begins. */
export function bodyText(body: string, dialect: SqlDialect): BodyText {
  const tokens = tokensOf(body, dialect);
  const closes = closingPlaces(tokens);
  const spend = spendFrom([{ left: lookedAt * (tokens.length + 1_000) }]);

  /** The first place from one on, outside of brackets, that `isMet` accepts with the number of open CASEs. Inside of a statement its first word counts, and an END too many hides the rest. */
  const outside = (
    from: number,
    isInside: boolean,
    isMet: (token: Token, at: number, cases: number) => boolean,
  ): number => {
    const depth = tokens[from]?.depth ?? 0;
    let cases = 0;
    for (let at = from; at < tokens.length; at++) {
      spend(1);
      const token = tokens[at];
      if (token === undefined || token.depth > depth) continue;
      if (isMet(token, at, cases)) return at;
      if (isWord(token, 'case') && (isInside || at > from)) cases++;
      else if (isWord(token, 'end') && (isInside || cases > 0)) cases--;
    }
    return tokens.length;
  };
  const nameAt = (at: number): string => {
    const text = tokens[at]?.text ?? '';
    return text === '@' || text === ':' ? `${text}${tokens[at + 1]?.text ?? ''}` : text;
  };
  return {
    tokens,
    dialect,
    closing: (at) => closes.get(at),
    slice: (from, to) => body.slice(tokens[from]?.start ?? body.length, tokens[to - 1]?.end ?? 0),
    endOf: (from) =>
      outside(
        from,
        false,
        (token, at, cases) => isSymbol(token, ';') || (at > from && cases === 0 && endsStatement(tokens, at, dialect)),
      ),
    find: (from, ...words) =>
      outside(from, true, (token, _, cases) => isSymbol(token, ';') || (cases === 0 && isWord(token, ...words))),
    placeIn: (from, to, fits) => {
      for (let at = from; at < Math.min(to, tokens.length); at++) {
        spend(1);
        const token = tokens[at];
        if (token !== undefined && fits(token)) return at;
      }
      return -1;
    },
    nameAt,
    namesBetween: (from, to) => {
      const names: string[] = [];
      for (let at = from; at < to; at++) {
        if (isSymbol(tokens[at], ',')) continue;
        const name = nameAt(at);
        if (name.length > 1 && /^[@:]/.test(name)) at++;
        else if (!isName(tokens[at])) return null;
        if (isSymbol(tokens[at + 1], '.')) return null;
        names.push(name);
      }
      return names.length === 0 ? null : names;
    },
  };
}
