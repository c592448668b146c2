import type { SqlDialect } from '../dialect.ts';
import type { ParsedStatement } from '../parse-script.ts';
import { wordSet } from '../syntax.ts';
import { type Token, tokensOf } from '../tokens.ts';
import type { SqlParser } from '../types.ts';

export type ParsedText = {
  readonly text: string;
  readonly dialect: SqlDialect;
  readonly statements: readonly ParsedStatement[];
};

/** What the parser drops of one version only would otherwise be no difference. */
export function sameWordsLeftOut(parser: SqlParser, before: ParsedText, after: ParsedText): boolean {
  const [old, now] = [wordsLeftOut(parser, before), wordsLeftOut(parser, after)];
  return old !== null && now !== null && old === now;
}

/** Whether the parser drops nothing that the text says. */
export const hasAllWords = (parser: SqlParser, version: ParsedText): boolean => wordsLeftOut(parser, version) === '';

/** The words of a text that its printed tree lacks, as one text. Null if the tree cannot be printed. */
function wordsLeftOut({ write }: SqlParser, { statements, text, dialect }: ParsedText): string | null {
  const whole = statements.map(({ node }) => write?.({ [node.kind]: node.fields }, dialect) ?? null);
  if (whole.includes(null)) return null;
  const left = new Map<string, number>();
  for (const word of wordsIn(whole.join(' ; '), dialect)) left.set(word, (left.get(word) ?? 0) + 1);
  const missing = wordsIn(text, dialect).filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
  return missing.sort().join(' ');
}

/** Signs and words that only spell what the tree has in another form. */
const spelled = wordSet('( ) , ; as inner outer asc all . :: cast');
/** Words that mean the same. */
const same: ReadonlyMap<string, string> = new Map([
  ['!=', '<>'],
  ['==', '='],
  ['minus', 'except'],
  ['ifnull', 'coalesce'],
  ['nvl', 'coalesce'],
  ['int', 'integer'],
  ['numeric', 'decimal'],
]);

/** Words that follow such a word, and with it spell what the tree has in another form. */
const spelledAfter: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['nulls', wordSet('first last')],
  ['|>', wordSet('aggregate')],
]);

function isSpelledPair(tokens: readonly Token[], place: number): boolean {
  const [before, at, after] = [-1, 0, 1].map((step) => tokens[place + step]?.text.toLowerCase() ?? '');
  if (at === '|>') return true;
  return (
    spelledAfter.get(before ?? '')?.has(at ?? '') === true || spelledAfter.get(at ?? '')?.has(after ?? '') === true
  );
}

const wordsIn = (text: string, dialect: SqlDialect): string[] =>
  tokensOf(text, dialect).flatMap(({ kind, text: one }, place, tokens) => {
    if (isSpelledPair(tokens, place)) return [];
    if (kind === 'string') return [one];
    // One quoted name may hold a whole path.
    const words = one
      .replace(/^["`[]|["`\]]$/g, '')
      .toLowerCase()
      .split(kind === 'quoted' ? '.' : '\0');
    return words.flatMap((word) => (spelled.has(word) ? [] : [same.get(word) ?? word]));
  });
