import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { ApiError, type Candidate } from '../api/client.ts';
import { meantRelationQuery, type Workspace } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { texts } from '../texts.ts';

type WhichConnectorProps = { readonly workspace: Workspace; readonly relation: string };

/** Of an address that names a relation and no connector: goes on to the one that knows it, or lists those that do. */
export function WhichConnector({ workspace, relation }: WhichConnectorProps) {
  const { data, error } = useQuery(meantRelationQuery(workspace.id, relation));
  const connector = data?.connector_id ?? workspace.connectors[0]?.id;
  if (data !== undefined && connector !== undefined)
    return <Navigate to="/lineage" search={{ connector, relation: data.relation_ref }} replace />;
  if (error === null) return <p role="status">{texts.loading}</p>;
  const candidates = error instanceof ApiError ? error.candidates : [];
  if (candidates.length === 0) return <Failure error={error} needs="viewer" />;
  return (
    <section className="empty">
      <h1 className="ref">{relation}</h1>
      <p>{texts.lineage.ambiguous}</p>
      <ul className="plain">
        {candidates.map((one) => (
          <CandidateLink key={`${one.connector_id} ${one.relation_ref}`} candidate={one} workspace={workspace} />
        ))}
      </ul>
    </section>
  );
}

type CandidateLinkProps = { readonly candidate: Candidate; readonly workspace: Workspace };

function CandidateLink({ candidate, workspace }: CandidateLinkProps) {
  const { connector_id, connector_name, relation_ref, upstream_count, downstream_count } = candidate;
  const connector = connector_id ?? workspace.connectors[0]?.id ?? '';
  return (
    <li>
      <Link to="/lineage" search={{ connector, relation: relation_ref }} className="ref">
        {relation_ref}
      </Link>{' '}
      {texts.lineage.candidate(connector_name, upstream_count, downstream_count)}
    </li>
  );
}
