import { characterSet, compilePattern, type Pattern } from './glob-pattern.ts';
import { patternAutomaton } from './pattern-automaton.ts';

export type Matcher = (text: string) => boolean;

/** Names are asked for once an edge and again once an evidence. */
const mostRemembered = 4_096;

/**
 * Globs over dotted names, without case and without the quotes of parts that need them. `*` is any run of characters,
 * dots included, `?` one character, `[abc]`, `[a-z]` and `[!abc]` one of a set; everything else stands for itself.
 * All patterns are matched in one pass over the text, whatever they are: they come from outside.
 */
export const globs = (patterns: readonly string[]): Matcher =>
  matcherOf(patterns.map((pattern) => compilePattern(plain(pattern))));

/** The same, where a pattern also stands for all that lies under what it names: `shop.raw` is the whole schema. */
export const scopeGlobs = (patterns: readonly string[]): Matcher =>
  matcherOf(patterns.map((pattern) => withAllUnder(compilePattern(plain(pattern)))));

const plain = (text: string): string => text.toLowerCase().replaceAll('"', '');

function withAllUnder({ tokens, loops, accepts }: Pattern): Pattern {
  const under = tokens.length + 1;
  return { tokens: [...tokens, characterSet('.')], loops: [...loops, under], accepts: [...accepts, under] };
}

function matcherOf(patterns: readonly Pattern[]): Matcher {
  if (patterns.length === 0) return () => false;
  const matches = patternAutomaton(patterns);
  const remembered = new Map<string, boolean>();
  return (text) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    if (remembered.size >= mostRemembered) remembered.clear();
    const matched = matches(plain(text));
    remembered.set(text, matched);
    return matched;
  };
}
