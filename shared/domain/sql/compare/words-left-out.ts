import type { SqlDialect } from '../dialect.ts';
import { tokensOf } from '../tokens.ts';
import type { SqlParser } from '../types.ts';
import type { ParsedVersion } from './compare-statements.ts';

/**
 * Whether both versions have the same words that their trees do not hold: what the parser drops of one version only
 * would otherwise be no difference.
 */
export function sameWordsLeftOut(parser: SqlParser, before: ParsedVersion, after: ParsedVersion): boolean {
  const [old, now] = [wordsLeftOut(parser, before), wordsLeftOut(parser, after)];
  return old !== null && now !== null && old === now;
}

/** The words of a text that are missing in what the tree of it writes, as one text. Null if it cannot be written. */
function wordsLeftOut({ write }: SqlParser, { statements, dialect }: ParsedVersion): string | null {
  const missing: string[] = [];
  for (const { node, text } of statements.slice(0, 1)) {
    const whole = statements.map((one) => write?.({ [one.node.kind]: one.node.fields }, dialect) ?? null);
    if (whole.includes(null) || !node) return null;
    const left = counted(whole.join(' ; '), dialect);
    for (const word of wordsIn(text, dialect)) {
      const count = left.get(word) ?? 0;
      if (count > 0) left.set(word, count - 1);
      else missing.push(word);
    }
  }
  return missing.sort().join(' ');
}

function counted(text: string, dialect: SqlDialect): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsIn(text, dialect)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Signs and words that only spell what the tree has in another form. */
const spelled: ReadonlySet<string> = new Set(['(', ')', ',', ';', 'as', 'inner', 'outer', 'asc', 'all', '.']);
/** Words that mean the same. */
const same: ReadonlyMap<string, string> = new Map([
  ['!=', '<>'],
  ['ifnull', 'coalesce'],
  ['nvl', 'coalesce'],
  ['int', 'integer'],
  ['numeric', 'decimal'],
]);

const wordsIn = (text: string, dialect: SqlDialect): string[] =>
  tokensOf(text, dialect).flatMap(({ kind, text: one }) => {
    const word = kind === 'string' ? one : one.replace(/^["`[]|["`\]]$/g, '').toLowerCase();
    return spelled.has(word) ? [] : [same.get(word) ?? word];
  });
