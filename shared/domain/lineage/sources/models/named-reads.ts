// Relations that code names where no statement can be parsed: hooks, operations, code of Python models, templates.
import type { RelationName } from '../../sql/types.ts';
import { templatePieces } from './incremental-parts.ts';

/** The model's own relation, `{{ this }}` in its code. */
export const itself = 'itself';

const ownName = ' {{this}} ';
export type NamedRead = RelationName | typeof itself;

const quotes = /["'`[\]]/g;
const isPart = (text: string): boolean => text !== '' && !/[^\w$-]/.test(text);
const before: ReadonlySet<string> = new Set(['from', 'join']);
/** `delete from`, `is distinct from` and `extract(day from …)` read nothing there. */
const writing: ReadonlySet<string> = new Set(['delete', 'distinct']);
const extracting: ReadonlySet<string> = new Set(['extract', 'trim', 'substring', 'overlay']);

/** The names of several parts after FROM and JOIN and in calls of `table()`, and the relation itself. Parses nothing. */
export function readsNamedIn(code: string): NamedRead[] {
  const pieces = [...templatePieces(code)].map(({ kind, text, raw }) => {
    if (kind === 'text') return raw;
    return kind === 'value' && text === 'this' ? ownName : ' ';
  });
  const words = pieces
    .join('')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split('--', 1).flatMap((part) => part.split(/[\s(),;]/)))
    .filter((word) => word !== '');
  return words.flatMap((word, i): NamedRead[] => {
    const [earlier = '', middle = '', last = ''] = [3, 2, 1].map((back) => words[i - back]?.toLowerCase());
    const isRead = before.has(last.replace(quotes, '')) && !writing.has(middle);
    const isCall = last.endsWith('.table') && /^["']/.test(word);
    if (!(isRead || isCall) || extracting.has(earlier) || words[i + 1] === 'import') return [];
    if (word.replace(quotes, '') === ownName.trim()) return [itself];
    const parts = word.replace(quotes, '').split('.');
    return parts.length > 1 && parts.every(isPart) ? [parts.map((part) => ({ text: part, quoted: false }))] : [];
  });
}
