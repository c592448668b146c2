import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  type DeliveryState,
  deliveriesQuery,
  diffQuery,
  type Overview,
  overviewQuery,
  providersQuery,
  recentDeliveriesQuery,
  type Workspace,
} from '../api/queries.ts';
import { attentionQuery, checkResultsQuery, checksQuery } from '../api/run-queries.ts';
import { healthDays, ProviderHealth, percent } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { useOpenGaps } from '../parts/gaps.ts';
import { Skeleton } from '../parts/leaves-out.tsx';
import { PageLink } from '../parts/page-head.tsx';
import { useProviderNames } from '../parts/provider-names.ts';
import { Snippet } from '../parts/snippet.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { daysAgo, Time } from '../parts/time.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { LayerFlow } from './layer-flow.tsx';
import { Recent, Used } from './relation-lists.tsx';

export function StartPage() {
  const workspace = useWorkspace();
  if (workspace === null) return null;
  return <Overviewed key={workspace.id} workspace={workspace} />;
}

type Within = { readonly workspace: Workspace };

function Overviewed({ workspace }: Within) {
  const { data: overview, error } = useQuery(overviewQuery(workspace.id));
  return (
    <section className="start">
      <div className="hero">
        <h1>{texts.start.title}</h1>
        <Changed workspace={workspace} />
        <Recent />
      </div>
      {error && <Failure error={error} needs="viewer" />}
      {overview?.relations === 0 && <FirstData />}
      <Figures workspace={workspace} overview={overview} />
      {overview && overview.relations > 0 && <LayerFlow overview={overview} />}
      <div className="tiles">
        <Attention workspace={workspace} />
        <section className="tile card" aria-label={texts.start.popular}>
          <h2>{texts.start.popular}</h2>
          <Used workspace={workspace} words="" most={6} />
        </section>
        <Providers workspace={workspace} />
      </div>
    </section>
  );
}

/** How to send the first lineage. */
const FirstData = () => (
  <section className="card first-data" aria-label={texts.start.empty}>
    <h2>{texts.start.empty}</h2>
    <p>{texts.start.emptyHow}</p>
    <div className="two">
      {texts.start.ways.map(([title, command]) => (
        <div key={title}>
          <h3>{title}</h3>
          <Snippet label={title} text={command} />
        </div>
      ))}
    </div>
  </section>
);

type FiguresProps = Within & { readonly overview: Overview | undefined };

function Figures({ workspace, overview }: FiguresProps) {
  const { data: providers } = useQuery(providersQuery(workspace.id));
  const { data: checks } = useQuery(checksQuery(workspace.id));
  const all = checks?.agent_checks ?? [];
  const results = useQueries({ queries: all.map(({ id }) => checkResultsQuery(workspace.id, id)) });
  const isJudged = checks !== undefined && results.every(({ data }) => data !== undefined);
  const states = results.map(({ data }) => data?.items[0]?.state);
  const failing = states.filter((state) => state === 'failed').length;
  const open = states.filter((state, index) => all[index]?.enabled && state !== 'failed' && state !== 'passed').length;
  const behind = (providers?.items ?? []).filter(({ status }) => status !== 'active').length;
  const withGaps = (providers?.items ?? []).filter(({ open_gap_count }) => open_gap_count > 0).length;
  const { gaps, isKnown } = useOpenGaps(workspace.id);
  const share = overview ? overview.edges_with_columns / Math.max(1, overview.edges) : 0;
  const { figures } = texts.start;
  return (
    <ul className="figures card" aria-label={figures.label}>
      <Figure to="/lineage" name={figures.relations} value={overview?.relations.toLocaleString()}>
        {overview && texts.columns(overview.columns)}
      </Figure>
      <Figure to="/lineage" name={figures.edges} value={overview && percent(share)}>
        {overview && figures.of(overview.edges_with_columns, overview.edges)}
      </Figure>
      <Figure
        to="/providers"
        name={texts.providers.title}
        value={providers?.items.length}
        tone={behind + withGaps > 0 ? 'warn' : 'good'}
      >
        {providers && figures.behind(behind, withGaps, providers.items.length)}
      </Figure>
      <Figure
        to="/gaps"
        name={figures.gaps}
        value={isKnown ? gaps.length : undefined}
        tone={gaps.length > 0 ? 'warn' : 'good'}
      >
        {isKnown && figures.gapsHow(gaps.length)}
      </Figure>
      <Figure
        to="/checks"
        name={texts.checks.title}
        value={checks && all.length}
        tone={failing > 0 ? 'bad' : open > 0 ? 'warn' : 'good'}
      >
        {isJudged && figures.failing(failing, open, all.length)}
      </Figure>
    </ul>
  );
}

type FigureProps = {
  readonly to: string;
  readonly name: string;
  /** Undefined until it is known. */
  readonly value: string | number | undefined;
  readonly tone?: 'good' | 'warn' | 'bad';
  /** What the value means; undefined or false until that is known. */
  readonly children: ReactNode;
};

