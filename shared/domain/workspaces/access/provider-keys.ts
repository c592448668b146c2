import * as v from 'valibot';
import type { ConnectorId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { type ProviderKey, type ProviderKeyPage, RegisterProviderKey } from '../../../contract/providers.ts';
import { feedTypeClasses } from '../../../contract/vocabulary.ts';
import { type BoundList, cutPage, type PageRequest, readCursor } from '../../base/paging/cursor.ts';
import { type GraphRecord, newGraphRecord } from '../../lineage/generations/graph-record.ts';
import { keyedProvider } from '../../lineage/ingest/open-delivery.ts';
import type { Feed } from '../../lineage/providers/feed.ts';
import type { ProviderStore } from '../../lineage/providers/provider.ts';
import { findConnector } from './connectors.ts';
import { auditOf, type Operator, requireValid } from './operator.ts';
import type { AuditAction, Registry, StoredRecord } from './records.ts';

type FeedRegistrar = Operator & { readonly providers: Pick<ProviderStore, 'create'> };

/** Registers a `provider_key` with a type, or changes the type of a registered one: C-FEED-1. Throws `lineage_provider_scope_conflict`. */
export async function registerProviderKey(
  ports: FeedRegistrar,
  workspace_id: WorkspaceId,
  input: v.InferInput<typeof RegisterProviderKey>,
): Promise<ProviderKey> {
  const {
    provider_key,
    provider_type,
    display_name = provider_key,
    ...rest
  } = requireValid(RegisterProviderKey, input);
  const found = await findConnector(ports.registry, workspace_id, rest.connector_id);
  if (found === null) throw new Problem('not_found');
  const { id: connector_id } = found;
  const now = ports.clock.now();
  // The key is bound from here on, as by its first use.
  const provider = await ports.providers.create(keyedProvider(workspace_id, provider_key, connector_id, now));
  if (provider.connector_id !== connector_id)
    throw new Problem('lineage_provider_scope_conflict', {
      message: 'The provider key is bound to another connector, or was first used without one.',
    });
  const feed = await changeFeed(ports, { ...provider, provider_type, display_name }, (before) => ({
    created_at: now.toISOString(),
    created_by: ports.actor,
    ...before,
    connector_id,
    provider_key,
    provider_type,
    class: feedTypeClasses.get(provider_type) ?? rest.class ?? 'runtime',
    display_name,
  }));
  return itemOf(workspace_id, provider.id, feed);
}

/** Ends a registration: what the key states is of the type `openlineage` again. Throws `not_found`. */
export async function removeProviderKey(
  ports: FeedRegistrar,
  workspace_id: WorkspaceId,
  id: ProviderInstanceId,
): Promise<void> {
  const feeds = await feedsOf(ports.registry, workspace_id);
  const feed = feeds[id];
  if (feed === undefined) throw new Problem('not_found');
  const { connector_id, provider_key } = feed;
  const provider = keyedProvider(workspace_id, provider_key, connector_id, ports.clock.now());
  await changeFeed(ports, provider, () => undefined);
}

type Described = Parameters<Registry['describeProvider']>[0];
const mostAttempts = 8;

async function changeFeed<Next extends Feed | undefined>(
  ports: FeedRegistrar,
  provider: Described,
  next: (before: Feed | undefined) => Next,
): Promise<Next> {
  const { registry } = ports;
  const { workspace_id, id, provider_type, display_name } = provider;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const found = await registry.graphs.find({ workspace_id });
    const record = found?.record ?? newGraphRecord(workspace_id);
    const { [id]: before, ...others } = record.feeds;
    const feed = next(before);
    if (feed && !before && Object.keys(others).length >= limits.providerKeys)
      throw new Problem('conflict', {
        message: `The workspace has ${limits.providerKeys} registered provider keys, which is the limit.`,
      });
    const subject = { id, provider_type, display_name };
    const action: AuditAction = { workspace_id, action: `provider_key.${feed ? 'register' : 'remove'}`, subject };
    const changed = { ...record, feeds: feed ? { ...others, [id]: feed } : others };
    const writes = [put(registry, found, changed), registry.describeProvider(provider), auditOf(ports, action)];
    if (await registry.commit(writes)) return feed;
  }
  throw new Problem('conflict');
}

const put = ({ graphs }: Registry, found: StoredRecord<GraphRecord> | null, record: GraphRecord) =>
  found ? graphs.replace(found, record) : graphs.create(record);

export async function listProviderKeys(
  registry: Pick<Registry, 'graphs'>,
  workspace: WorkspaceId,
  { connectorId, ...page }: PageRequest & { readonly connectorId: ConnectorId | null },
): Promise<ProviderKeyPage> {
  const listing: BoundList = ['provider-keys', workspace, connectorId];
  const after = readCursor(listing, v.string(), page.cursor) ?? '';
  const items = Object.entries(await feedsOf(registry, workspace))
    .map(([id, feed]) => itemOf(workspace, id, feed))
    .filter((one) => one.id > after && (connectorId === null || one.connector_id === connectorId))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const { page: shown, next_cursor } = cutPage(listing, items, page.limit, ({ id }) => id);
  return { workspace_id: workspace, items: shown, next_cursor };
}

const feedsOf = async ({ graphs }: Pick<Registry, 'graphs'>, workspace_id: WorkspaceId) =>
  (await graphs.find({ workspace_id }))?.record.feeds ?? {};

const itemOf = (workspace_id: WorkspaceId, id: string, feed: Feed): ProviderKey => ({ id, workspace_id, ...feed });
