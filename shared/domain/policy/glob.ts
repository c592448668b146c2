export type Matcher = (text: string) => boolean;

/**
 * Globs over dotted names, without case and without the quotes of parts that need them. `*` is any run of characters,
 * dots included, `?` one character, `[abc]`, `[a-z]` and `[!abc]` one of a set; everything else stands for itself.
 * Takes time of at most pattern × text, whatever the pattern: it comes from outside.
 */
export function globs(patterns: readonly string[]): Matcher {
  const compiled = patterns.map((pattern) => compile(plain(pattern)));
  return (text) => {
    const characters = [...plain(text)];
    return compiled.some((tokens) => matches(tokens, characters));
  };
}

/** The same, where a pattern also stands for all that lies under what it names: `shop.raw` is the whole schema. */
export const scopeGlobs = (patterns: readonly string[]): Matcher =>
  globs(patterns.flatMap((pattern) => [pattern, `${pattern}.*`]));

const plain = (text: string): string => text.toLowerCase().replaceAll('"', '');

type One = (character: string) => boolean;
type Token = One | '*';

function compile(pattern: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? '';
    const set = character === '[' ? readSet(characters, i + 1) : null;
    if (set) {
      tokens.push(set.one);
      i = set.end;
    } else if (character !== '*') tokens.push(character === '?' ? () => true : (other) => other === character);
    else if (tokens.at(-1) !== '*') tokens.push('*');
  }
  return tokens;
}

/** The set that begins at `start`, and where its bracket closes; null where none does: the bracket stands for itself. */
function readSet(characters: readonly string[], start: number): { readonly one: One; readonly end: number } | null {
  const negated = characters[start] === '!';
  const first = negated ? start + 1 : start;
  // A bracket that comes first is one of the set.
  const end = characters.indexOf(']', first + 1);
  if (end < 0) return null;
  const ranges: [string, string][] = [];
  for (let i = first; i < end; i++) {
    const from = characters[i] ?? '';
    const isRange = characters[i + 1] === '-' && i + 2 < end;
    ranges.push([from, (isRange ? characters[i + 2] : from) ?? from]);
    if (isRange) i += 2;
  }
  return { one: (other) => ranges.some(([from, to]) => from <= other && other <= to) !== negated, end };
}

/** Only the last star is ever tried again: an earlier one could not match what a later one cannot. */
function matches(tokens: readonly Token[], text: readonly string[]): boolean {
  let token = 0;
  let star = -1;
  let resume = 0;
  for (let i = 0; i < text.length; ) {
    const wanted = tokens[token];
    if (wanted === '*') {
      star = token++;
      resume = i;
    } else if (wanted?.(text[i] ?? '')) {
      token++;
      i++;
    } else if (star >= 0) {
      token = star + 1;
      i = ++resume;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === '*');
}
