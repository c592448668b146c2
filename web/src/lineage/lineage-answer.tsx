import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import { PanelRight } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo, useRef } from 'react';
import type { Claim } from '../../../shared/contract/claim.ts';
import { useLayerOf } from '../parts/layer.tsx';
import { useShortcut } from '../parts/shortcut.ts';
import { ago, written } from '../parts/time.tsx';
import { usePhone } from '../shell/theme.ts';
import { texts } from '../texts.ts';
import { AboutRelation } from './about-relation.tsx';
import type { Address, Change } from './address.ts';
import type { Shown } from './answer.ts';
import { Controls } from './controls.tsx';
import { Evidence } from './evidence.tsx';
import { Graph } from './graph.tsx';
import { bySchema, type Grouping, type Picture, pictureOf } from './groups.ts';
import { ColumnsPanel, Divider, SheetHandle, useInspector, useSheet } from './inspector.tsx';
import { SelectedRelation } from './selected-relation.tsx';
import { limitsOf, Sources, Summary, sentenceOf } from './summary.tsx';
import type { ShownQuery } from './use-shown.ts';
import { EdgesPanel } from './verdicts.tsx';

const ImpactTable = lazy(async () => ({ default: (await import('./impact-table.tsx')).ImpactTable }));

type LineageAnswerProps = {
  readonly workspaceId: string;
  readonly query: ShownQuery & { readonly shown: Shown };
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
  /** Why a newer answer is missing; null if none is. */
  readonly failure: ReactNode;
  /** When evidence first and last named the relation. */
  readonly seen: Seen;
  /** The name of the root, and the time that is looked at. */
  readonly head: ReactNode;
  readonly asOf: ReactNode;
};

/** An answer as a sentence, a picture and a table, with its evidence and its limits. */
export function LineageAnswer(props: LineageAnswerProps) {
  const { workspaceId, query, address, change, undo, failure, seen, head, asOf } = props;
  const { shown, isAsking, isCurrent, progress, pathNote } = query;
  const [main] = shown.answers;
  const picture = usePictureOf(shown, address);
  const selected = shown.all.rows.find(({ relation }) => relation === address.selected);
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
          <Summary shown={shown} address={address} change={change} picture={picture} isCurrent={isCurrent} />
          {pathNote && <NoPath {...pathNote} change={change} />}
          {isAsking && <Progress {...progress} />}
        </header>
        <TabPanel tabId="graph" unmountOnHide focusable={false} className="canvas" data-part>
          <Graph
            {...{ shown, picture, address, change, undo }}
            caption={[sentenceOf(shown, address), ...limitsOf(shown)]}
          />
          {shown.all.rows.length === 0 && <Alone claim={main?.claim} seen={seen} change={change} />}
          {failure && <div className="canvas-failure">{failure}</div>}
        </TabPanel>
        <TabPanel tabId="table" unmountOnHide focusable={false} className="canvas scrolls" data-part>
          <Suspense fallback={<p role="status">{texts.loading}</p>}>
            <ImpactTable shown={shown} address={address} />
          </Suspense>
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
            {selected && (
              <SelectedRelation key={selected.relation} row={selected} {...{ workspaceId, shown, address, change }} />
            )}
            <ColumnsPanel workspaceId={workspaceId} address={address} change={change} seen={rootColumns} />
            <AboutRelation
              workspaceId={workspaceId}
              address={
                selected
                  ? { ...address, connector: selected.connector ?? address.connector, relation: selected.relation }
                  : address
              }
            />
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

function usePictureOf(shown: Shown, { open, up, down, edge, to, selected, group, connector }: Address): Picture {
  const layerOf = useLayerOf();
  const picture = useMemo(() => {
    const names = {
      schema: bySchema,
      layer: ({ relation, row }) => texts.layers[layerOf(relation, row?.connector ?? connector)],
      step: ({ row }) => (row ? texts.lineage.steps(row.depth, row.direction) : null),
      none: () => null,
    } satisfies Record<Grouping, typeof bySchema>;
    const named = [to, selected, edge?.upstream, edge?.downstream].filter((one) => typeof one === 'string');
    const single = [shown.root, ...up, ...down, ...named];
    return pictureOf(shown, open, new Set(single), names[group]);
  }, [shown, open, up, down, edge, to, selected, group, connector, layerOf]); // What another choice draws in the same way stays where it is.
  const last = useRef({ shown, picture });
  if (last.current.shown !== shown || partsOf(last.current.picture) !== partsOf(picture))
    last.current = { shown, picture };
  return last.current.picture;
}

const partsOf = ({ relations, groups }: Picture): string =>
  [...relations, ...groups]
    .map((part) => ('members' in part ? `${part.id} ${part.members.length}` : part.id))
    .join('\n');

function columnsOfRoot({ root, edges }: Shown): string[] {
  const columns = new Set<string>();
  for (const { upstream, downstream, columns: mapped } of edges)
    for (const column of mapped) {
      if (upstream === root) columns.add(column.upstream);
      if (downstream === root && column.downstream !== null) columns.add(column.downstream);
    }
  return [...columns].toSorted();
}

type Seen = { readonly first: string | null; readonly last: string | null };
type AloneProps = { readonly claim: Claim | undefined; readonly seen: Seen; readonly change: Change };

/** Beside a relation that nothing is drawn with: when it was seen, and since when if that is later than the time. */
function Alone({ claim, seen: { first, last }, change }: AloneProps) {
  const isTooEarly = claim?.limits.some(({ code }) => code === 'before_first_evidence');
  if (isTooEarly && first)
    return (
      <p className="empty graph-empty">
        {texts.lineage.tooEarly(written(first))}{' '}
        <button type="button" onClick={() => change({ as_of: null })}>
          {texts.lineage.showNow}
        </button>
      </p>
    );
  return last && claim?.kind !== 'not_evaluated' ? (
    <p className="empty graph-empty">{texts.lineage.lastSeen(ago(last))}</p>
  ) : null;
}

type NoPathProps = NonNullable<ShownQuery['pathNote']> & { readonly change: Change };

/** Why no way is drawn, and the relations that may be meant. */
const NoPath = ({ text, near, change }: NoPathProps) => (
  <p role="status" className="no-path">
    {text}{' '}
    {near.map((relation) => (
      <button key={relation} type="button" onClick={() => change({ to: relation })}>
        {relation}
      </button>
    ))}
  </p>
);

const Progress = ({ answered, total }: { readonly answered: number; readonly total: number }) => (
  <span role="status" className="progress">
    {total > 1 ? texts.lineage.asking(answered, total) : texts.loading}
    <progress value={total > 1 ? answered : undefined} max={total} />
  </span>
);
