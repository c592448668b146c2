import { createHash } from 'node:crypto';
import type {
  CollectionProjectId,
  ConnectorId,
  DeliveryId,
  GapId,
  ProviderInstanceId,
  UploadId,
  WorkspaceId,
} from '../../contract/ids.ts';
import type { Side } from '../../domain/graph/claim.ts';
import { type NodeId, type ScopeId, shardCount, shardOf } from '../../domain/graph/ids.ts';
import type { Order } from '../../domain/graph/order.ts';

/**
 * Every key of the tables, and nothing else spells one. Each takes a branded WorkspaceId first,
 * so that a key across workspaces cannot be written; the ids hold no `#`.
 */
export type Key = { readonly pk: string; readonly sk: string };

/** The key of an item as it was read. */
export const keyOf = (item: Readonly<Record<string, { readonly S?: string | undefined }>>): Key => ({
  pk: item['pk']?.S ?? '',
  sk: item['sk']?.S ?? '',
});

/** A key as one text, to tell items apart. */
export const keyName = ({ pk, sk }: Key): string => `${pk} ${sk}`;

// ---- Graph (design: scope floors and neighbour pages) ----

const twoDigits = (n: number) => String(n).padStart(2, '0');
const sideLetter = { out: 'O', in: 'I' } as const;

/** A node: its name, its facts and pages 0 of both its sides; one shard is one walk over its nodes. */
export const nodeKey = (workspace: WorkspaceId, node: NodeId): Key => ({
  pk: nodeShard(workspace, shardOf(node)),
  sk: `${node}#00000`,
});

/** A page of a node's neighbours on one side; page 0 is part of the node's item. */
export const pageKey = (workspace: WorkspaceId, side: Side, node: NodeId, page: number): Key =>
  page === 0
    ? nodeKey(workspace, node)
    : {
        pk: `W#${workspace}#${sideLetter[side]}B#${twoDigits((shardOf(node) + page) % shardCount)}`,
        sk: `${node}#${String(page).padStart(5, '0')}`,
      };

/** Where a page's dead claims are kept for the retention of history. */
export const historyPageKey = (workspace: WorkspaceId, side: Side, node: NodeId, page: number): Key => {
  const current = pageKey(workspace, side, node, page);
  return { pk: `${current.pk}#H`, sk: current.sk };
};

/** The partition of all nodes of one shard, in their order. */
export const nodeShard = (workspace: WorkspaceId, shard: number): string => `W#${workspace}#G#${twoDigits(shard)}`;

/** The partition of the cold pages beside them. */
export const historyNodeShard = (workspace: WorkspaceId, shard: number): string => `${nodeShard(workspace, shard)}#H`;

/** What is past all sort keys that begin with a node. */
export const afterNode = (node: NodeId): string => `${node}#~`;

/** Every partition of a shard that holds nodes and pages, current and cold. */
export const graphShards = (workspace: WorkspaceId, shard: number): string[] =>
  ['G', 'OB', 'IB'].flatMap((letters) => {
    const current = `W#${workspace}#${letters}#${twoDigits(shard)}`;
    return [current, `${current}#H`];
  });

/** What one scope knows of the edges to a node beyond their existence. */
export const nodeDetailsKey = (workspace: WorkspaceId, to: NodeId, scope: ScopeId): Key => ({
  pk: edgeDetailShard(workspace, shardOf(to)),
  sk: `${to}#${scope}`,
});

/** The same of one edge alone, where the node's item is wide. */
export const edgeDetailKey = (workspace: WorkspaceId, from: NodeId, to: NodeId, scope: ScopeId): Key => {
  const { pk, sk } = nodeDetailsKey(workspace, to, scope);
  return { pk, sk: `${sk}#${from}` };
};

export const edgeDetailShard = (workspace: WorkspaceId, shard: number): string =>
  `W#${workspace}#C#${twoDigits(shard)}`;

/** A part of a detail too long for its item; `version` names its content, and the order it came under. */
export const edgeDetailPartKey = ({ pk, sk }: Key, version: string, part: number): Key => ({
  pk,
  sk: `${sk}#${version}#${part}`,
});

export const scopeHeadKey = (workspace: WorkspaceId, scope: ScopeId): Key => ({
  pk: `W#${workspace}#S#${scope}`,
  sk: 'HEAD',
});

