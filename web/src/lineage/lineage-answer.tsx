import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { relationQuery } from '../api/queries.ts';
import { Choice } from '../parts/fields.tsx';
import { texts } from '../texts.ts';
import { type Address, type Change, depthOf, sides } from './address.ts';
import type { Row, Shown } from './answer.ts';
import { Evidence } from './evidence.tsx';
import { Graph } from './graph.tsx';
import { type Picture, pictureOf } from './groups.ts';
import { ImpactTable } from './impact-table.tsx';
import { LeavesOut } from './leaves-out.tsx';
import { PathField } from './path-field.tsx';
import { Summary } from './summary.tsx';
import type { Asked } from './use-shown.ts';

type LineageAnswerProps = {
  readonly workspaceId: string;
  readonly asked: Asked & { readonly shown: Shown };
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
};

/** An answer as a sentence, a picture, a table and a tree, with its evidence and its limits. */
export function LineageAnswer({ workspaceId, asked, address, change, undo }: LineageAnswerProps) {
  const { shown, isAsking, progress, pathNote } = asked;
  const picture = usePictureOf(shown, address);
  const rootColumns = useMemo(() => columnsOfRoot(shown), [shown]);
  return (
    <div className="explorer-body">
      <div className="explorer-main">
        <Summary shown={shown} address={address} />
        {pathNote && <p role="status">{pathNote}</p>}
        <AnswerViews shown={shown} picture={picture} address={address} change={change} undo={undo}>
          {isAsking && <Progress {...progress} />}
        </AnswerViews>
        <LineageTree shown={shown} />
      </div>
      <aside className="explorer-side" aria-label={texts.lineage.about}>
        {address.edge && <Evidence address={address} edge={address.edge} change={change} />}
        {!address.edge && shown.edges.length > 0 && address.view === 'graph' && (
          <p className="card hint">{texts.evidence.choose}</p>
        )}
        <LeavesOut shown={shown} picture={picture} />
        <ColumnsPanel workspaceId={workspaceId} address={address} change={change} seen={rootColumns} />
      </aside>
    </div>
  );
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

/** That answers are still to come, and how far they have. */
const Progress = ({ answered, asked }: { readonly answered: number; readonly asked: number }) => (
  <span role="status" className="progress">
    {asked > 1 ? texts.lineage.asking(answered, asked) : texts.loading}
    <progress value={asked > 1 ? answered : undefined} max={asked} />
  </span>
);

type AnswerViewsProps = {
  readonly shown: Shown;
  readonly picture: Picture;
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
  readonly children: ReactNode;
};

/** The picture or the table of an answer; `children` stand beside the controls. */
function AnswerViews({ shown, picture, address, change, undo, children }: AnswerViewsProps) {
  return (
    <TabProvider
      selectedId={address.view}
      setSelectedId={(id) => id !== address.view && change({ view: id === 'table' ? 'table' : 'graph' })}
    >
      <div className="views-head">
        <TabList aria-label={texts.lineage.views} className="tabs">
          <Tab id="graph">{texts.lineage.tabs.graph}</Tab>
          <Tab id="table">{texts.lineage.tabs.table}</Tab>
        </TabList>
        <Controls address={address} change={change} shown={shown} />
        {children}
      </div>
      <TabPanel tabId="graph" unmountOnHide focusable={false}>
        <Graph shown={shown} picture={picture} address={address} change={change} undo={undo} />
        {shown.rows.length === 0 && <p className="empty graph-empty">{texts.lineage.noLineage}</p>}
      </TabPanel>
      <TabPanel tabId="table" unmountOnHide focusable={false}>
        <ImpactTable rows={shown.rows} address={address} />
      </TabPanel>
    </TabProvider>
  );
}

type ControlsProps = { readonly address: Address; readonly change: Change; readonly shown: Shown };

/** The query: direction, depth, and whether to include stale edges. */
const Controls = ({ address, change, shown }: ControlsProps) => (
  <div className="controls">
    <Choice
      label={texts.lineage.direction}
      value={address.direction}
      options={texts.lineage.directions}
      choose={(direction) => change({ direction, edge: null })}
    />
    <DepthChoice address={address} change={change} />
    {address.view === 'graph' && <PathField key={address.to} address={address} change={change} shown={shown} />}
    <label className="check">
      <input
        type="checkbox"
        checked={address.stale}
        onChange={({ target }) => change({ stale: target.checked, edge: null })}
      />
      {texts.lineage.showStale}
    </label>
    {address.hide.length > 0 && (
      <button type="button" onClick={() => change({ hide: [] })}>
        {texts.lineage.unhide(shown.hidden)}
      </button>
    )}
  </div>
);

const depths = Array.from({ length: 10 }, (_, index) => index + 1);

const DepthChoice = ({ address, change }: Omit<ControlsProps, 'shown'>) => (
  <label>
    {texts.lineage.depth}
    <select
      value={address.depth ?? ''}
      onChange={({ target }) => change({ depth: target.value === '' ? null : Number(target.value) })}
    >
      <option value="">{texts.lineage.depthAuto(depthOf({ ...address, depth: null }))}</option>
      {depths.map((depth) => (
        <option key={depth} value={depth}>
          {depth}
        </option>
      ))}
    </select>
  </label>
);

/** The picture as a tree, for who does not see it; of thousands of relations it is made once somebody opens it. */
function LineageTree({ shown }: { readonly shown: Shown }) {
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

/** The root's columns: those that are checked are requested. */
function ColumnsPanel({ workspaceId, address, change, seen }: ColumnsPanelProps) {
  const [filter, setFilter] = useState('');
  const { data, isPending } = useQuery(relationQuery(workspaceId, address.connector, address.relation));
  const columns = new Map<string, string | null>((data?.columns ?? []).map(({ name, type }) => [name, type ?? null]));
  for (const name of [...seen, ...address.column]) if (!columns.has(name)) columns.set(name, null);
  const shown = [...columns].filter(([name]) => name.toLowerCase().includes(filter.toLowerCase()));
  return (
    <fieldset className="columns-panel card">
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
