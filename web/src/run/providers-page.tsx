import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { type Delivery, type Provider, providersQuery, recentDeliveriesQuery } from '../api/queries.ts';
import { healthDays, ProviderHealth } from '../parts/day-bars.tsx';
import { Failure } from '../parts/failure.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { StateCell } from '../parts/state-badge.tsx';
import { ago, TimeCell } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

const sortBy = {
  name: ({ display_name }: Provider) => display_name,
  status: ({ status }: Provider) => status,
  received: ({ last_received_at }: Provider) => last_received_at,
  error: ({ last_error_at }: Provider) => last_error_at,
  backlog: ({ backlog_count }: Provider) => backlog_count,
  trouble: ({ invalid_item_count, unresolved_asset_count }: Provider) => invalid_item_count + unresolved_asset_count,
  gaps: ({ open_gap_count }: Provider) => open_gap_count,
};

export function ProvidersPage() {
  const workspace = useWorkspace();
  const workspaceId = workspace?.id ?? '';
  const query = useQuery({ ...providersQuery(workspaceId), refetchInterval: 15_000 });
  const recent = useQuery(recentDeliveriesQuery(workspaceId, healthDays));
  const isAdmin = may(workspace, 'admin');
  const { set, error } = useStatus(workspaceId);
  const { action: _, ...others } = texts.providers.headings;
  return (
    <>
      <PageHead title={texts.providers.title} lead={texts.providers.lead}>
        {!isAdmin && <p>{texts.providers.adminOnly}</p>}
      </PageHead>
      {error && <Failure error={error} />}
      <Listed
        query={query}
        of={isAdmin ? texts.providers : { ...texts.providers, headings: others }}
        items={query.data?.items ?? []}
        sortBy={sortBy}
        row={(provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            deliveries={(recent.data?.items ?? []).filter((one) => one.provider_instance_id === provider.id)}
            set={isAdmin ? (status) => set(provider.id, status) : null}
          />
        )}
      />
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
    <StateCell state={provider.status} />
    <td>
      <ProviderHealth deliveries={deliveries} name={provider.display_name} />
    </td>
    <TimeCell at={provider.last_received_at} />
    <TimeCell at={provider.last_error_at} />
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