/** Where a scope's head and orders lie, and how the orders' sort keys begin. */
export const scopePartition = (workspace: WorkspaceId, scope: ScopeId) => ({
  pk: scopeHeadKey(workspace, scope).pk,
  ordersFrom: 'H#',
});

/** The heads of a workspace, listed by scope key. */
export const scopeHeadIndex = (workspace: WorkspaceId): string => `W#${workspace}#SCOPES`;

/** What the scope keys of a connector's snapshots begin with in that list: C-DECLARED-3. */
export const connectorScopePrefix = (connector: ConnectorId): string => `connector:${connector}:`;

/** One order of a scope: when it took effect, and where its edges are listed. */
export const scopeOrderKey = (workspace: WorkspaceId, scope: ScopeId, order: Order): Key => ({
  pk: `W#${workspace}#S#${scope}`,
  sk: `H#${order}`,
});

const deadShards = 4;
const shardOfScope = (scope: ScopeId): string => twoDigits(scope.charCodeAt(0) % deadShards);
const indexesOf = (name: string) => Array.from({ length: deadShards }, (_, shard) => `${name}#${twoDigits(shard)}`);

/** Where in the due index an order waits whose claims are dead, by when they died; spread, for each event of a job makes one. */
export const pruneKey = (scope: ScopeId, at: string) => ({ gsi2pk: `PRUNE#${shardOfScope(scope)}`, gsi2sk: at });
export const pruneIndexes: readonly string[] = indexesOf('PRUNE');

/** Where in the due index an order waits whose claims are history, by when they are to be forgotten. */
export const forgetKey = (scope: ScopeId, at: string) => ({ gsi2pk: `FORGET#${shardOfScope(scope)}`, gsi2sk: at });
export const forgetIndexes: readonly string[] = indexesOf('FORGET');

/** What is known of one run of a job; the runs of a job lie together. */
export const runKey = (workspace: WorkspaceId, job: ScopeId, runId: string): Key => ({
  pk: runPartition(workspace, job),
  sk: `R#${runId}`,
});

export const runPartition = (workspace: WorkspaceId, job: ScopeId): string => `W#${workspace}#J#${job}`;

/** A part of what events of one run said, where that is too long for the run's item. */
export const runContentKey = (
  workspace: WorkspaceId,
  job: ScopeId,
  runId: string,
  digest: string,
  part: number,
): Key => ({
  pk: runKey(workspace, job, runId).pk,
  sk: `C#${runId}#${digest}#${part}`,
});

// ---- Ledger of event ids (its own table, pk alone) ----

/** An event id's claim: hashed, because an id may hold any character and the parts have to stay apart. */
export const eventClaimKey = (
  workspace: WorkspaceId,
  project: CollectionProjectId,
  environment: string,
  id: string,
) => ({
  pk: `E#${createHash('sha256')
    .update(JSON.stringify([workspace, project, environment, id]))
    .digest('base64url')}`,
});

/** Whether a run of the event store has committed or was abandoned; a run is no workspace's, and its id a fresh UUID. */
export const storeRunKey = (runId: string) => ({ pk: `R#${runId}` });

// ---- Deliveries and providers ----

/** Lists are spread over so many partitions of the index, and merged. */
export const deliveryListShards = 8;
export const dueShards = 4;

const shardOfDelivery = (delivery: DeliveryId) => Number.parseInt(delivery.slice(0, 2), 16);

export const deliveryKey = (workspace: WorkspaceId, delivery: DeliveryId): Key => ({
  pk: `W#${workspace}#R#${delivery}`,
  sk: 'META',
});

/** What leads from the id of a content to the first delivery of it that has a key. */
export const keyedContentKey = (workspace: WorkspaceId, contentId: DeliveryId): Key => ({
  pk: `W#${workspace}#R#${contentId}`,
  sk: 'KEYED',
});

export const quarantineKey = (workspace: WorkspaceId, delivery: DeliveryId): Key => ({
  pk: `W#${workspace}#R#${delivery}`,
  sk: 'QUARANTINE',
});

export const deliveryListIndex = (workspace: WorkspaceId, shard: number): string => `W#${workspace}#D#${shard}`;

