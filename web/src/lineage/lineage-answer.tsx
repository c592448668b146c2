import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { PanelRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { relationQuery } from '../api/queries.ts';
import { useShortcut } from '../parts/shortcut.ts';
import { texts } from '../texts.ts';
import { type Address, type Change, sides } from './address.ts';
import type { Row, Shown } from './answer.ts';
import { Controls } from './controls.tsx';
import { Evidence } from './evidence.tsx';
import { Graph } from './graph.tsx';
import { type Picture, pictureOf } from './groups.ts';
import { ImpactTable } from './impact-table.tsx';
import { LeavesOut } from './leaves-out.tsx';
import { Sources, Summary } from './summary.tsx';
import type { ShownQuery } from './use-shown.ts';

type LineageAnswerProps = {
  readonly workspaceId: string;
  readonly query: ShownQuery & { readonly shown: Shown };
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
  /** The name of the root, and the time that is looked at. */
  readonly head: ReactNode;
  readonly asOf: ReactNode;
};

/** An answer as a sentence, a picture and a table, with its evidence and its limits. */
export function LineageAnswer({ workspaceId, query, address, change, undo, head, asOf }: LineageAnswerProps) {
  const { shown, isAsking, progress, pathNote } = query;
  const picture = usePictureOf(shown, address);
  const rootColumns = useMemo(() => columnsOfRoot(shown), [shown]);
  const inspector = useInspector(address);
  return (
    <TabProvider
      selectedId={address.view}
      setSelectedId={(id) => id !== address.view && change({ view: id === 'table' ? 'table' : 'graph' })}
    >
      <div className="canvas-page" aria-busy={isAsking} data-inspector={inspector.shown}>
        <header className="explorer-head">
          <div className="head-row">
            {head}
            <Controls address={address} change={change} shown={shown} />
            <TabList aria-label={texts.lineage.views} className="tabs">
              <Tab id="graph">{texts.lineage.tabs.graph}</Tab>
              <Tab id="table">{texts.lineage.tabs.table}</Tab>
            </TabList>
          </div>
          <div className="head-row">
            <Summary shown={shown} address={address} />
            {pathNote && <p role="status">{pathNote}</p>}
            {isAsking && <Progress {...progress} />}
          </div>
        </header>
        <TabPanel tabId="graph" unmountOnHide focusable={false} className="canvas">
          <Graph shown={shown} picture={picture} address={address} change={change} undo={undo} />
          {shown.rows.length === 0 && <p className="empty graph-empty">{texts.lineage.noLineage}</p>}
        </TabPanel>
        <TabPanel tabId="table" unmountOnHide focusable={false} className="canvas scrolls">
          <ImpactTable rows={shown.rows} address={address} />
        </TabPanel>
        <aside className="inspector" aria-label={texts.lineage.about}>
          <button
            type="button"
            className="quiet inspector-toggle"
            aria-label={texts.lineage.inspector}
            aria-expanded={inspector.shown !== 'closed'}
            title={`${texts.lineage.inspector} ]`}
            onClick={inspector.toggle}
          >
            <PanelRight size={17} aria-hidden="true" />
          </button>
          <div className="inspector-parts" hidden={inspector.shown === 'closed'}>
            {address.edge && <Evidence address={address} edge={address.edge} change={change} />}
            <ColumnsPanel workspaceId={workspaceId} address={address} change={change} seen={rootColumns} />
            {!address.edge && shown.edges.length > 0 && address.view === 'graph' && (
              <p className="hint">{texts.evidence.choose}</p>
            )}
            <LineageTree shown={shown} />
          </div>
        </aside>
        <footer className="status-bar">
          <Sources shown={shown} />
          {asOf}
          <LeavesOut shown={shown} picture={picture} />
        </footer>
      </div>
    </TabProvider>
  );
}

/** Whether the inspector is open, and how wide; `]` or its button switches. */
function useInspector({ edge }: Address) {
  const [isOpen, setOpen] = useState(true);
  const toggle = () => setOpen(!isOpen);
  useShortcut(']', toggle);
  return { shown: isOpen ? (edge === null ? 'open' : 'evidence') : 'closed', toggle };
}

function usePictureOf(shown: Shown, { open, up, down, edge, to }: Address): Picture {
  return useMemo(() => {
    const single = [shown.root, ...up, ...down, ...(edge ? [edge.upstream, edge.downstream] : []), ...(to ? [to] : [])];
    return pictureOf(shown, open, new Set(single));
  }, [shown, open, up, down, edge, to]);
}

function columnsOfRoot({ root, edges }: Shown): string[] {
  const columns = new Set<string>();
  for (const { upstream, downstream, columns: mapped } of edges)
    for (const column of mapped) {
      if (upstream === root) columns.add(column.upstream);
      if (downstream === root && column.downstream !== null) columns.add(column.downstream);
    }
  return [...columns].toSorted();
}

const Progress = ({ answered, total }: { readonly answered: number; readonly total: number }) => (
  <span role="status" className="progress">
    {total > 1 ? texts.lineage.asking(answered, total) : texts.loading}
    <progress value={total > 1 ? answered : undefined} max={total} />
  </span>
);

/** The picture as a tree, for who does not see it; of thousands of relations it is made once somebody opens it. */
function LineageTree({ shown }: { readonly shown: Shown }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="tree" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.lineage.tree}</summary>
      {isOpen && <Tree shown={shown} />}
    </details>
  );
}

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
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML has no element for a tree.
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
  // biome-ignore lint/a11y/useSemanticElements: the group of HTML has no element for a tree.
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

