/** From one code point to another, both included. */
type Range = readonly [number, number];

/** What one character of a text may be: in one of the ranges, or in none of them. */
export type CharacterSet = { readonly negated: boolean; readonly ranges: readonly Range[] };

/** A glob as the states of an automaton: state n is reached by the first n tokens. */
export type Pattern = {
  readonly tokens: readonly CharacterSet[];
  /** The states at which any character may follow. */
  readonly loops: readonly number[];
  readonly accepts: readonly number[];
};

const anyCharacter: CharacterSet = { negated: true, ranges: [] };

export function characterSet(character: string): CharacterSet {
  const point = codePoint(character);
  return { negated: false, ranges: [[point, point]] };
}

const codePoint = (character: string | undefined): number => character?.codePointAt(0) ?? 0;

export function compilePattern(glob: string): Pattern {
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

/** The set that begins at `start`, and where its bracket closes; null where none does: the bracket stands for itself. */
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
