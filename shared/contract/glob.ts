/** From one code point to another, both included. */
type Range = readonly [number, number];

/** What one character of a text may be: in one of the ranges, or in none of them. */
type CharacterSet = { readonly negated: boolean; readonly ranges: readonly Range[] };

/** A glob as the states of an automaton: state n is reached by the first n tokens. */
type Pattern = {
  readonly tokens: readonly CharacterSet[];
  /** The states at which any character may follow. */
  readonly loops: readonly number[];
  readonly accepts: readonly number[];
};

const anyCharacter: CharacterSet = { negated: true, ranges: [] };

function characterSet(character: string): CharacterSet {
  const point = codePoint(character);
  return { negated: false, ranges: [[point, point]] };
}

const codePoint = (character: string | undefined): number => character?.codePointAt(0) ?? 0;

function compilePattern(glob: string): Pattern {
  const tokens: CharacterSet[] = [];
  const loops = new Set<number>();
  const characters = [...glob];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? '';
    const set = character === '[' ? readSet(characters, i + 1) : null;
    if (set) {
      tokens.push(set.one);
      i = set.end;
    } else if (character === '*') loops.add(tokens.length);
    else tokens.push(character === '?' ? anyCharacter : characterSet(character));
  }
  return { tokens, loops: [...loops], accepts: [tokens.length] };
}

/** The set that begins at `start`, and where its bracket closes; null if none does: the bracket represents itself. */
function readSet(
  characters: readonly string[],
  start: number,
): { readonly one: CharacterSet; readonly end: number } | null {
  const negated = characters[start] === '!';
  const first = negated ? start + 1 : start;
  // A bracket that comes first is one of the set.
  const end = characters.indexOf(']', first + 1);
  if (end < 0) return null;
  const ranges: Range[] = [];
  for (let i = first; i < end; i++) {
    const isRange = characters[i + 1] === '-' && i + 2 < end;
    ranges.push([codePoint(characters[i]), codePoint(characters[isRange ? i + 2 : i])]);
    if (isRange) i += 2;
  }
  return { one: { negated, ranges }, end };
}

const wordBits = 32;

/** States as bits: those of a pattern are adjacent, after those of the pattern before. */
type States = Uint32Array;

/** Moves all states together, 32 a word (Shift-And by Baeza-Yates and Gonnet): a character costs no more than that. */
function patternAutomaton(patterns: readonly Pattern[]): (text: string) => boolean {
  const firsts = firstStates(patterns);
  const total = patterns.reduce((sum, { tokens }) => sum + tokens.length + 1, 0);
  const statesAt = (statesOf: (pattern: Pattern) => readonly number[]): States => {
    const states = new Uint32Array(Math.ceil(total / wordBits));
    for (const [i, pattern] of patterns.entries())
      for (const state of statesOf(pattern)) addState(states, (firsts[i] ?? 0) + state);
    return states;
  };
  const starts = statesAt(() => [0]);
  const loops = statesAt((pattern) => pattern.loops);
  const accepts = statesAt((pattern) => pattern.accepts);
  const reachedBy = characterStates(patterns, (isReached) =>
    statesAt(({ tokens }) => tokens.flatMap((token, i) => (isReached(token) ? [i + 1] : []))),
  );
  return (text) => {
    const states: States = starts.slice();
    for (const character of text) if (!advance(states, reachedBy(character.codePointAt(0) ?? 0), loops)) return false;
    return states.some((word, i) => (word & (accepts[i] ?? 0)) !== 0);
  };
}

function firstStates(patterns: readonly Pattern[]): number[] {
  const firsts: number[] = [];
  let next = 0;
  for (const { tokens } of patterns) {
    firsts.push(next);
    next += tokens.length + 1;
  }
  return firsts;
}

function addState(states: States, state: number): void {
  const word = Math.floor(state / wordBits);
  states[word] = (states[word] ?? 0) | (1 << (state % wordBits));
}

/** Moves every state on by a character; false if none is left. */
function advance(states: States, reached: States, loops: States): boolean {
  let carry = 0;
  let left = 0;
  for (let i = 0; i < states.length; i++) {
    const word = states[i] as number;
    if (word === 0 && carry === 0) continue;
    const next = (((word << 1) | carry) & (reached[i] as number)) | (word & (loops[i] as number));
    carry = word >>> (wordBits - 1);
    states[i] = next;
    left |= next;
  }
  return left !== 0;
}

/** The states that a character leads to: computed once for all characters that no pattern tells apart. */
function characterStates(
  patterns: readonly Pattern[],
  statesBy: (isReached: (token: CharacterSet) => boolean) => States,
): (point: number) => States {
  const bounds = patterns.flatMap(({ tokens }) => tokens.flatMap(({ ranges }) => ranges.flat()));
  // A class of characters begins at the first of a range and after its last.
  const classes = [...new Set([0, ...bounds, ...bounds.map((bound) => bound + 1)])].sort((a, b) => a - b);
  const known = new Map<number, States>();
  return (point) => {
    const first = classOf(classes, point);
    const found = known.get(first) ?? statesBy((token) => includes(token, first));
    known.set(first, found);
    return found;
  };
}

function classOf(classes: readonly number[], point: number): number {
  let low = 0;
  let high = classes.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((classes[middle] ?? 0) <= point) low = middle;
    else high = middle - 1;
  }
  return classes[low] ?? 0;
}

const includes = ({ negated, ranges }: CharacterSet, point: number): boolean =>
  ranges.some(([from, to]) => from <= point && point <= to) !== negated;

export type Matcher = (text: string) => boolean;

/** Names are requested once an edge and again once an evidence. */
const mostRemembered = 4_096;

/** `*`, `?`, `[abc]`, `[a-z]`, `[!abc]`, without case and quotes. One pass for all patterns: they come from outside. */
export const globs = (patterns: readonly string[]): Matcher =>
  matcherOf(patterns.map((pattern) => compilePattern(plain(pattern))));

/** The same, if a pattern also represents all that lies under what it names: `shop.raw` is the whole schema. */
export const scopeGlobs = (patterns: readonly string[]): Matcher =>
  matcherOf(patterns.map((pattern) => withAllUnder(compilePattern(plain(pattern)))));

type Scope = { readonly include: readonly string[]; readonly exclude: readonly string[] };

/** Whether a scope includes a relation and does not exclude it; without `include` it includes all. */
export function scopeMatcher({ include, exclude }: Scope): Matcher {
  const [included, excluded] = [scopeGlobs(include), scopeGlobs(exclude)];
  return (ref) => !excluded(ref) && (include.length === 0 || included(ref));
}

/** The same, if a pattern may leave out leading parts: people write `public.*` without the database. */
export const lastPartsMatcher = ({ include, exclude }: Scope): Matcher =>
  scopeMatcher({ include: withAnyLead(include), exclude: withAnyLead(exclude) });

const withAnyLead = (patterns: readonly string[]) => patterns.flatMap((one) => [one, `*.${one}`]);

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
