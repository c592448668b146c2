import { spendFrom } from '../../../base/budget.ts';
import { isTsql, type SqlDialect } from '../dialect.ts';
import { statementStarts } from '../split-statements.ts';
import { closingPlaces, isName, isSymbol, isWord, type Token, tokensOf, unquotedText } from '../tokens.ts';
import { endsStatement, statusName } from './body-words.ts';

/** How often each token is looked at, at most. */
const lookedAt = 50;

/** The tokens of a body, and how places in it are found. */
export type BodyText = {
  readonly tokens: readonly Token[];
  readonly dialect: SqlDialect;
  /** Whether the dialect assigns by `name := value`, and declares between DECLARE and BEGIN. */
  readonly isPl: boolean;
  /** The place that closes a bracket. */
  readonly closing: (at: number) => number | undefined;
  /** The text between two places. Substitutes replace words that SQL does not have. */
  readonly slice: (from: number, to: number) => string;
  /** The place of the semicolon or of the word that ends what begins at a place. */
  readonly endOf: (from: number) => number;
  /** The next place of one of some words outside of brackets and CASE, or of a semicolon. */
  readonly find: (from: number, ...words: string[]) => number;
  /** The first place of a range, at any depth, whose token fits; -1 if none does. */
  readonly placeIn: (from: number, to: number, fits: (token: Token, at: number) => boolean) => number;
  /** A name, with the sign of a variable. */
  readonly nameAt: (at: number) => string;
  /** The variables of a list; null if it has anything else. */
  readonly namesBetween: (from: number, to: number) => readonly string[] | null;
  /** Makes a name with an index, which collections have, its name only. */
  readonly addCollection: (name: string) => void;
};

/** Looking for places throws `BudgetExceeded`: a word that nothing closes is looked for to the end, from each place where one begins. */
export function bodyText(body: string, dialect: SqlDialect): BodyText {
  const tokens = tokensOf(body, dialect);
  const closes = closingPlaces(tokens);
  const spend = spendFrom([{ left: lookedAt * (tokens.length + 1_000) }]);
  const starts = isTsql(dialect) ? statementStarts(tokens, (at) => endsStatement(tokens, at, dialect)) : null;
  const collections = new Set<string>();

  /** The first place from one on, outside of brackets, that `isMet` accepts with the number of open CASEs. */
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
      if (token.depth < depth || isMet(token, at, cases)) return at;
      if (isWord(token, 'case') && (isInside || at > from)) cases++;
      else if (isWord(token, 'end') && cases > 0) cases--;
    }
    return tokens.length;
  };
  const nameAt = (at: number): string => {
    const { kind, text } = tokens[at] ?? { kind: 'word', text: '' };
    if (text !== '@' && text !== ':') return kind === 'quoted' ? unquotedText(text) : text;
    const next = tokens[at + 1]?.text ?? '';
    return next === '@' ? `@@${tokens[at + 2]?.text ?? ''}` : `${text}${next}`;
  };
  const isEnd = (token: Token, at: number, from: number, cases: number): boolean =>
    isSymbol(token, ';') ||
    (at > from &&
      // Its ELSE is its own.
      !(isWord(tokens[from], 'insert') && isWord(tokens[from + 1], 'all', 'first')) &&
      (starts === null ? cases === 0 && endsStatement(tokens, at, dialect) : starts.has(token)));
  /** The substitute for the token at a place, and the place behind the replaced tokens. */
  const substitute = (at: number): { readonly text: string; readonly end: number } | null => {
    const status = statusName(tokens, at);
    if (status !== null) return { text: 'sql_status', end: status };
    const text = tokens[at]?.text ?? '';
    if (!collections.has(text.toLowerCase()) || (isSymbol(tokens[at - 1], '.') && !isSymbol(tokens[at - 2], '.')))
      return null;
    // How many elements there are says as much as the collection.
    if (isSymbol(tokens[at + 1], '.') && isWord(tokens[at + 2], 'count', 'first', 'last')) return { text, end: at + 3 };
    const close = isSymbol(tokens[at + 1], '(') ? closes.get(at + 1) : undefined;
    return close === undefined ? null : { text, end: close + 1 };
  };
  return {
    tokens,
    dialect,
    isPl: ['oracle', 'postgres', 'redshift', 'snowflake', 'ansi'].includes(dialect),
    closing: (at) => closes.get(at),
    slice: (from, to) => {
      const parts: string[] = [];
      let start = tokens[from]?.start ?? body.length;
      for (let at = from; at < to; at++) {
        const other = substitute(at);
        if (other === null) continue;
        parts.push(body.slice(start, tokens[at]?.start), other.text);
        start = tokens[other.end - 1]?.end ?? body.length;
        at = other.end - 1;
      }
      return parts.join('') + body.slice(start, Math.max(start, tokens[to - 1]?.end ?? 0));
    },
    endOf: (from) => outside(from, false, (token, at, cases) => isEnd(token, at, from, cases)),
    find: (from, ...words) =>
      outside(from, true, (token, _, cases) => isSymbol(token, ';') || (cases === 0 && isWord(token, ...words))),
    placeIn: (from, to, fits) => {
      for (let at = from; at < Math.min(to, tokens.length); at++) {
        spend(1);
        const token = tokens[at];
        if (token !== undefined && fits(token, at)) return at;
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
        names.push(name);
        if (isSymbol(tokens[at + 1], '(')) at = closes.get(at + 1) ?? at;
        if (at + 1 < to && !isSymbol(tokens[at + 1], ',')) return null;
      }
      return names.length === 0 ? null : names;
    },
    addCollection: (name) => collections.add(name.toLowerCase()),
  };
}
