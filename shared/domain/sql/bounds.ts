/** Characters of a statement that is parsed: the parser cannot be interrupted, and takes about a second for this many. */
const maxLength = 1_000_000;
/** Brackets within brackets; the parser's own limit is 512 levels of its tree. */
const maxNesting = 100;

/** Why a statement is not even given to the parser; null where it may be. */
export function refusalOf(statement: string): string | null {
  if (statement.trim() === '') return 'the statement is empty';
  if (statement.length > maxLength) return `the statement has more than ${maxLength} characters`;
  return nestingOf(statement) > maxNesting ? `the statement has more than ${maxNesting} levels of brackets` : null;
}

/** Depth of brackets, strings and comments included: too many there are no statement either. */
function nestingOf(statement: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of statement) {
    if (character === '(' || character === '[') depth++;
    if (character === ')' || character === ']') depth--;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}
