/** Whether a scope's pattern means a name, or all that lies under what it names, in any letters. */
export const fitsScope = (glob: string, name: string): boolean => fits(glob, name) || fits(`${glob}.*`, name);

function fits(glob: string, name: string): boolean {
  const tokens = tokensOf(glob.toLowerCase().replaceAll('"', ''));
  // Reached by the first so many tokens; a star may also mean nothing.
  const open = (reached: Set<number>) => {
    for (const state of reached) if (tokens[state] === '*') reached.add(state + 1);
    return reached;
  };
  let states = open(new Set([0]));
  for (const character of name.toLowerCase()) {
    const next = new Set<number>();
    for (const state of states) {
      if (tokens[state] === '*') next.add(state);
      if (tokens[state] === '?' || tokens[state] === character) next.add(state + 1);
    }
    states = open(next);
  }
  return states.has(tokens.length);
}

/** The characters of a pattern; a set of them, as `[a-z]`, may be any one. */
function tokensOf(glob: string): string[] {
  const characters = [...glob];
  const tokens: string[] = [];
  for (let at = 0; at < characters.length; at++) {
    const end = characters[at] === '[' ? characters.indexOf(']', at + 2) : -1;
    tokens.push(end > 0 ? '?' : (characters[at] ?? ''));
    if (end > 0) at = end;
  }
  return tokens;
}
