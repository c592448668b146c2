import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { providersQuery, recentDeliveriesQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Listed } from '../parts/listed.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ago } from '../parts/time.tsx';
import { useChange } from '../parts/use-change.ts';
import { may, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { healthDays } from './provider-health.tsx';
import { ProviderRow, type SettableStatus } from './provider-row.tsx';

/** The providers of the workspace, how they do, and who may stop them. */
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
