import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import { PanelRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { claimSentence } from '../../../shared/contract/claim-words.ts';
import { verdictWords } from '../../../shared/contract/vocabulary.ts';
import { useLayerOf } from '../parts/layer.tsx';
import { useShortcut } from '../parts/shortcut.ts';
import { ago } from '../parts/time.tsx';
import { usePhone } from '../shell/theme.ts';
import { texts } from '../texts.ts';
import { AboutRelation } from './about-relation.tsx';
import type { Address, Change } from './address.ts';
import { type Row, type Shown, sides } from './answer.ts';
import { Controls } from './controls.tsx';
import { Evidence } from './evidence.tsx';
import { Graph } from './graph.tsx';
import { bySchema, type Grouping, type Picture, pictureOf } from './groups.ts';
import { ImpactTable } from './impact-table.tsx';
import { ColumnsPanel, Divider, SheetHandle, useInspector, useSheet } from './inspector.tsx';
import { LeavesOut, Sources, Summary } from './summary.tsx';
import type { ShownQuery } from './use-shown.ts';
import { EdgesPanel } from './verdicts.tsx';

type LineageAnswerProps = {
  readonly workspaceId: string;
  readonly query: ShownQuery & { readonly shown: Shown };
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
  /** Why a newer answer is missing; null if none is. */
  readonly failure: ReactNode;
  /** When evidence last named the relation. */
  readonly lastSeen: string | null;
  /** The name of the root, and the time that is looked at. */
  readonly head: ReactNode;
  readonly asOf: ReactNode;
};

/** An answer as a sentence, a picture and a table, with its evidence and its limits. */
export function LineageAnswer(props: LineageAnswerProps) {
  const { workspaceId, query, address, change, undo, failure, lastSeen, head, asOf } = props;
  const { shown, isAsking, progress, pathNote } = query;
  const [main] = shown.answers;
  const picture = usePictureOf(shown, address);
  const rootColumns = useMemo(() => columnsOfRoot(shown), [shown]);
  const inspector = useInspector(address);
  const isPhone = usePhone();
  const sheet = useSheet();
  const page = useRef<HTMLDivElement>(null);
  const controls = <Controls address={address} change={change} shown={shown} />;
  const status = (
    <footer className="status-bar" data-part>
      <Sources shown={shown} />
      {asOf}
      <LeavesOut shown={shown} picture={picture} change={change} />
    </footer>
  );
  useShortcut('t', () => change({ view: address.view === 'table' ? 'graph' : 'table' }));
  useShortcut('F6', () => focusNextPart(page.current));
  return (
    <TabProvider
      selectedId={address.view}
      setSelectedId={(id) => id !== address.view && change({ view: id === 'table' ? 'table' : 'graph' })}
    >
      <div
        ref={page}
        className="canvas-page"
        aria-busy={isAsking}
        data-inspector={inspector.shown}
        style={isPhone ? sheet.style : inspector.style}
      >
        <header className="explorer-head" data-part>
          <div className="head-row">
            {head}
            {!isPhone && controls}
            <TabList aria-label={texts.lineage.views} className="tabs">
              <Tab id="graph">{texts.lineage.tabs.graph}</Tab>
              <Tab id="table">{texts.lineage.tabs.table}</Tab>
            </TabList>
          </div>
          <div className="head-row">
            <Summary shown={shown} address={address} change={change} />
            {pathNote && <p role="status">{pathNote}</p>}
            {isAsking && <Progress {...progress} />}
          </div>
        </header>
        <TabPanel tabId="graph" unmountOnHide focusable={false} className="canvas" data-part>
          <Graph shown={shown} picture={picture} address={address} change={change} undo={undo} />
          {shown.rows.length === 0 && (
            <p className="empty graph-empty">
              {main && claimSentence(main.claim)}{' '}
              {lastSeen && main?.claim.kind !== 'not_evaluated' && texts.lineage.lastSeen(ago(lastSeen))}
            </p>
          )}
          {failure && <div className="canvas-failure">{failure}</div>}
        </TabPanel>
        <TabPanel tabId="table" unmountOnHide focusable={false} className="canvas scrolls" data-part>
          <LineageTree shown={shown} />
          <ImpactTable shown={shown} address={address} />
        </TabPanel>
        <aside className="inspector" aria-label={texts.lineage.about} data-part>
          {isPhone && <SheetHandle {...sheet} />}
          {!isPhone && inspector.shown !== 'closed' && <Divider width={inspector.width} resize={inspector.resize} />}
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
          <div className="inspector-parts" hidden={!isPhone && inspector.shown === 'closed'}>
            {isPhone && controls}
            {address.edge && <Evidence address={address} edge={address.edge} edges={shown.all.edges} change={change} />}
            <ColumnsPanel workspaceId={workspaceId} address={address} change={change} seen={rootColumns} />
            <AboutRelation workspaceId={workspaceId} address={address} />
            <EdgesPanel shown={shown} address={address} change={change} />
            {isPhone && status}
          </div>
        </aside>
        {!isPhone && status}
      </div>
    </TabProvider>
  );
}

/** Moves the focus to the next of the head, the picture, the inspector and the status bar. */
function focusNextPart(page: HTMLElement | null): void {
  const parts = [...(page?.querySelectorAll<HTMLElement>('[data-part]:not([hidden])') ?? [])];
  const at = parts.findIndex((part) => part.contains(document.activeElement));
  const first = 'a[href], button:not(:disabled), input, select, [tabindex="0"]';
  const next = parts.at((at + 1) % parts.length);
  (
    next?.querySelector<HTMLElement>('.relation-name[tabindex="0"]') ?? next?.querySelector<HTMLElement>(first)
  )?.focus();
}

function usePictureOf(shown: Shown, { open, up, down, edge, to, group, connector }: Address): Picture {
  const layerOf = useLayerOf();
  return useMemo(() => {
    const names = {
      schema: bySchema,
      layer: ({ relation, row }) => texts.layers[layerOf(relation, row?.connector ?? connector)],
      step: ({ row }) => (row ? texts.lineage.steps(row.depth, row.direction) : null),
      none: () => null,
    } satisfies Record<Grouping, typeof bySchema>;
    const single = [shown.root, ...up, ...down, ...(edge ? [edge.upstream, edge.downstream] : []), ...(to ? [to] : [])];
    return pictureOf(shown, open, new Set(single), names[group]);
  }, [shown, open, up, down, edge, to, group, connector, layerOf]);
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

const described = ({ depth, direction, columns, status, verdict }: Row): string =>
  [
    texts.lineage.steps(depth, direction),
    columns.length > 0 && columns.map((column) => (column === '*' ? texts.lineage.everyColumn : column)).join(', '),
    verdict && verdictWords[verdict],
    status === 'stale' && texts.lineage.statuses.stale.toLowerCase(),
  ]
    .filter(Boolean)
    .join(' · ');
