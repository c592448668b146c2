import { useEffect, useRef } from 'react';
import { nameOf } from '../../../shared/contract/layers.ts';

/** A statement by lines; those that name the upstream relation are lit, and the first of them is scrolled to. */
export function SqlStatement({ sql, upstream }: { readonly sql: string; readonly upstream: readonly string[] }) {
  const pattern = patternOf(namesOf(upstream));
  const lines = sql.split('\n').map((text) => ({ text, reads: pattern !== null && text.search(pattern) >= 0 }));
  const frame = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const first = frame.current?.querySelector<HTMLElement>('[data-reads="true"]');
    if (frame.current && first) frame.current.scrollTop = first.offsetTop - frame.current.offsetTop - 60;
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <pre tabIndex={0} className="sql" ref={frame}>
      <code>
        {lines.map(({ text, reads }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a statement never change their order.
          <span key={index} className="sql-line" data-number={index + 1} data-reads={reads}>
            {pattern === null ? text : marked(text, pattern)}
          </span>
        ))}
      </code>
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

function patternOf(names: readonly string[]): RegExp | null {
  if (names.length === 0) return null;
  const quoted = names.map((name) =>
    name
      .split('.')
      .map((part) => `["\`\\[]?${escaped(part.replaceAll('"', ''))}["\`\\]]?`)
      .join('\\.'),
  );
  return new RegExp(`(?<![\\w.])(${quoted.join('|')})(?!\\w)`, 'gi');
}

function marked(line: string, pattern: RegExp) {
  let at = 0;
  // Every second piece is what the pattern caught.
  return line.split(pattern).map((piece, index) => {
    at += piece.length;
    return index % 2 === 1 ? <mark key={at}>{piece}</mark> : piece;
  });
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
