import { isTsql } from '../dialect.ts';
import { isName, isSymbol, isWord } from '../tokens.ts';
import type { Part } from './instruction.ts';
import type { Walk } from './walk.ts';

/** The place behind `END IF label`. In SQL Server a statement may come right behind END. */
export function behindEnd({ tokens, dialect }: Walk, at: number): number {
  if (isTsql(dialect)) return at + (isWord(tokens[at + 1], 'try', 'catch') ? 2 : 1);
  const isNamed = isWord(tokens[at + 1], 'if', 'loop', 'while', 'for', 'case', 'repeat');
  const next = at + (isNamed ? 2 : 1);
  const isLabel = isName(tokens[next]) && (tokens[next + 1] === undefined || isSymbol(tokens[next + 1], ';'));
  return isLabel && !isWord(tokens[next], 'end') ? next + 1 : next;
}

/** Reads what belongs to a condition or loop. */
export function within(walk: Walk, part: Part, read: () => number): number {
  const { found, around } = walk;
  const loops = part === 'loop' ? 1 : 0;
  const parts = part === 'routine' ? 0 : 1;
  around.parts += parts;
  around.loops += loops;
  found.push({ kind: 'enter', part });
  const next = read();
  found.push({ kind: 'leave' });
  around.parts -= parts;
  around.loops -= loops;
  return next;
}

export function addCondition({ found, slice, dialect }: Walk, from: number, to: number): void {
  if (from >= to) return;
  const condition = slice(from, to);
  // `SELECT a = 1` gives SQL Server's column a name.
  found.push({
    kind: 'condition',
    query: isTsql(dialect) ? `SELECT CASE WHEN ${condition} THEN 1 END` : `SELECT ${condition}`,
  });
}

/** Reads statements until END closes their part. */
export const toEnd = (walk: Walk, from: number): number => behindEnd(walk, walk.statements(from, 'end'));

/** Leaves a loop, or one of its runs, if a condition between two places is met. */
export function exitWhen(walk: Walk, from: number, to: number, isLast: boolean): void {
  within(walk, 'block', () => {
    addCondition(walk, from, to);
    walk.found.push({ kind: 'exit', part: 'loop', isLast });
    return to;
  });
}
