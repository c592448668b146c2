import { nameOf } from './groups.ts';

/** A statement with every place marked that names the upstream relation. */
export function SqlStatement({ sql, upstream }: { readonly sql: string; readonly upstream: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <pre tabIndex={0}>
      <code>{marked(sql, namesOf(upstream))}</code>
    </pre>
  );
}

/** The names under which a statement may know a relation, the longest first. */
function namesOf(relations: readonly string[]): string[] {
  const names = relations.flatMap((relation) => {
    const bare = relation.split('/').at(-1) ?? relation;
    const parts = bare.split('.');
    return [...parts.map((_, index) => parts.slice(index).join('.')), nameOf(relation)];
  });
  return [...new Set(names)].filter((name) => name !== '').toSorted((a, b) => b.length - a.length);
}

function marked(sql: string, names: readonly string[]) {
  if (names.length === 0) return sql;
  const quoted = names.map((name) =>
    name
      .split('.')
      .map((part) => `["\`\\[]?${escaped(part.replaceAll('"', ''))}["\`\\]]?`)
      .join('\\.'),
  );
  const pattern = new RegExp(`(?<![\\w.])(${quoted.join('|')})(?!\\w)`, 'gi');
  let at = 0;
  // Every second piece is what the pattern caught.
  return sql.split(pattern).map((piece, index) => {
    at += piece.length;
    return index % 2 === 1 ? <mark key={at}>{piece}</mark> : piece;
  });
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
