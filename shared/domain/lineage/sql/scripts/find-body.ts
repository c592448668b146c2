import { BudgetExceeded } from '../../../base/budget.ts';
import { tooComplex } from '../budget.ts';
import { isTsql, type SqlDialect } from '../dialect.ts';
import { isSymbol, isWord, type Token, tokensOf } from '../tokens.ts';
import { endsStatement, isAssignment, isTransaction } from './body-words.ts';
import type { Instruction } from './instruction.ts';
import { readBody } from './read-body.ts';
import { routineKind } from './read-routine.ts';

/** Bodies may hold others as literals, this many levels deep. */
const deepest = 4;

/** What a procedure, an anonymous block or a script does; null for a text that is none. A body that is too dense to be read is open. */
export function instructionsIn(text: string, dialect: SqlDialect): readonly Instruction[] | null {
  if (
    !/\b(?:begin|proc|procedure|package|function|task|do|execute|exec|if|while|for|loop|repeat|case|set|let|into|declare|go)\b/i.test(
      text,
    )
  )
    return null;
  const tokens = tokensOf(text, dialect);
  if (!tokens.some((one, at) => one.depth === 0 && isProcedural(tokens, at, dialect))) return null;
  const routines = new Map<string, boolean>();
  const reading = (body: string, depth: number): readonly Instruction[] =>
    readBody(body, dialect, { routines, within: (inner) => (depth >= deepest ? null : reading(inner, depth + 1)) });
  try {
    return reading(text, 0);
  } catch (error) {
    if (error instanceof BudgetExceeded) return [{ kind: 'open', reason: tooComplex }];
    throw error;
  }
}

/** Whether a statement that only scripts have begins at a place. */
function isProcedural(tokens: readonly Token[], at: number, dialect: SqlDialect): boolean {
  const [token, before, next] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if (dialect === 'mysql' && isWord(token, 'into') && isSymbol(next, '@')) return true;
  if (
    before !== undefined &&
    !isSymbol(before, ';', ':', '/', '>') &&
    !isWord(before, 'begin', 'then', 'else', 'loop', 'go')
  )
    return (
      isTsql(dialect) &&
      ((isWord(token, 'exec', 'execute', 'declare', 'while') &&
        !isWord(before, 'with', 'grant', 'deny', 'revoke') &&
        !isSymbol(before, ',')) ||
        (isWord(token, 'if', 'begin', 'commit', 'rollback') && endsStatement(tokens, at, dialect)))
    );
  if (isWord(token, 'begin')) return !isTransaction(tokens, at);
  if (isWord(token, 'execute', 'exec', 'do')) return true;
  if (isWord(token, 'if', 'while', 'for', 'loop', 'let', 'repeat', 'case')) return true;
  if (isWord(token, 'declare')) return isTsql(dialect) || next !== undefined;
  if (isWord(token, 'set')) return isAssignment(tokens, at, dialect);
  const kind = routineKind(tokens, at);
  return (
    kind >= 0 &&
    (!isWord(tokens[kind], 'function') || tokens.some((one) => one.kind === 'string' || isWord(one, 'trigger')))
  );
}
