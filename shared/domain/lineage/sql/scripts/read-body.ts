// Reads a body from its begin to its end: each step takes what begins at a place, and answers where the next begins.

import { BudgetExceeded } from '../../../base/budget.ts';
import { isTsql, type SqlDialect } from '../dialect.ts';
import { isName, isSymbol, isWord } from '../tokens.ts';
import { bodyText } from './body-text.ts';
import { isTransaction } from './body-words.ts';
import type { Instruction } from './instruction.ts';
import { addCondition, behindEnd, exitWhen, toEnd, within } from './parts.ts';
import { loopOver } from './read-loop.ts';
import { readRoutine } from './read-routine.ts';
import { plainStatement, statementSteps } from './read-statement.ts';
import { readDeclarations, readDeclared } from './read-variables.ts';
import { computedText, instructionsOf, type Step, variableKey, type Walk } from './walk.ts';

/** Throws `BudgetExceeded`. */
export function readBody(
  body: string,
  dialect: SqlDialect,
  shared: Pick<Walk, 'within' | 'routines'>,
): readonly Instruction[] {
  const text = bodyText(body, dialect);
  const around = { parts: 0, loops: 0, blocks: 0, transactions: 0, statements: 0 };
  const walk: Walk = {
    ...text,
    ...shared,
    found: [],
    cursors: new Map(),
    parameters: new Map(),
    texts: new Map(),
    around,
    statement: (at) => readStatement(walk, at),
    statements: (from, ...ends) => {
      let at = from;
      while (at < text.tokens.length && !isWord(text.tokens[at], ...ends))
        at = Math.max(at + 1, readStatement(walk, at));
      return at;
    },
    declarations: (from) => readDeclared(walk, from),
  };
  walk.statements(0);
  return walk.found.flatMap((one) => {
    if (one.kind !== 'dynamic') return [one];
    const texts = walk.texts.get(variableKey(one.name));
    return texts
      ? [...texts].flatMap((sql) => instructionsOf(walk, one.bind(sql), one.into))
      : [{ kind: 'open', reason: computedText }];
  });
}

function readStatement(walk: Walk, at: number): number {
  // Deeper ones would end the stack.
  if (++walk.around.statements > 200) throw new BudgetExceeded();
  const next = readBySteps(walk, at);
  walk.around.statements--;
  return next;
}

function readBySteps(walk: Walk, at: number): number {
  for (const step of steps) {
    const next = step(walk, at);
    if (next !== null) return next;
  }
  return plainStatement(walk, at);
}

/** What only divides statements, and labels. */
const separator: Step = (walk, at) => {
  const { tokens } = walk;
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (isSymbol(token, '<') && isSymbol(next, '<')) return at + 5;
  if (isSymbol(token, ';', '/') || isWord(token, 'end')) return isWord(token, 'end') ? behindEnd(walk, at) : at + 1;
  return isName(token) && isSymbol(next, ':') && !isWord(token, 'select') ? at + 2 : null;
};

const block: Step = (walk, at) => {
  const { tokens, around, found } = walk;
  if (!isWord(tokens[at], 'begin') || isTransaction(tokens, at)) return null;
  const begin = at + (isWord(tokens[at + 1], 'try', 'catch', 'atomic') ? 2 : 1);
  const options =
    isWord(tokens[at + 1], 'atomic') && isWord(tokens[begin], 'with') ? walk.closing(begin + 1) : undefined;
  const start = found.length;
  const read = () => walk.statements(options === undefined ? begin : options + 1, 'end', 'exception');
  around.blocks++;
  // A CATCH runs only if something has failed.
  let next = isWord(tokens[at + 1], 'catch') ? within(walk, 'block', read) : read();
  around.blocks--;
  if (isWord(tokens[next], 'exception')) next = handlers(walk, start, next + 1);
  return behindEnd(walk, next);
};

/** The parts of EXCEPTION, at a place behind it. What a block of others began may not have been done. */
function handlers(walk: Walk, start: number, at: number): number {
  const { tokens, dialect, around, find, found, placeIn } = walk;
  // PostgreSQL undoes what a block has done before an exception that it handles.
  if (dialect === 'postgres' && found.slice(start).some((one) => one.kind === 'exit' && one.raises)) {
    const undo = { kind: 'rollback', to: 'exception' } as const;
    const inner = found.splice(start).flatMap((one) => (one.kind === 'exit' && one.raises ? [undo, one] : [one]));
    found.push({ kind: 'savepoint', name: 'exception' });
    for (const one of inner) found.push(one);
  }
  if (around.blocks > 0) {
    found.splice(start, 0, { kind: 'enter', part: 'block' });
    found.push({ kind: 'leave' });
  }
  let next = at;
  while (isWord(tokens[next], 'when')) {
    const then = find(next, 'then');
    const isOfRows = placeIn(next, then, (one) => isWord(one, 'no_data_found', 'too_many_rows')) >= 0;
    next = within(walk, 'block', () => {
      if (isOfRows) found.push({ kind: 'condition', query: 'SELECT sql_status' });
      return walk.statements(then + 1, 'when', 'end');
    });
  }
  return next;
}

const choice: Step = (walk, at) => {
  const { tokens, dialect, find, endOf } = walk;
  if (!isWord(tokens[at], 'if')) return null;
  return within(walk, 'block', () => {
    if (isTsql(dialect)) {
      const start = endOf(at);
      addCondition(walk, at + 1, start);
      const next = walk.statement(start);
      const other = isSymbol(tokens[next], ';') ? next + 1 : next;
      return isWord(tokens[other], 'else') ? walk.statement(other + 1) : next;
    }
    let next = at;
    while (isWord(tokens[next], 'if', 'elsif', 'elseif', 'else')) {
      const then = isWord(tokens[next], 'else') ? next : find(next + 1, 'then');
      addCondition(walk, next + 1, then);
      next = walk.statements(then + 1, 'elsif', 'elseif', 'else', 'end');
    }
    return behindEnd(walk, next);
  });
};

/** CASE as a statement. */
const choices: Step = (walk, at) => {
  const { tokens, find } = walk;
  if (!isWord(tokens[at], 'case')) return null;
  return within(walk, 'block', () => {
    let next = find(at + 1, 'when');
    addCondition(walk, at + 1, next);
    while (isWord(tokens[next], 'when', 'else')) {
      const then = isWord(tokens[next], 'else') ? next : find(next + 1, 'then');
      addCondition(walk, next + 1, then);
      next = walk.statements(then + 1, 'when', 'else', 'end');
    }
    return behindEnd(walk, next);
  });
};

const loop: Step = (walk, at) => {
  const { tokens, dialect, find, endOf } = walk;
  if (isWord(tokens[at], 'loop')) return within(walk, 'loop', () => toEnd(walk, at + 1));
  if (isWord(tokens[at], 'repeat'))
    return within(walk, 'loop', () => {
      const until = walk.statements(at + 1, 'until', 'end');
      const end = find(until, 'end');
      exitWhen(walk, until + 1, end, true);
      return behindEnd(walk, end);
    });
  if (!isWord(tokens[at], 'while')) return null;
  return within(walk, 'loop', () => {
    const start = isTsql(dialect) ? endOf(at) : find(at + 1, 'loop', 'do');
    addCondition(walk, at + 1, start);
    return isTsql(dialect) ? walk.statement(start) : toEnd(walk, start + 1);
  });
};

/** In this order: a word may begin several. */
const steps: readonly Step[] = [
  separator,
  block,
  choice,
  choices,
  loop,
  loopOver,
  readRoutine,
  readDeclarations,
  ...statementSteps,
];
