import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { relationQuery, type Workspace } from '../api/queries.ts';
import { rememberRelation } from '../find/recent.ts';
import { Failure } from '../parts/failure.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { type Address, type Change, useAddress } from './address.ts';
import type { Shown } from './answer.ts';
import { AsOf } from './as-of.tsx';
import { ColumnsPanel } from './columns-panel.tsx';
import { Controls } from './controls.tsx';
import { Evidence } from './evidence.tsx';
import { Graph } from './graph.tsx';
import { type Picture, pictureOf } from './groups.ts';
import { ImpactTable } from './impact-table.tsx';
import { LeavesOut } from './leaves-out.tsx';
import { LineageTree } from './lineage-tree.tsx';
import { Nothing, resolutionNote } from './nothing.tsx';
import { Summary } from './summary.tsx';
import { useShown } from './use-shown.ts';
import './lineage.css';
import './side-panels.css';

/** The explorer: a relation, what feeds it, what it feeds, and who says so. */
export function LineagePage() {
  const workspace = useWorkspace();
  const { address, change, undo } = useAddress();
  if (workspace === null) return null;
  if (address.relation === '' || address.connector === '')
    return (
      <section className="empty">
        <h1>{texts.lineage.nothingChosen}</h1>
        <p>{texts.lineage.nothingChosenMore}</p>
      </section>
    );
  return <Explorer workspace={workspace} address={address} change={change} undo={undo} />;
}

type ExplorerProps = {
  readonly workspace: Workspace;
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
};

function Explorer({ workspace, address, change, undo }: ExplorerProps) {
  const { shown, error, isAsking, progress, retry, pathNote } = useShown(workspace.id, address);
  const relation = useQuery(relationQuery(workspace.id, address.connector, address.relation));
  const picture = usePictureOf(shown, address);
  const [main] = shown?.answers ?? [];
  const isEmpty = main !== undefined && (!main.graph_found || main.lineage_resolution.method === 'unresolved');
  useEffect(() => {
    if (main && !isEmpty) rememberRelation({ connector: address.connector, relation: main.root.relation_ref });
  }, [main, isEmpty, address.connector]);
  const rootColumns = useMemo(() => columnsOfRoot(shown), [shown]);
  return (
    <div className="explorer" aria-busy={isAsking}>
      <header className="explorer-head">
        <h1 className="ref">{shown?.root ?? address.relation}</h1>
        {main && resolutionNote(main, address.relation)}
        <AsOf address={address} change={change} since={relation.data?.first_observed_at ?? null} />
      </header>
      {error && <Failure error={error} needs="viewer" retry={retry} />}
      {!error && shown === null && <p role="status">{texts.loading}</p>}
      {main && isEmpty && <Nothing answer={main} address={address} />}
      {!error && shown && picture && !isEmpty && (
        <div className="explorer-body">
          <div className="explorer-main">
            <Summary shown={shown} address={address} />
            {pathNote && <p role="status">{pathNote}</p>}
            <Views shown={shown} picture={picture} address={address} change={change} undo={undo}>
              {isAsking && <Progress {...progress} />}
            </Views>
            <LineageTree shown={shown} />
          </div>
          <aside className="explorer-side" aria-label={texts.lineage.about}>
            {address.edge ? (
              <Evidence address={address} edge={address.edge} change={change} />
            ) : (
              shown.edges.length > 0 && address.view === 'graph' && <p className="card hint">{texts.evidence.choose}</p>
            )}
            <LeavesOut shown={shown} picture={picture} />
            <ColumnsPanel workspaceId={workspace.id} address={address} change={change} seen={rootColumns} />
          </aside>
        </div>
      )}
    </div>
  );
}

function usePictureOf(shown: Shown | null, { open, up, down, edge, to }: Address): Picture | null {
  return useMemo(() => {
    if (shown === null) return null;
    const single = [shown.root, ...up, ...down, ...(edge ? [edge.upstream, edge.downstream] : []), ...(to ? [to] : [])];
    return pictureOf(shown, open, new Set(single));
  }, [shown, open, up, down, edge, to]);
}

function columnsOfRoot(shown: Shown | null): string[] {
  const columns = new Set<string>();
  for (const { upstream, downstream, columns: mapped } of shown?.edges ?? [])
    for (const column of mapped) {
      if (upstream === shown?.root) columns.add(column.upstream);
      if (downstream === shown?.root && column.downstream !== null) columns.add(column.downstream);
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

type ViewsProps = {
  readonly shown: Shown;
  readonly picture: Picture;
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
  readonly children: ReactNode;
};

function Views({ shown, picture, address, change, undo, children }: ViewsProps) {
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
