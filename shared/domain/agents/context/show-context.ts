import type { AgentConnectorContext, AgentContextResponse } from '../../../contract/agent-context.ts';
import { collect, inParallel } from '../../base/concurrency.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import { later } from '../../lineage/providers/activity.ts';
import { type ProviderRecord, type ProviderStore, statusOf } from '../../lineage/providers/provider.ts';
import type { Caller } from '../../workspaces/access/authenticate.ts';
import type { Member, Registry } from '../../workspaces/access/records.ts';
import { type ConnectorSummary, noSummary, type SummaryStore, tableCountOf } from './summary.ts';

export type ContextPorts = {
  readonly registry: Pick<Registry, 'workspaces' | 'members' | 'connectors'>;
  readonly providers: Pick<ProviderStore, 'list'>;
  readonly summaries: Pick<SummaryStore, 'get'>;
  readonly clock: Clock;
};

const sampleTables = 10;
const workspacesInFlight = 10;

/** The caller's workspaces and their content, from stored summaries: the cost depends on their feeds, not on the size of their graphs. */
export async function showContext(ports: ContextPorts, caller: Caller): Promise<AgentContextResponse> {
  const memberships = await membershipsOf(ports, caller);
  const shown = await inParallel(workspacesInFlight, memberships, (one) => workspaceContext(ports, one));
  const workspaces = shown.filter((one) => one !== null);
  const [first] = workspaces;
  return {
    user_id: caller.userId,
    user_email: (caller.kind === 'session' ? caller.email : null) ?? memberships[0]?.email ?? null,
    default_workspace_id:
      caller.kind === 'pat' ? caller.workspaceId : workspaces.length === 1 && first ? first.id : null,
    workspaces,
  };
}

/** A token is of one workspace. */
async function membershipsOf({ registry }: ContextPorts, caller: Caller): Promise<readonly Member[]> {
  if (caller.kind === 'session') return registry.members.ofUser(caller.userId);
  const found = await registry.members.find({ workspace_id: caller.workspaceId, user_id: caller.userId });
  return found ? [found.record] : [];
}

async function workspaceContext(ports: ContextPorts, { workspace_id, role }: Member) {
  const workspace = await ports.registry.workspaces.find({ id: workspace_id });
  if (!workspace) return null;
  const connectors = await ports.registry.connectors.list(workspace_id);
  const [providers, summaries] = await Promise.all([
    // All of them: a status is a verdict on every feed.
    collect(ports.providers.list(workspace_id, null)),
    ports.summaries.get(
      workspace_id,
      connectors.map(({ id }) => id),
    ),
  ]);
  const now = ports.clock.now();
  return {
    id: workspace_id,
    name: workspace.record.name,
    role,
    connectors: connectors.map((one) => connectorContext(one, providers, summaries.get(one.id) ?? noSummary, now)),
  };
}

function connectorContext(
  { id, name, kind }: Connector,
  providers: readonly ProviderRecord[],
  summary: ConnectorSummary,
  now: Date,
): AgentConnectorContext {
  const own = providers.filter(({ provider }) => provider.connector_id === id);
  const errorAt = own.map(({ activity }) => activity.last_error_at).reduce(later, null);
  return {
    id,
    name,
    kind,
    status: worstOf(own),
    last_error: errorAt === null ? null : `A delivery failed or was quarantined at ${errorAt}.`,
    last_sync_at: own.map(({ activity }) => activity.last_success_at).reduce(later, null),
    sample_tables: summary.tables.slice(0, sampleTables).map(({ ref }) => ref),
    schema_age_seconds:
      summary.learnt_at === null
        ? null
        : Math.max(0, Math.floor((now.getTime() - Date.parse(summary.learnt_at)) / 1000)),
    table_count: tableCountOf(summary),
  };
}

function worstOf(providers: readonly ProviderRecord[]): AgentConnectorContext['status'] {
  const statuses = new Set(providers.map(statusOf));
  return (['error', 'active', 'paused', 'disabled'] as const).find((status) => statuses.has(status)) ?? 'empty';
}
