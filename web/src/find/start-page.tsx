import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  type DeliveryState,
  deliveriesQuery,
  diffQuery,
  gapsQuery,
  providersQuery,
  relationsQuery,
  type Workspace,
} from '../api/queries.ts';
import { attentionQuery } from '../api/run-queries.ts';
import { nameOf } from '../lineage/groups.ts';
import { Failure } from '../parts/failure.tsx';
import { LayerIcon, layerOf, Ref } from '../parts/layer.tsx';
import { PageLink } from '../parts/page-head.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Time } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { recentRelations } from './recent.ts';

export function StartPage() {
  const workspace = useWorkspace();
  if (workspace === null) return null;
  return (
    <section className="start">
      <div className="hero">
        <h1>{texts.start.title}</h1>
        <p>{texts.start.lead}</p>
        <button type="button" className="hero-search" onClick={focusSearch}>
          <Search size={18} aria-hidden="true" />
          <span>{texts.start.search}</span>
          <kbd>/</kbd>
        </button>
        <Recent />
      </div>
      <div className="tiles">
        <AttentionTile workspace={workspace} />
        <Popular workspace={workspace} />
        <Providers workspace={workspace} />
        <Changed workspace={workspace} />
        <Trouble workspace={workspace} />
        <Gaps workspace={workspace} />
        <Snapshots workspace={workspace} />
      </div>
    </section>
  );
}

const focusSearch = () => document.querySelector<HTMLInputElement>('.search input')?.focus();

const recentShown = 5;

