import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Diff, diffQuery, providersQuery, relationQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { daysAgo, Time } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import type { Address } from './address.ts';

type AboutProps = { readonly workspaceId: string; readonly address: Address };

/** Who states the root, and what changed of it. */
export const AboutRelation = (props: AboutProps) => (
  <>
    <StatedBy {...props} />
    <History key={props.address.relation} {...props} />
  </>
);

function StatedBy({ workspaceId, address: { connector, relation } }: AboutProps) {
  const { data } = useQuery(relationQuery(workspaceId, connector, relation));
  const providers = useQuery(providersQuery(workspaceId)).data?.items ?? [];
  const own = providers.filter(({ id }) => data?.providers.some((one) => one.provider_instance_id === id));
  const columnsOf = (type: string) => data?.columns.filter(({ described_by }) => described_by.includes(type)).length;
  return (
    <details className="about">
      <summary>{texts.lineage.sources.title}</summary>
      <ul className="plain rows">
        {own.map(({ id, display_name, provider_type, last_received_at }) => (
          <li key={id}>
            <Link to="/providers">{display_name}</Link>{' '}
            <span className="dim">
              {texts.columns(columnsOf(provider_type) ?? 0)} · <Time at={last_received_at} />
            </span>
          </li>
        ))}
      </ul>
      <p className="dim">
        {texts.lineage.sources.first} <Time at={data?.first_observed_at} />, {texts.lineage.sources.last}{' '}
        <Time at={data?.last_observed_at} />.
      </p>
    </details>
  );
}

const historyDays = 30;

/** The changes of the root in the last days, which load when somebody opens them. */
function History({ workspaceId, address: { connector, relation } }: AboutProps) {
  const [isOpen, setOpen] = useState(false);
  const from = daysAgo(historyDays);
  const { data, error, isFetching, refetch } = useQuery({
    ...diffQuery(workspaceId, connector, from),
    enabled: isOpen,
    retry: false,
  });
  const changes = data ? changesOf(data, relation) : [];
  return (
    <details className="about" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.lineage.history.title(historyDays)}</summary>
      {isFetching && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} needs="viewer" retry={refetch} />}
      {data && changes.length === 0 && <p className="dim">{texts.lineage.history.none}</p>}
      <ul className="plain rows">
        {changes.map(({ what, change }) => (
          <li key={what}>
            <span className="ref">{what}</span> <StateBadge state={change} />
          </li>
        ))}
      </ul>
      {data && data.truncated.unlisted > 0 && <p className="dim">{texts.changes.truncated(data.truncated.unlisted)}</p>}
      <Link to="/changes" search={{ connector, from }}>
        {texts.lineage.history.all}
      </Link>
    </details>
  );
}

/** The changes of a relation itself, of its columns and of the edges at it. */
const changesOf = ({ relations, columns, edges }: Diff, relation: string) => [
  ...relations
    .filter(({ relation_ref }) => relation_ref === relation)
    .map(({ change }) => ({ what: texts.lineage.thisRelation, change })),
  ...columns
    .filter(({ relation_ref }) => relation_ref === relation)
    .map(({ column, change }) => ({ what: column, change })),
  ...edges
    .filter(({ upstream, downstream }) => [upstream, downstream].includes(relation))
    .map(({ upstream, downstream, change }) => ({
      what: upstream === relation ? `→ ${downstream}` : `← ${upstream}`,
      change,
    })),
];