/** A delivery's place in the list of its workspace, by time of receipt. */
export const deliveryListKey = (workspace: WorkspaceId, delivery: DeliveryId, receivedAt: string) => ({
  gsi1pk: deliveryListIndex(workspace, shardOfDelivery(delivery) % deliveryListShards),
  gsi1sk: `${receivedAt}#${delivery}`,
});

export const dueIndex = (workspace: WorkspaceId, shard: number): string => `W#${workspace}#DUE#${shard}`;

/** An open delivery's place among those of its workspace, by when to look at it again. */
export const dueKey = (workspace: WorkspaceId, delivery: DeliveryId, dueAt: string) => ({
  gsi2pk: dueIndex(workspace, shardOfDelivery(delivery) % dueShards),
  gsi2sk: `${dueAt}#${delivery}`,
});

export const heldIndex = (workspace: WorkspaceId): string => `W#${workspace}#HELD`;

/** A held delivery's place among those of its workspace that wait for an administrator. */
export const heldKey = (workspace: WorkspaceId, delivery: DeliveryId, receivedAt: string) => ({
  gsi2pk: heldIndex(workspace),
  gsi2sk: `${receivedAt}#${delivery}`,
});

/** A provider and what is known of it lie together, in the order of ids. */
export const providerKey = (workspace: WorkspaceId, provider: ProviderInstanceId): Key => ({
  pk: providerPartition(workspace),
  sk: provider,
});

export const providerActivityKey = (workspace: WorkspaceId, provider: ProviderInstanceId): Key => ({
  pk: providerPartition(workspace),
  sk: `${provider}#ACTIVITY`,
});

export const providerCountersKey = (workspace: WorkspaceId, provider: ProviderInstanceId): Key => ({
  pk: providerPartition(workspace),
  sk: `${provider}#COUNTERS`,
});

export const providerPartition = (workspace: WorkspaceId): string => `W#${workspace}#P`;

/** An announced upload. */
export const uploadKey = (workspace: WorkspaceId, upload: UploadId): Key => ({
  pk: `W#${workspace}#U#${upload}`,
  sk: 'UPLOAD',
});

const gapPartition = (workspace: WorkspaceId, provider: ProviderInstanceId): string => `W#${workspace}#Q#${provider}`;

/** The gaps of a provider lie in the order of their ids, which is that of their opening. */
export const gapKey = (workspace: WorkspaceId, provider: ProviderInstanceId, gap: GapId | string): Key => ({
  pk: gapPartition(workspace, provider),
  sk: `GAP#${gap}`,
});

/** How the snapshots of one scope of a provider went; beside what stands, so that one query reads both. */
export const snapshotStatusKey = (workspace: WorkspaceId, provider: ProviderInstanceId, scope: ScopeId | ''): Key => ({
  pk: gapPartition(workspace, provider),
  sk: `SNAPSHOT#${scope}`,
});

/** The gaps of a provider that are not over, and the revision that every write of a gap raises. */
export const currentGapsKey = (workspace: WorkspaceId, provider: ProviderInstanceId): Key => ({
  pk: gapPartition(workspace, provider),
  sk: 'STANDING',
});

// ---- Policies ----

const policyPartition = (workspace: WorkspaceId, connector: ConnectorId): string => `W#${workspace}#Y#${connector}`;

/** The whole policy that holds now, so that a read is judged after one batch get. */
export const policyHeadKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: policyPartition(workspace, connector),
  sk: 'HEAD',
});

/** Revisions lie in their order; `BETWEEN` the keys of 0 and of one is all up to it. */
export const policyRevisionKey = (workspace: WorkspaceId, connector: ConnectorId, revision: number): Key => ({
  pk: policyPartition(workspace, connector),
  sk: `V#${String(revision).padStart(10, '0')}`,
});

export const recountKey = (workspace: WorkspaceId, connector: ConnectorId): Key => ({
  pk: policyPartition(workspace, connector),
  sk: 'RECOUNT',
});

/** The partition of the due index that lists recounts that are not done. */
export const recountIndex = 'RECOUNT';

export const recountDueKey = (workspace: WorkspaceId, connector: ConnectorId, dueAt: string) => ({
  gsi2pk: recountIndex,
  gsi2sk: `${dueAt}#${workspace}#${connector}`,
});