function Recent() {
  const recent = recentRelations().slice(0, recentShown);
  if (recent.length === 0) return null;
  return (
    <ul className="recent" aria-label={texts.search.recent}>
      {recent.map(({ connector, relation }) => (
        <li key={`${connector} ${relation}`}>
          <Link to="/lineage" search={{ connector, relation }} title={relation} className="ref">
            {nameOf(relation)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Within = { readonly workspace: Workspace };

function Popular({ workspace }: Within) {
  const query = useQuery(relationsQuery(workspace.id, ''));
  const items = (query.data?.items ?? []).slice(0, 6);
  const most = Math.max(1, ...items.map(({ downstream_count }) => downstream_count));
  return (
    <Tile title={texts.start.popular} query={query} empty={texts.start.popularNone}>
      {items.map(({ relation_ref, connector_id, downstream_count }) => (
        <li key={relation_ref} className="used">
          <LayerIcon layer={layerOf(relation_ref)} />
          <Link
            to="/lineage"
            search={{ connector: connector_id ?? workspace.connectors[0]?.id, relation: relation_ref }}
          >
            <Ref of={relation_ref} />
          </Link>
          <span className="dim">{texts.search.readers(downstream_count)}</span>
          <meter aria-hidden="true" max={most} value={downstream_count} />
        </li>
      ))}
    </Tile>
  );
}

function Providers({ workspace }: Within) {
  const query = useQuery(providersQuery(workspace.id));
  return (
    <Tile title={texts.start.providers} query={query} empty={texts.start.providersNone}>
      {(query.data?.items ?? []).map(({ id, display_name, status, last_received_at }) => (
        <li key={id}>
          <Link to="/providers">{display_name}</Link>
          <span className="dim">
            <StateBadge state={status} /> {texts.start.lastReceived} <Time at={last_received_at} />
          </span>
        </li>
      ))}
    </Tile>
  );
}

const dayMs = 86_400_000;

function Changed({ workspace }: Within) {
  // To the hour, so that the question stays the same while one looks.
  const from = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - dayMs).toISOString();
  const diffs = useQueries({ queries: workspace.connectors.map(({ id }) => diffQuery(workspace.id, id, from)) });
  const changed = diffs.flatMap(({ data }, index) => {
    const connector = workspace.connectors[index];
    const counts = data?.summary.relations;
    return data && connector && counts && counts.added + counts.removed + counts.changed > 0
      ? [{ connector, counts, grade: counts.removed + counts.changed > 0 ? data.grade : null }]
      : [];
  });
  const query = {
    isPending: diffs.some(({ isPending }) => isPending),
    error: diffs.find(({ error }) => error)?.error ?? null,
  };
  return (
    <Tile title={texts.start.changed} query={query} empty={texts.start.changedNone}>
      {changed.map(({ connector, counts, grade }) => (
        <li key={connector.id}>
          <Link to="/changes" search={{ connector: connector.id, from }}>
            {connector.name}
          </Link>
          <span className="dim">
            {texts.changes.counts(counts.added, counts.removed, counts.changed)}{' '}
            {grade !== null && <StateBadge state={grade} />}
          </span>
        </li>
      ))}
    </Tile>
  );
}

/** The newest complete snapshot of each scope: what is not in it is known to be gone. */
function Snapshots({ workspace }: Within) {
  const query = useInfiniteQuery(deliveriesQuery(workspace.id, {}, 200));
  const complete = (query.data?.pages[0]?.items ?? []).filter(({ completeness }) => completeness === 'complete');
  const newest = [...new Map(complete.toReversed().map((one) => [one.scope_key, one])).values()].slice(0, 6);
  return (
    <Tile title={texts.start.snapshots} query={query} empty={texts.start.snapshotsNone}>
      {newest.map(({ delivery_id, scope_key, kind, state, received_at }) => (
        <li key={delivery_id}>
          <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery_id }}>
            {scope_key?.split(':').slice(2).join(':') ?? kind}
          </Link>
          <span className="dim">
            <StateBadge state={state} /> <Time at={received_at} />
          </span>
        </li>
      ))}
    </Tile>
  );
}

const troubling: readonly DeliveryState[] = ['held', 'failed', 'quarantined', 'partially_projected'];

function Trouble({ workspace }: Within) {
  const query = useInfiniteQuery(deliveriesQuery(workspace.id, {}, 200));
  const items = (query.data?.pages[0]?.items ?? []).filter(({ state }) => troubling.includes(state)).slice(0, 6);
  return (
    <Tile title={texts.start.trouble} query={query} empty={texts.start.troubleNone}>
      {items.map(({ delivery_id, kind, state, received_at }) => (
        <li key={delivery_id}>
          <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery_id }}>
            {kind.replaceAll('_', ' ')}
          </Link>
          <span className="dim">
            <StateBadge state={state} /> <Time at={received_at} />
          </span>
        </li>
      ))}
    </Tile>
  );
}

function Gaps({ workspace }: Within) {
  const providers = useQuery(providersQuery(workspace.id));
  const falling = (providers.data?.items ?? []).filter(({ open_gap_count }) => open_gap_count > 0);
  const gaps = useQueries({ queries: falling.map(({ id }) => gapsQuery(workspace.id, id)) });
  const open = gaps.flatMap(({ data }) => (data?.items ?? []).filter(({ status }) => status === 'open'));
  return (
    <Tile title={texts.start.gaps} query={providers} empty={texts.start.gapsNone}>
      {open.slice(0, 6).map(({ id, gap_type, opened_at }) => (
        <li key={id}>
          <Link to="/gaps">{gap_type.replaceAll('_', ' ')}</Link>
          <span className="dim">
            <Time at={opened_at} />
          </span>
        </li>
      ))}
    </Tile>
  );
}

const shown = 6;

function AttentionTile({ workspace }: { readonly workspace: Workspace }) {
  const query = useQuery(attentionQuery(workspace.id));
  // Usually nothing needs attention. Then the page starts with the search.
  if (!query.error && !query.data?.items.length) return null;
  return (
    <Tile wide title={texts.start.attention} query={query} empty="">
      {(query.data?.items ?? []).slice(0, shown).map(({ event_id, href, title, severity, timestamp }) => (
        <li key={event_id}>
          <PageLink href={href}>{title}</PageLink>
          <span className="dim">
            <StateBadge state={severity} /> <Time at={timestamp} />
          </span>
        </li>
      ))}
    </Tile>
  );
}

type TileProps = {
  readonly title: string;
  readonly query: { readonly isPending: boolean; readonly error: Error | null };
  readonly empty: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
};

/** A part of the page that loads, fails and may be empty by itself; empty children are none. */
function Tile({ title, query: { isPending, error }, empty, wide = false, children }: TileProps) {
  const isEmpty = Array.isArray(children) && children.length === 0;
  return (
    <section className="tile card" aria-label={title} data-wide={wide}>
      <h2>{title}</h2>
      {isPending ? (
        <p role="status" className="dim">
          {texts.loading}
        </p>
      ) : error ? (
        <Failure error={error} needs="viewer" />
      ) : isEmpty ? (
        <p className="dim">{empty}</p>
      ) : (
        <ul className="plain">{children}</ul>
      )}
    </section>
  );
}