type ColumnsPanelProps = {
  readonly workspaceId: string;
  readonly address: Address;
  readonly change: Change;
  /** Columns of the root that the answer names. */
  readonly seen: readonly string[];
};

/** From here on one would search rather than read. */
const many = 12;

function ColumnsPanel({ workspaceId, address, change, seen }: ColumnsPanelProps) {
  const [filter, setFilter] = useState('');
  const { data, isPending } = useQuery(relationQuery(workspaceId, address.connector, address.relation));
  const columns = new Map<string, string | null>((data?.columns ?? []).map(({ name, type }) => [name, type ?? null]));
  for (const name of [...seen, ...address.column]) if (!columns.has(name)) columns.set(name, null);
  const shown = [...columns].filter(([name]) => name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <fieldset className="columns-panel">
      <legend className="panel-title">{texts.lineage.columnsTitle}</legend>
      <p className="dim">{texts.lineage.askColumns}</p>
      {columns.size > many && (
        <input
          type="text"
          aria-label={texts.lineage.columnsFilter}
          placeholder={texts.lineage.columnsFilter}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      )}
      {columns.size === 0 && <p className="dim">{isPending ? texts.loading : texts.lineage.columnsNone}</p>}
      <ColumnList columns={shown} checked={address.column} change={(column) => change({ column, edge: null })} />
      {address.column.length > 0 && (
        <button type="button" onClick={() => change({ column: [], edge: null })}>
          {texts.lineage.columnsClear}
        </button>
      )}
    </fieldset>
  );
}

type ColumnListProps = {
  /** Each with its type, null if that is not known. */
  readonly columns: readonly (readonly [name: string, type: string | null])[];
  readonly checked: readonly string[];
  readonly change: (checked: string[]) => void;
};

const ColumnList = ({ columns, checked, change }: ColumnListProps) => (
  <div className="columns-list">
    {columns.map(([name, type]) => (
      <label key={name} className="check">
        <input
          type="checkbox"
          aria-label={name}
          checked={checked.includes(name)}
          onChange={({ target }) => change(target.checked ? [...checked, name] : checked.filter((one) => one !== name))}
        />
        <span className="ref">{name}</span>
        {type && <span className="dim">{type}</span>}
      </label>
    ))}
  </div>
);
