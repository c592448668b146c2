import { limits } from '../../../contract/limits.ts';
import { type Budget, type Spend, spendFrom } from '../../base/budget.ts';

/** The reason for a statement that exceeds a limit of its text or a budget of its analysis. */
export const tooComplex = 'statement_too_complex';

/** The largest of TPC-DS takes two thousand, while a `SELECT *, *` of a `SELECT *, *` doubles columns at each level. */
const maxStatementSteps = 250_000;

/** Scripts of many statements. */
const maxTextSteps = 1_000_000;

/** Documents of thousands of statements: those that people write take about a step for two characters. */
const documentSteps = { least: 1_000_000, perCharacter: 2 };

/** Of the comparison of two statements: words of its prints, and sources and relations that are searched or copied. */
export const comparisonSteps = 2_000_000;

/** Of the proof that two statements are the same: parts of its terms that are made, searched or rewritten. */
export const proofSteps = 1_000_000;

/** Nodes of both trees that a comparison writes as SQL again, which costs as much as parsing them several times. */
export const writtenNodes = 8_000;

/** Tokens of the further attempts to parse one text. */
export const parseBudget = (): Budget => ({ left: 100_000 });

export const textBudget = (): Budget => ({ left: maxTextSteps });

/** @param characters of all statements of the document */
export const documentBudget = (characters: number): Budget => ({ left: documentSteps.least + stepsFor(characters) });

/** The steps that a statement of this length adds to a document's budget. */
export const stepsFor = (characters: number): number => documentSteps.perCharacter * characters;

/** In linear time; null beyond a limit. Counts strings and comments too, which dialects end differently. */
export function countTokens(text: string): number | null {
  const { characters, tokens: mostTokens, nesting, dollarTags } = limits.sql;
  if (text.length > characters) return null;
  let tokens = 0;
  let depth = 0;
  let isInWord = false;
  // The parser looks for the end of each dollar quote in all of the text: many different tags take quadratic time.
  const tags = new Set<string>();
  let tagStart = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isWord = isWordCode(code);
    if (code > 32 && !(isWord && isInWord)) tokens++;
    isInWord = isWord;
    if (isOpening(code)) depth++;
    else if (depth > 0 && isClosing(code)) depth--;
    if (code === 36) {
      if (tagStart >= 0) tags.add(text.slice(tagStart, at));
      tagStart = at;
    } else if (!isWord) tagStart = -1;
    if (tokens > mostTokens || depth > nesting || tags.size > dollarTags) return null;
  }
  return tokens;
}

const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || code > 127;

const isOpening = (code: number): boolean => code === 40 || code === 91 || code === 123;
const isClosing = (code: number): boolean => code === 41 || code === 93 || code === 125;

export const statementBudget = (texts: readonly Budget[]): Spend => spendFrom([{ left: maxStatementSteps }, ...texts]);
