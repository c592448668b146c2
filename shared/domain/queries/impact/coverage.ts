import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { Coverage } from '../../../contract/impact.ts';
import type { QuietReason } from '../../../contract/vocabulary.ts';
import { inParallel } from '../../concurrency/in-parallel.ts';
import { type Forgotten, forgettingAt } from '../../graph/forgotten.ts';
import { zeroOrder } from '../../graph/order.ts';
import type { ScopeHead, ScopeStore } from '../../graph/scope-store.ts';
import { isSilent } from '../../operations/gaps/detect-gaps.ts';
import type { ProviderStore } from '../../providers/ports.ts';
import { type ProviderRecord, statusOf } from '../../providers/provider.ts';

export type CoveragePorts = {
  readonly providers: Pick<ProviderStore, 'list'>;
  readonly scopes: Pick<ScopeStore, 'ofConnector' | 'history'>;
  readonly forgotten: Forgotten;
  readonly now: string;
};

/** So that an answer about one relation does not pay for a workspace of thousands of feeds. */
const maxRead = { feeds: 200, scopes: 200 };
const historiesInFlight = 16;

/** What a connector's evidence comes from, so that absence can be interpreted. Feeds are told as they are now. */
export async function coverageOf(
  ports: CoveragePorts,
  workspace: WorkspaceId,
  connector: ConnectorId,
  asOf: string | null,
): Promise<Omit<Coverage, 'suppressed'>> {
  const [feeds, heads] = await Promise.all([
    feedsOf(ports, workspace, connector),
    ports.scopes.ofConnector(workspace, connector, maxRead.scopes + 1),
  ]);
  const now = new Date(ports.now);
  const stating = heads.slice(0, maxRead.scopes).filter((head) => !isForgotten(ports, head, asOf));
  return {
    feeds: feeds.records.flatMap((record) => quietFeed(record, now)),
    feeds_checked: feeds.records.length,
    scopes: await inParallel(historiesInFlight, stating, async (head) => ({
      scope_key: head.scopeKey,
      provider_type: head.providerType,
      provider_instance_id: head.providerInstanceId,
      last_complete_snapshot_at: await lastComplete(ports, workspace, head, asOf),
    })),
    complete: feeds.all && heads.length <= maxRead.scopes,
  };
}

async function feedsOf({ providers }: CoveragePorts, workspace: WorkspaceId, connector: ConnectorId) {
  const records: ProviderRecord[] = [];
  let seen = 0;
  for await (const record of providers.list(workspace, null)) {
    if (++seen > maxRead.feeds) return { records, all: false };
    const owner = record.provider.connector_id;
    if (owner === null || owner === connector) records.push(record);
  }
  return { records, all: true };
}

function quietFeed(record: ProviderRecord, now: Date): Coverage['feeds'] {
  const { provider, activity } = record;
  const reason = quietReason(record, now);
  if (reason === null) return [];
  return [
    {
      provider_instance_id: provider.id,
      provider_type: provider.provider_type,
      display_name: provider.display_name,
      connector_id: provider.connector_id,
      reason,
      last_received_at: activity.last_received_at,
      last_success_at: activity.last_success_at,
    },
  ];
}

function quietReason(record: ProviderRecord, now: Date): QuietReason | null {
  const status = statusOf(record);
  if (status !== 'active') return status;
  return isSilent(record, now) ? 'silent' : null;
}

/** Whether nothing that the scope stated counts, and nothing was stated since. */
function isForgotten({ forgotten }: CoveragePorts, { scope, started, order }: ScopeHead, asOf: string | null): boolean {
  const until = forgettingAt(forgotten, scope, asOf)?.order;
  return until !== undefined && started <= until && order <= until;
}

async function lastComplete(
  { scopes, forgotten }: CoveragePorts,
  workspace: WorkspaceId,
  { scope, order, committedAt }: ScopeHead,
  asOf: string | null,
): Promise<string | null> {
  const until = forgettingAt(forgotten, scope, asOf)?.order;
  // Partial deliveries alone came since it was forgotten.
  if (until !== undefined && order <= until) return null;
  if (asOf === null || committedAt === null || committedAt <= asOf) return committedAt;
  const orders = await scopes.history(workspace, scope, zeroOrder);
  const complete = orders.findLast((one) => one.complete && one.at !== null && one.at <= asOf);
  return complete === undefined || (until !== undefined && complete.order <= until) ? null : complete.at;
}
