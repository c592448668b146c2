import type { SqlDialect } from '../../../../shared/domain/lineage/sql/dialect.ts';
import { type Token, tokensOf } from '../../../../shared/domain/lineage/sql/tokens.ts';

/** The words that a change of meaning puts in place of others. */
const otherWords: Readonly<Record<string, string>> = {
  left: 'right',
  and: 'or',
  or: 'and',
  desc: 'asc',
  min: 'max',
  max: 'min',
  sum: 'avg',
  union: 'intersect',
  intersect: 'union',
  except: 'intersect',
  rows: 'range',
  preceding: 'following',
  distinct: '',
  not: '',
  all: '',
  first: 'last',
  last: 'first',
};
const otherSymbols: Readonly<Record<string, string>> = {
  '<': '<=',
  '>': '>=',
  '<=': '<',
  '>=': '>',
  '=': '<>',
  '+': '-',
  '-': '+',
  '*': '/',
  '||': '+',
};

export type Mutation = { readonly text: string; readonly what: string };

/** Every text that differs from a statement in one word, so that it means something else, if it means anything. */
export function mutationsOf(text: string, dialect: SqlDialect): readonly Mutation[] {
  return tokensOf(text, dialect).flatMap((token, place, all): Mutation[] => {
    const other = otherOf(token, all[place - 1], all[place + 1]);
    // What EXISTS selects makes no difference.
    const isUnread = ['exists', '(', 'select'].every((word, at) => all[place - 3 + at]?.text.toLowerCase() === word);
    if (other === null || isUnread) return [];
    return [
      {
        text: `${text.slice(0, token.start)}${other}${text.slice(token.end)}`,
        what: `${place} ${token.text} -> ${other}`,
      },
    ];
  });
}

function otherOf({ kind, text }: Token, before: Token | undefined, after: Token | undefined): string | null {
  // A user variable of MySQL is set for what follows, which no column of it tells.
  if (before?.text === ':=') return null;
  if (kind === 'number') return `${text}1`;
  if (kind === 'string') return `${text.slice(0, -1)}x${text.slice(-1)}`;
  if (kind === 'word') return otherWords[text.toLowerCase()] ?? null;
  if (text === '*' && (before?.text === '(' || after?.text === ')' || before?.kind === 'word')) return null;
  return kind === 'symbol' ? (otherSymbols[text] ?? null) : null;
}
