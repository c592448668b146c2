import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { type Delivery, type Provider, providersQuery, recentDeliveriesQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { ago, Time } from '../parts/time.tsx';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { healthDays, ProviderHealth } from './provider-health.tsx';

/** The feeds of the workspace, how they do, and who may stop them. */
export function ProvidersPage() {
  const workspace = useWorkspace();
  const workspaceId = workspace?.id ?? '';
  const query = useQuery({ ...providersQuery(workspaceId), refetchInterval: 15_000 });
  const recent = useQuery(recentDeliveriesQuery(workspaceId, healthDays));
  const isAdmin = may(workspace, 'admin');
  const setting = useSetting(workspaceId);
  const { headings } = texts.providers;
  const shownHeadings = Object.values(headings).filter((heading) => isAdmin || heading !== headings.action);
  return (
    <>
      <PageHead title={texts.providers.title} lead={texts.providers.lead}>
        {!isAdmin && <p>{texts.providers.adminOnly}</p>}
      </PageHead>
      {setting.error && <Failure error={setting.error} />}
      <Listed
        query={query}
        title={texts.providers.title}
        headings={shownHeadings}
        empty={texts.providers.none}
        needs="viewer"
      >
        {(query.data?.items ?? []).map((provider) => (
          <Line
            key={provider.id}
            provider={provider}
            deliveries={(recent.data?.items ?? []).filter((one) => one.provider_instance_id === provider.id)}
            set={isAdmin ? (status) => setting.mutate({ id: provider.id, status }) : null}
          />
        ))}
      </Listed>
      {recent.data?.since && <p className="dim">{texts.providers.healthSince(ago(recent.data.since))}</p>}
    </>
  );
}

type Status = 'active' | 'paused';

function useSetting(workspace_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: { readonly id: string; readonly status: Status }) =>
      api.PATCH('/v1/lineage/providers/{provider_instance_id}', {
        params: { path: { provider_instance_id: id } },
        body: { workspace_id, status },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['providers', workspace_id] }),
  });
}

type LineProps = {
  readonly provider: Provider;
  readonly deliveries: readonly Delivery[];
  readonly set: ((status: Status) => void) | null;
};

function Line({ provider, deliveries, set }: LineProps) {
  const workspace = useWorkspace();
  const home = workspace?.connectors.find(({ id }) => id === provider.connector_id)?.name;
  const isRunning = provider.status === 'active' || provider.status === 'error';
  return (
    <tr>
      <th scope="row">
        {provider.display_name}{' '}
        <span className="row-note">
          {[provider.provider_type.replaceAll('_', ' '), home].filter(Boolean).join(' · ')}
        </span>
      </th>
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
          <button
            type="button"
            aria-label={`${isRunning ? texts.providers.pause : texts.providers.resume} ${provider.display_name}`}
            onClick={() => set(isRunning ? 'paused' : 'active')}
          >
            {isRunning ? texts.providers.pause : texts.providers.resume}
          </button>
        </td>
      )}
    </tr>
  );
}
