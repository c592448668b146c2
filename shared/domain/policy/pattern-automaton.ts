import type { CharacterSet, Pattern } from './glob-pattern.ts';

const wordBits = 32;

/** States as bits: those of a pattern are adjacent, after those of the pattern before. */
type States = Uint32Array;

/**
 * Whether a text matches one of some patterns. The states that the text may have reached are moved together, a word of
 * 32 at a time (Baeza-Yates and Gonnet's Shift-And), so that no pattern makes a character cost more than its length.
 */
export function patternAutomaton(patterns: readonly Pattern[]): (text: string) => boolean {
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

/** Moves every state on by a character; false where none is left. */
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
