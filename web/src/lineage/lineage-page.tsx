import './lineage.css';
import './side-panels.css';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ApiError } from '../api/client.ts';
import { type Impact, meantRelationQuery, relationQuery, type Workspace } from '../api/queries.ts';
import { rememberRelation } from '../find/recent.ts';
import { Recent, Used } from '../find/relation-lists.tsx';
import { Failure } from '../parts/failure.tsx';
import { LayerIcon, Ref, useLayerOf } from '../parts/layer.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { type Address, type Change, useAddress } from './address.ts';
import { History } from './history.tsx';
import { LineageAnswer } from './lineage-answer.tsx';
import { useShown } from './use-shown.ts';

export function LineagePage() {
  const workspace = useWorkspace();
  const { address, change, undo } = useAddress();
  if (workspace === null) return null;
  if (address.relation !== '' && address.connector === '')
    return <WhichConnector workspace={workspace} relation={address.relation} />;
  if (address.relation === '') return <NothingChosen workspace={workspace} />;
  return <Explorer workspace={workspace} address={address} change={change} undo={undo} />;
}

/** Relations to choose from: those of `?q=`, or the most used. */
function NothingChosen({ workspace }: { readonly workspace: Workspace }) {
  const { q: words = '' } = useSearch({ strict: false }) as Record<string, string>;
  return (
    <section className="choose">
      <h1>{words === '' ? texts.lineage.nothingChosen : texts.lineage.named(words)}</h1>
      <p className="dim">{texts.lineage.nothingChosenMore}</p>
      {words === '' && <Recent />}
      <div className="card">
        <Used key={words} workspace={workspace} words={words} most={50} />
      </div>
    </section>
  );
}

type ExplorerProps = {
  readonly workspace: Workspace;
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
};

function Explorer({ workspace, address, change, undo }: ExplorerProps) {
  const query = useShown(workspace.id, address);
  const { shown, error, isAsking } = query;
  const relation = useQuery(relationQuery(workspace.id, address.connector, address.relation));
  const [main] = shown?.answers ?? [];
  const isEmpty = main !== undefined && (!main.graph_found || main.lineage_resolution.method === 'unresolved');
  useEffect(() => {
    if (main && !isEmpty) rememberRelation({ connector: address.connector, relation: main.root.relation_ref });
  }, [main, isEmpty, address.connector]);
  const last = useRef(shown);
  if (shown !== null) last.current = shown;
  // After a failed request the last answer about the same relation stays behind the message.
  const drawn =
    shown ?? (error && last.current?.answers[0]?.root.relation_ref === address.relation ? last.current : null);
  const failure = error && <Failure error={error} needs="viewer" />;
  const asOf = <History workspaceId={workspace.id} address={address} change={change} />;
  const head = (
    <>
      <h1 title={shown?.root ?? address.relation}>
        <Ref of={shown?.root ?? address.relation} />
      </h1>
      {main && resolutionNote(main, address.relation)}
    </>
  );
  if (drawn && !isEmpty)
    return (
      <LineageAnswer
        workspaceId={workspace.id}
        query={{ ...query, shown: drawn }}
        failure={failure}
        seen={{ first: relation.data?.first_observed_at ?? null, last: relation.data?.last_observed_at ?? null }}
        address={address}
        change={change}
        undo={undo}
        head={head}
        asOf={asOf}
      />
    );
  return (
    <div className="canvas-page" aria-busy={isAsking}>
      <header className="explorer-head">{head}</header>
      <div className="explorer-blank">
        {failure}
        {!error && shown === null && <Ghosts />}
        {main && isEmpty && <Nothing answer={main} address={address} />}
      </div>
      <footer className="status-bar">{asOf}</footer>
    </div>
  );
}

const Ghosts = () => (
  <div className="ghosts" role="status" aria-label={texts.loading}>
    <span />
    <span />
    <span />
  </div>
);

/** Why there is nothing to show, and where to go instead. */
function Nothing({ answer, address }: { readonly answer: Impact; readonly address: Address }) {
  const { candidates = [], fallback_reason } = answer.lineage_resolution;
  const layerOf = useLayerOf();
  const isAmbiguous = fallback_reason === 'ambiguous';
  const unresolved = isAmbiguous ? texts.lineage.ambiguous : texts.lineage.unresolved(address.relation);
  return (
    <section className="empty">
      <p>{answer.graph_found ? unresolved : texts.lineage.noGraph}</p>
      {candidates.length > 0 && !isAmbiguous && <p>{texts.lineage.candidates}</p>}
      <ul className="plain used">
        {candidates.map((relation) => (
          <li key={relation}>
            <LayerIcon layer={layerOf(relation, address.connector)} />
            <Link to="/lineage" search={{ connector: address.connector, relation }}>
              <Ref of={relation} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says under which rule a name was understood, if it was not written as the graph has it. */
function resolutionNote({ lineage_resolution, root }: Impact, name: string) {
  const { method, fallback_reason: reason } = lineage_resolution;
  if (method === 'exact' || method === 'unresolved' || root.relation_ref === name) return null;
  return <p className="dim">{texts.lineage.resolved(name, (reason ?? method).replaceAll('_', ' '))}</p>;
}

type WhichConnectorProps = { readonly workspace: Workspace; readonly relation: string };

/** Of an address that names a relation and no connector: goes on to the one that knows it, or lists those that do. */
function WhichConnector({ workspace, relation }: WhichConnectorProps) {
  const { data, error } = useQuery(meantRelationQuery(workspace.id, relation));
  const connector = data?.connector_id ?? workspace.connectors[0]?.id;
  if (data !== undefined && connector !== undefined)
    return <Navigate to="/lineage" search={(rest) => ({ ...rest, connector, relation: data.relation_ref })} replace />;
  if (error === null) return <p role="status">{texts.loading}</p>;
  const candidates = error instanceof ApiError ? error.candidates : [];
  if (candidates.length === 0) return <Failure error={error} needs="viewer" />;
  return (
    <section className="empty">
      <h1 className="ref">{relation}</h1>
      <p>{texts.lineage.ambiguous}</p>
      <ul className="plain">
        {candidates.map(({ connector_id, connector_name, relation_ref, upstream_count, downstream_count }) => (
          <li key={`${connector_id} ${relation_ref}`}>
            <Link
              to="/lineage"
              search={{ connector: connector_id ?? workspace.connectors[0]?.id ?? '', relation: relation_ref }}
              className="ref"
            >
              {relation_ref}
            </Link>{' '}
            {texts.lineage.candidate(connector_name, upstream_count, downstream_count)}
          </li>
        ))}
      </ul>
    </section>
  );
}
