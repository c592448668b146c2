import { type KeyboardEvent, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import { sides } from './address.ts';
import type { Row, Shown } from './answer.ts';

/** The picture as a tree, for who does not see it; of thousands of relations it is made once somebody opens it. */
export function LineageTree({ shown }: { readonly shown: Shown }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card tree" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.lineage.tree}</summary>
      {isOpen && <Tree shown={shown} />}
    </details>
  );
}

/** What the picture shows, by direction and distance. */
function Tree({ shown }: { readonly shown: Shown }) {
  const tree = useRef<HTMLUListElement>(null);
  const bySide = sides.map((side) => ({
    side,
    rows: shown.rows.filter(({ direction }) => direction === side),
  }));
  const move = (event: KeyboardEvent) => {
    const items = [...(tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    const next = to === undefined ? undefined : items[to];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a tree has no element of its own.
    <ul role="tree" aria-label={shown.root} ref={tree} onKeyDown={move}>
      {bySide
        .filter(({ rows }) => rows.length > 0)
        .map(({ side, rows }, index) => (
          <li key={side} role="treeitem" aria-expanded="true" tabIndex={index === 0 ? 0 : -1} aria-selected={false}>
            {texts.lineage.summary[side](rows.length)}
            <RowItems rows={rows} />
          </li>
        ))}
    </ul>
  );
}

const RowItems = ({ rows }: { readonly rows: readonly Row[] }) => (
  // biome-ignore lint/a11y/useSemanticElements: the group of a tree has no element of its own.
  <ul role="group">
    {rows.map((row) => (
      <li key={row.relation} role="treeitem" tabIndex={-1} aria-selected={false} aria-level={1 + row.depth}>
        <span className="ref">{row.relation}</span> <span className="dim">{described(row)}</span>
      </li>
    ))}
  </ul>
);

const described = ({ depth, direction, columns, status }: Row): string =>
  [
    texts.lineage.steps(depth, direction),
    columns.length > 0 && columns.map((column) => (column === '*' ? texts.lineage.everyColumn : column)).join(', '),
    status === 'stale' && texts.lineage.statuses.stale.toLowerCase(),
  ]
    .filter(Boolean)
    .join(' · ');