const Figure = ({ to, name, value, tone, children }: FigureProps) => (
  <li>
    <Link to={to}>
      <span>{name}</span>
      <b>{value ?? <Skeleton />}</b>
      {children ? <span data-tone={tone}>{children}</span> : <Skeleton />}
    </Link>
  </li>
);

/** How much came, went and changed since yesterday, in a line. */
function Changed({ workspace }: Within) {
  const from = daysAgo(1);
  const diffs = useQueries({ queries: workspace.connectors.map(({ id }) => diffQuery(workspace.id, id, from)) });
  const counts = diffs.every(({ data }) => data) ? diffs.flatMap(({ data }) => data?.summary.relations ?? []) : [];
  const isPart = diffs.some(({ data }) => data?.claim.counts.at_least || data?.next_cursor);
  const sum = (kind: 'added' | 'removed' | 'changed') => counts.reduce((total, one) => total + one[kind], 0);
  const text = texts.start.changed({ added: sum('added'), removed: sum('removed'), changed: sum('changed') }, isPart);
  const at = counts.findIndex((one) => Object.values(one).some((count) => count > 0));
  const connector = workspace.connectors[at]?.id;
  return (
    <p>
      {connector === undefined ? (
        texts.start.lead
      ) : (
        <Link to="/changes" search={{ connector, from }}>
          {text}
        </Link>
      )}
    </p>
  );
}

const troubling: readonly DeliveryState[] = ['failed', 'quarantined', 'partially_projected'];
const shown = 6;

/** Whatever waits for somebody: checks, access requests and held deliveries, then gaps and deliveries with errors. */
function Attention({ workspace }: Within) {
  const attention = useQuery(attentionQuery(workspace.id));
  const { gaps, ...open } = useOpenGaps(workspace.id);
  const deliveries = useInfiniteQuery(deliveriesQuery(workspace.id, {}, 200));
  const error = attention.error ?? open.error ?? deliveries.error;
  const isPending = [attention, open, deliveries].some((query) => query.isPending);
  const troubled = (deliveries.data?.pages[0]?.items ?? []).filter(({ state }) => troubling.includes(state));
  const items = [
    ...(attention.data?.items ?? []).map(({ event_id, kind, href, title, severity, timestamp }) => (
      <AttentionItem
        key={event_id}
        state={kind === 'access_request' ? 'open' : severity}
        at={timestamp}
        link={<PageLink href={href}>{title}</PageLink>}
      />
    )),
    ...gaps.map(({ id, gap_type, opened_at }) => (
      <AttentionItem
        key={id}
        state="open"
        at={opened_at}
        link={<Link to="/gaps">{texts.gaps.types[gap_type].title}</Link>}
      />
    )),
    ...troubled.map(({ delivery_id, kind, state, received_at }) => (
      <AttentionItem
        key={delivery_id}
        state={state}
        at={received_at}
        link={
          <Link to="/deliveries/$deliveryId" params={{ deliveryId: delivery_id }}>
            {kind.replaceAll('_', ' ')}
          </Link>
        }
      />
    )),
  ];
  return (
    <section className="tile card" aria-label={texts.start.attention}>
      <h2>
        {texts.start.attention} {!isPending && items.length > 0 && <span className="badge">{items.length}</span>}
      </h2>
      {error && <Failure error={error} needs="viewer" />}
      {items.length === 0 ? (
        <p className="dim">{isPending ? texts.loading : !error && texts.start.attentionNone}</p>
      ) : (
        <ul className="plain rows">{items.slice(0, shown)}</ul>
      )}
    </section>
  );
}

type AttentionItemProps = { readonly state: string; readonly at: string | null; readonly link: ReactNode };

const AttentionItem = ({ state, at, link }: AttentionItemProps) => (
  <li>
    {link}
    <span className="dim">
      <StateBadge state={state} /> <Time at={at} />
    </span>
  </li>
);

function Providers({ workspace }: Within) {
  const { data, error, isPending } = useQuery(providersQuery(workspace.id));
  const recent = useQuery(recentDeliveriesQuery(workspace.id, healthDays));
  const names = useProviderNames(workspace.id);
  return (
    <section className="tile card" aria-label={texts.providers.title}>
      <h2>
        {texts.providers.title} <span className="dim">{texts.providers.headings.health}</span>
      </h2>
      {isPending && <p role="status">{texts.loading}</p>}
      {error && <Failure error={error} needs="viewer" />}
      {data?.items.length === 0 && <p className="dim">{texts.start.providersNone}</p>}
      <ul className="plain rows">
        {(data?.items ?? []).map(({ id, status, last_received_at }) => (
          <li key={id}>
            <span>
              <Link to="/providers">{names.get(id)}</Link>
              <span className="row-note">
                <StateBadge state={status} /> <Time at={last_received_at} />
              </span>
            </span>
            <ProviderHealth
              name={names.get(id) ?? ''}
              deliveries={(recent.data?.items ?? []).filter((one) => one.provider_instance_id === id)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
