import type {
  ConnectorId,
  DeliveryId,
  GapId,
  ProviderInstanceId,
  UploadId,
  WorkspaceId,
} from '../../../contract/ids.ts';
import type { ScopeId } from '../../../domain/lineage/graph/node.ts';
import { type DeliveryPlace, deliveryLists, listOf } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import { dueIndexKey, itemKey, type Key } from './registry-keys.ts';

/** One takes 1,000 writes a second, and a delivery that is sent again is one or two. */
export const dueShards = 8;

const shardOfDelivery = (delivery: DeliveryId) => Number.parseInt(delivery.slice(0, 2), 16);

export const deliveryKey = (workspace: WorkspaceId, delivery: DeliveryId) =>
  itemKey(`W#${workspace}#R#${delivery}`, 'META');

/** What leads from the id of a content to the first delivery of it that has a key. */
export const keyedContentKey = (workspace: WorkspaceId, contentId: DeliveryId) =>
  itemKey(`W#${workspace}#R#${contentId}`, 'KEYED');

export const deliveryListPartitions = (workspace: WorkspaceId): string[] =>
  Array.from({ length: deliveryLists }, (_, list) => deliveryListPartition(workspace, list));

export const deliveryListPartition = (workspace: WorkspaceId, list: number): string => `W#${workspace}#D#${list}`;

/** The digest is part of the key: what a refused request brought under the same delivery overwrites nothing. */
export const listedDeliveryKey = (place: DeliveryPlace) =>
  itemKey(
    deliveryListPartition(place.workspace_id, listOf(place)),
    `${place.received_at}#${place.delivery_id}#${place.digest}`,
  );

export const quarantineKey = (workspace: WorkspaceId, delivery: DeliveryId) =>
  itemKey(`W#${workspace}#R#${delivery}`, 'QUARANTINE');

const dueIndex = (workspace: WorkspaceId, shard: number): string => `W#${workspace}#DUE#${shard}`;

export const dueIndexes = (workspace: WorkspaceId): string[] =>
  Array.from({ length: dueShards }, (_, shard) => dueIndex(workspace, shard));

/** An open delivery's place among those of its workspace, by when to look at it again. */
export const dueKey = (workspace: WorkspaceId, delivery: DeliveryId, dueAt: string) =>
  dueIndexKey(dueIndex(workspace, shardOfDelivery(delivery) % dueShards), `${dueAt}#${delivery}`);

export const heldIndex = (workspace: WorkspaceId): string => `W#${workspace}#HELD`;

/** A held delivery's place among those of its workspace that wait for an administrator. */
export const heldKey = (workspace: WorkspaceId, delivery: DeliveryId, receivedAt: string) =>
  dueIndexKey(heldIndex(workspace), `${receivedAt}#${delivery}`);

/** A provider and what is known of it lie together, in the order of ids. */
export const providerKey = (workspace: WorkspaceId, provider: ProviderInstanceId) =>
  itemKey(providerPartition(workspace), provider);

/** What workers write of a busy provider is spread over this many items, and merged when it is read. */
export const activityShards = 16;
const counterShards = 8;

/** What processes write that meet no other; those that do write to an item of one of the shards. */
export const providerActivityKey = (workspace: WorkspaceId, provider: ProviderInstanceId, shard: number | null) =>
  itemKey(providerPartition(workspace), `${provider}${activitySuffix}${shard === null ? '' : `#${shard}`}`);

/** What a delivery adds to its provider's counters. */
export const deliveryCountersKey = (
  workspace: WorkspaceId,
  provider: ProviderInstanceId,
  delivery: DeliveryId,
): Key => {
  const { pk, sk } = providerCountersKey(workspace, provider);
  return { pk, sk: `${sk}#${shardOfDelivery(delivery) % counterShards}` };
};

/** The counters of a provider that no delivery adds to. */
export const providerCountersKey = (workspace: WorkspaceId, provider: ProviderInstanceId) =>
  itemKey(providerPartition(workspace), `${provider}${countersSuffix}`);

const [activitySuffix, countersSuffix] = ['#ACTIVITY', '#COUNTERS'];
export const isActivity = ({ sk }: Key): boolean => sk.includes(activitySuffix);
export const isCounters = ({ sk }: Key): boolean => sk.includes(countersSuffix);
export const isProvider = ({ sk }: Key): boolean => !sk.includes('#');

/** How far a workspace's evidence is known to be in the graph; before all of its providers, so that one query reads both. */
export const evidenceMarkKey = (workspace: WorkspaceId) => itemKey(providerPartition(workspace), '!EVIDENCE');
export const afterEvidenceMark = '!~';

export const providerPartition = (workspace: WorkspaceId): string => `W#${workspace}#P`;

/** What changed the graph of a connector, in the order of time. */
export const graphChangeKey = (workspace: WorkspaceId, connector: ConnectorId, at: string, delivery: string) =>
  itemKey(`W#${workspace}#CHANGES#${connector}`, `${at}#${delivery}`);

export const uploadKey = (workspace: WorkspaceId, upload: UploadId) => itemKey(`W#${workspace}#U#${upload}`, 'UPLOAD');

const gapPartition = (workspace: WorkspaceId, provider: ProviderInstanceId): string => `W#${workspace}#Q#${provider}`;

/** The gaps of a provider lie in the order of their ids, which is that of their opening. */
export const gapKey = (workspace: WorkspaceId, provider: ProviderInstanceId, gap: GapId | string) =>
  itemKey(gapPartition(workspace, provider), `GAP#${gap}`);

/** How the snapshots of one scope of a provider went; in the partition of the live snapshots, so that one query reads both. */
export const snapshotStatusKey = (workspace: WorkspaceId, provider: ProviderInstanceId, scope: ScopeId | '') =>
  itemKey(gapPartition(workspace, provider), `SNAPSHOT#${scope}`);

/** The gaps of a provider that are not over, and the revision that every write of a gap raises. */
export const currentGapsKey = (workspace: WorkspaceId, provider: ProviderInstanceId) =>
  itemKey(gapPartition(workspace, provider), 'STANDING');
