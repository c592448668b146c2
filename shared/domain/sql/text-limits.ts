/** Characters of a statement that is parsed: the parser cannot be interrupted, and takes about a second for this many. */
const maxLength = 1_000_000;

/** Why a statement is not even given to the parser, which bounds nesting itself; null where it may be. */
export function tooLargeReason(statement: string): string | null {
  if (statement.trim() === '') return 'the statement is empty';
  return statement.length > maxLength ? `the statement has more than ${maxLength} characters` : null;
}
