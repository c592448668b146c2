import type * as v from 'valibot';
import type { ConnectorId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { type ProviderKey, type ProviderKeyPage, RegisterProviderKey } from '../../../contract/providers.ts';
import { providerTypeClasses } from '../../../contract/vocabulary.ts';
import { sortedBy } from '../../base/collections.ts';
import { type PageRequest, pageById } from '../../base/paging/cursor.ts';
import { newGraphRecord } from '../../lineage/generations/graph-record.ts';
import { keyedProvider } from '../../lineage/ingest/open-delivery.ts';
import type { Feed } from '../../lineage/providers/feed.ts';
import type { ProviderStore } from '../../lineage/providers/provider.ts';
import { connectorFinder } from './connectors.ts';
import { auditOf, type Operator, requireValid } from './operator.ts';
import type { Registry } from './records.ts';

const most = limits.providerKeys;

/**
 * Registers a `provider_key` with a type, or changes the type of a registered one: C-FEED-1. A key that is only used,
 * not registered, moves to the connector: any editor can be the first to use it. Throws `lineage_provider_scope_conflict`.
 */
export async function registerProviderKey(
  ports: Operator & { readonly providers: Pick<ProviderStore, 'create'> },
  workspace_id: WorkspaceId,
  input: v.InferInput<typeof RegisterProviderKey>,
): Promise<ProviderKey> {
  const {
    provider_key,
    provider_type,
    display_name = provider_key,
    ...given
  } = requireValid(RegisterProviderKey, input);
  const connector_id = await connectorFinder(ports.registry)(workspace_id, given.connector_id);
  const now = ports.clock.now();
  const { id } = await ports.providers.create(keyedProvider(workspace_id, provider_key, connector_id, now));
  const provider = { workspace_id, id, connector_id, provider_type, display_name };
  const feed = await changeFeed(ports, provider, (before) => {
    if (before && before.connector_id !== connector_id)
      throw new Problem('lineage_provider_scope_conflict', {
        message: 'The provider key is registered for another connector.',
      });
    return {
      created_at: now.toISOString(),
      created_by: ports.actor,
      ...before,
      connector_id,
      provider_key,
      provider_type,
      class: providerTypeClasses.get(provider_type) ?? given.class ?? 'runtime',
      display_name,
    };
  });
  return itemOf(workspace_id, id, feed);
}

/** Ends a registration: what the key states is of the type `openlineage` again. Throws `not_found`. */
export async function removeProviderKey(ports: Operator, workspace_id: WorkspaceId, id: ProviderInstanceId) {
  const feed = (await feedsOf(ports.registry, workspace_id))[id];
  if (feed === undefined) throw new Problem('not_found');
  const { connector_id, provider_key: display_name } = feed;
  await changeFeed(
    ports,
    { workspace_id, id, connector_id, provider_type: 'openlineage', display_name },
    () => undefined,
  );
}

/** Registrations that are made at once follow each other; each round at least one of them comes through. */
const mostAttempts = 100;

async function changeFeed<Next extends Feed | undefined>(
  ports: Operator,
  provider: Parameters<Registry['describeProvider']>[0],
  next: (before: Feed | undefined) => Next,
): Promise<Next> {
  const { graphs, commit, describeProvider } = ports.registry;
  const { workspace_id, ...subject } = provider;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const found = await graphs.find({ workspace_id });
    const record = found?.record ?? newGraphRecord(workspace_id);
    const { [subject.id]: before, ...others } = record.feeds;
    const feed = next(before);
    if (feed && Object.keys(others).length >= most)
      throw new Problem('conflict', {
        message: `The workspace has ${most} registered provider keys, which is the limit.`,
      });
    const changed = { ...record, feeds: feed ? { ...others, [subject.id]: feed } : others };
    const audit = auditOf(ports, { workspace_id, action: `provider_key.${feed ? 'register' : 'remove'}`, subject });
    const write = found ? graphs.replace(found, changed) : graphs.create(changed);
    if (await commit([write, describeProvider(provider), audit])) return feed;
  }
  throw new Problem('unavailable');
}

export async function listProviderKeys(
  registry: Pick<Registry, 'graphs'>,
  workspace: WorkspaceId,
  { connectorId, ...request }: PageRequest & { readonly connectorId: ConnectorId | null },
): Promise<ProviderKeyPage> {
  const feeds = Object.entries(await feedsOf(registry, workspace)).map(([id, feed]) => itemOf(workspace, id, feed));
  const own = feeds.filter((one) => connectorId === null || one.connector_id === connectorId);
  const sorted = sortedBy(own, ({ id }) => id);
  const { page: items, next_cursor } = pageById(['provider-keys', workspace, connectorId], sorted, request);
  return { workspace_id: workspace, items, next_cursor };
}

const feedsOf = async ({ graphs }: Pick<Registry, 'graphs'>, workspace_id: WorkspaceId) =>
  (await graphs.find({ workspace_id }))?.record.feeds ?? {};

const itemOf = (workspace_id: WorkspaceId, id: string, feed: Feed): ProviderKey => ({ id, workspace_id, ...feed });
