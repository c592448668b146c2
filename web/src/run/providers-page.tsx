import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import {
  type Delivery,
  type DeliveryState,
  type Provider,
  providersQuery,
  recentDeliveriesQuery,
} from '../api/queries.ts';
import { type Day, DayBars, type DayPart, lastDays } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { ago, Time } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

const healthDays = 14;

/** How a provider did by day, as its deliveries say. */
function ProviderHealth({ deliveries, name }: { readonly deliveries: readonly Delivery[]; readonly name: string }) {
  const byDay = Map.groupBy(deliveries, ({ received_at }) => received_at.slice(0, 10));
  const days: Day[] = lastDays(healthDays).map((date) => ({ date, parts: partsOf(byDay.get(date) ?? []) }));
  return <DayBars days={days} label={texts.providers.health(name, healthDays)} />;
}

const tones: Readonly<Record<DeliveryState, DayPart['tone']>> = {
  accepted: 'good',
  processing: 'good',
  projected: 'good',
  superseded: 'good',
  partially_projected: 'warn',
  held: 'warn',
  quarantined: 'bad',
  failed: 'bad',
};
const order: readonly DayPart['tone'][] = ['good', 'warn', 'bad'];

const partsOf = (deliveries: readonly Delivery[]): DayPart[] =>
  [...Map.groupBy(deliveries, ({ state }) => state)]
    .map(([state, those]) => ({ tone: tones[state], label: state.replaceAll('_', ' '), count: those.length }))
    .toSorted((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));

export function ProvidersPage() {
  const workspace = useWorkspace();
  const workspaceId = workspace?.id ?? '';
  const query = useQuery({ ...providersQuery(workspaceId), refetchInterval: 15_000 });
  const recent = useQuery(recentDeliveriesQuery(workspaceId, healthDays));
  const isAdmin = may(workspace, 'admin');
  const { set, error } = useStatus(workspaceId);
  const { headings } = texts.providers;
  return (
    <>
      <PageHead title={texts.providers.title} lead={texts.providers.lead}>
        {!isAdmin && <p>{texts.providers.adminOnly}</p>}
      </PageHead>
      {error && <Failure error={error} />}
      <Listed
        query={query}
        title={texts.providers.title}
        headings={Object.values(headings).filter((heading) => isAdmin || heading !== headings.action)}
        empty={texts.providers.none}
        needs="viewer"
      >
        {(query.data?.items ?? []).map((provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            deliveries={(recent.data?.items ?? []).filter((one) => one.provider_instance_id === provider.id)}
            set={isAdmin ? (status) => set(provider.id, status) : null}
          />
        ))}
      </Listed>
      {recent.data?.since && <p className="dim">{texts.providers.healthSince(ago(recent.data.since))}</p>}
    </>
  );
}

function useStatus(workspace_id: string) {
  const { change, error } = useChange<unknown>(['providers', workspace_id]);
  const set = (provider_instance_id: string, status: SettableStatus) =>
    change(() =>
      api.PATCH('/v1/lineage/providers/{provider_instance_id}', {
        params: { path: { provider_instance_id } },
        body: { workspace_id, status },
      }),
    );
  return { set, error };
}

type SettableStatus = 'active' | 'paused';

type ProviderRowProps = {
  readonly provider: Provider;
  readonly deliveries: readonly Delivery[];
  /** Null for who may not. */
  readonly set: ((status: SettableStatus) => void) | null;
};

/** A provider, how it does, and what is open of it. */
const ProviderRow = ({ provider, deliveries, set }: ProviderRowProps) => (
  <tr>
    <ProviderName provider={provider} />
    <td>
      <StateBadge state={provider.status} />
    </td>
    <td>
      <ProviderHealth deliveries={deliveries} name={provider.display_name} />
    </td>
    <td>
      <Time at={provider.last_received_at} />
    </td>
    <td>
      <Time at={provider.last_error_at} />
    </td>
    <td>{provider.backlog_count}</td>
    <td>
      {provider.invalid_item_count} / {provider.unresolved_asset_count}
    </td>
    <td>{provider.open_gap_count}</td>
    {set && (
      <td>
        <PauseButton provider={provider} set={set} />
      </td>
    )}
  </tr>
);

function ProviderName({ provider: { display_name, provider_type, connector_id } }: { readonly provider: Provider }) {
  const workspace = useWorkspace();
  const connector = workspace?.connectors.find(({ id }) => id === connector_id)?.name;
  return (
    <th scope="row">
      {display_name}{' '}
      <span className="row-note">{[provider_type.replaceAll('_', ' '), connector].filter(Boolean).join(' · ')}</span>
    </th>
  );
}

type PauseButtonProps = { readonly provider: Provider; readonly set: (status: SettableStatus) => void };

function PauseButton({ provider: { status, display_name }, set }: PauseButtonProps) {
  const isRunning = status === 'active' || status === 'error';
  const label = isRunning ? texts.providers.pause : texts.providers.resume;
  return (
    <button type="button" aria-label={`${label} ${display_name}`} onClick={() => set(isRunning ? 'paused' : 'active')}>
      {label}
    </button>
  );
}
