import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { relationQuery, type Workspace } from '../api/queries.ts';
import { rememberRelation } from '../find/recent.ts';
import { Failure } from '../parts/failure.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { type Address, type Change, useAddress } from './address.ts';
import { AsOf } from './as-of.tsx';
import { LineageAnswer } from './lineage-answer.tsx';
import { Nothing, resolutionNote } from './nothing.tsx';
import { useShown } from './use-shown.ts';
import { WhichConnector } from './which-connector.tsx';
import './lineage.css';
import './side-panels.css';

/** The explorer: a relation, what feeds it, what it feeds, and who says so. */
export function LineagePage() {
  const workspace = useWorkspace();
  const { address, change, undo } = useAddress();
  if (workspace === null) return null;
  if (address.relation !== '' && address.connector === '')
    return <WhichConnector workspace={workspace} relation={address.relation} />;
  if (address.relation === '')
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
  const asked = useShown(workspace.id, address);
  const { shown, error, isAsking, retry } = asked;
  const relation = useQuery(relationQuery(workspace.id, address.connector, address.relation));
  const [main] = shown?.answers ?? [];
  const isEmpty = main !== undefined && (!main.graph_found || main.lineage_resolution.method === 'unresolved');
  useEffect(() => {
    if (main && !isEmpty) rememberRelation({ connector: address.connector, relation: main.root.relation_ref });
  }, [main, isEmpty, address.connector]);
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
      {!error && shown && !isEmpty && (
        <LineageAnswer
          workspaceId={workspace.id}
          asked={{ ...asked, shown }}
          address={address}
          change={change}
          undo={undo}
        />
      )}
    </div>
  );
}
