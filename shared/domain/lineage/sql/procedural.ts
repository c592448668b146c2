import { statementsOf } from './body-statements.ts';
import { type BodyStatement, computed, isAssignment, unquotedText } from './body-words.ts';
import type { SqlDialect } from './dialect.ts';
import { isSymbol, isWord, type Token, tokensOf } from './tokens.ts';

/** The statements of a procedure, an anonymous block or a script in their order; null for a text that is none. */
export function bodyOf(text: string, dialect: SqlDialect, depth = 0): readonly BodyStatement[] | null {
  if (!/\b(?:begin|proc|procedure|task|do|execute|exec|if|while|for|loop|set|let|into|declare)\b/i.test(text))
    return null;
  const tokens = tokensOf(text, dialect);
  const inner = quotedBody(tokens, dialect);
  if (inner === foreign) return null;
  const statements = (body: string) =>
    statementsOf(body, dialect, (literal) => (depth > deepest ? null : withinLiteral(literal, dialect, depth + 1)));
  if (inner !== null) return depth > deepest ? null : withinLiteral(inner, dialect, depth + 1);
  const start = bodyStart(tokens, dialect);
  if (start === null) return null;
  return statements(text.slice(tokens[start]?.start ?? text.length));
}

/** Statements may hold others as literals, this many levels deep. */
const deepest = 4;

function withinLiteral(text: string, dialect: SqlDialect, depth: number): readonly BodyStatement[] {
  const known = bodyOf(text, dialect, depth);
  return known ?? statementsOf(text, dialect, (literal) => withinLiteral(literal, dialect, depth + 1));
}

/** Stands for a body of another language. */
const foreign = '\0';

/** The text of `CREATE PROCEDURE … AS $$…$$`, `DO $$…$$`; `foreign` if it is of another language. */
function quotedBody(tokens: readonly Token[], dialect: SqlDialect): string | null {
  const isRoutine = isWord(tokens[0], 'create') && tokens.slice(0, 6).some((one) => isWord(one, 'procedure', 'task'));
  if (!isRoutine && !isWord(tokens[0], 'do')) return null;
  const language = tokens.findIndex((one) => isWord(one, 'language'));
  const named = tokens[language + 1]?.text.toLowerCase().replaceAll(/['"]/g, '') ?? '';
  if (language >= 0 && !['sql', 'plpgsql', 'plpgsql;'].includes(named)) return foreign;
  const body = tokens.find((one, at) => one.kind === 'string' && isWord(tokens[at - 1], 'as', 'do', 'sql', 'plpgsql'));
  if (body === undefined || (dialect === 'oracle' && !isRoutine)) return null;
  return unquotedText(body.text);
}

/** The place where the statements begin; null for a text without a body. */
function bodyStart(tokens: readonly Token[], dialect: SqlDialect): number | null {
  if (isWord(tokens[0], 'create', 'alter')) {
    const routine = tokens.slice(0, 7).findIndex((one) => isWord(one, 'procedure', 'proc', 'task'));
    if (routine < 0) return null;
    const as = tokens.findIndex(
      (one, at) =>
        at > routine && one.depth === 0 && isWord(one, 'as', 'is', 'begin') && !isWord(tokens[at - 1], 'execute'),
    );
    if (as < 0) return null;
    return isWord(tokens[as], 'begin') ? as : as + 1;
  }
  return tokens.some((one, at) => one.depth === 0 && beginsControl(tokens, at, dialect)) ? 0 : null;
}

/** Whether a statement that only scripts have begins at a place. */
function beginsControl(tokens: readonly Token[], at: number, dialect: SqlDialect): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]];
  if (before !== undefined && !isSymbol(before, ';') && !isWord(before, 'begin', 'then', 'else', 'loop')) return false;
  if (isWord(token, 'begin')) return !isTransaction(tokens, at);
  if (isWord(token, 'execute', 'exec')) return computed(tokens, at) !== null;
  if (isWord(token, 'if', 'while', 'for', 'loop', 'let', 'repeat')) return true;
  return isWord(token, 'set') && isAssignment(tokens, at, dialect);
}

const isTransaction = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1] === undefined ||
  isSymbol(tokens[at + 1], ';') ||
  isWord(tokens[at + 1], 'tran', 'transaction', 'work');
