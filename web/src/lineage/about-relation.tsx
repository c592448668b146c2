import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { providersQuery, type Relation, relationQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { useProviderNames } from '../parts/provider-names.ts';
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
  const names = useProviderNames(workspaceId);
  const own = providers.filter(({ id }) => data?.providers.some((one) => one.provider_instance_id === id));
  const columnsOf = (type: string) => data?.columns.filter(({ described_by }) => described_by.includes(type)).length;
  return (
    <details className="about">
      <summary>{texts.lineage.sources.title}</summary>
      <ul className="plain rows">
        {own.map(({ id, provider_type, last_received_at }) => (
          <li key={id}>
            <Link to="/providers">{names.get(id)}</Link>{' '}
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

/** The changes of the root in the last days, which load when somebody opens them: two answers about one relation are cheap. */
function History({ workspaceId, address: { connector, relation } }: AboutProps) {
  const [isOpen, setOpen] = useState(false);
  const from = daysAgo(historyDays);
  const { data: now } = useQuery(relationQuery(workspaceId, connector, relation));
  const past = useQuery({
    ...relationQuery(workspaceId, connector, relation, from),
    enabled: isOpen,
    retry: false,
  });
  const changes = now && past.data ? changesOf(past.data, now) : null;
  const isWhole = now?.edges_complete && past.data?.edges_complete;
  return (
    <details className="about" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.lineage.history.title(historyDays)}</summary>
      {past.isFetching && <p role="status">{texts.loading}</p>}
      {past.error && <Failure error={past.error} needs="viewer" />}
      {changes?.length === 0 && <p className="dim">{texts.lineage.history.none}</p>}
      <ul className="plain rows">
        {changes?.map(({ what, change }) => (
          <li key={what}>
            <span className="ref">{what}</span> <StateBadge state={change} />
          </li>
        ))}
      </ul>
      {changes && !isWhole && <p className="dim">{texts.lineage.history.part}</p>}
      <Link to="/changes" search={{ connector, from }}>
        {texts.lineage.history.all}
      </Link>
    </details>
  );
}

/** How two answers about a relation differ: in its columns, their types, and the edges at it. */
function changesOf(past: Relation, now: Relation) {
  const [before, after] = [partsOf(past), partsOf(now)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((what) => {
    const [old, own] = [before.get(what), after.get(what)];
    if (old === own) return [];
    return [{ what, change: old === undefined ? 'added' : own === undefined ? 'removed' : 'changed' }];
  });
}

const partsOf = ({ relation_ref, columns, edges }: Relation): ReadonlyMap<string, string> =>
  new Map([
    ...columns.map(({ name, type }) => [name, type ?? ''] as const),
    ...edges.map(({ upstream, downstream }) => {
      return [upstream === relation_ref ? `→ ${downstream}` : `← ${upstream}`, ''] as const;
    }),
  ]);
