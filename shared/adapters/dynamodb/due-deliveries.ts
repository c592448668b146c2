import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { ProviderInstanceId, WorkspaceId } from '../../contract/ids.ts';
import {
  idOrNull,
  ProviderInstanceId as ProviderInstanceIdSchema,
  WorkspaceId as WorkspaceIdSchema,
} from '../../contract/ids.ts';
import { openStates } from '../../domain/deliveries/delivery.ts';
import type { DueDeliveries } from '../../domain/deliveries/ports.ts';
import type { BacklogReader } from '../../domain/providers/ports.ts';
import { type Backlog, noBacklog } from '../../domain/providers/provider.ts';
import type { Item } from './batch-get.ts';
import { attributes, deliveryOf } from './delivery-item.ts';
import { deliveryKey, dueIndex, dueKey, dueShards } from './keys.ts';
import { queryAll } from './query-all.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

const shards = Array.from({ length: dueShards }, (_, shard) => dueIndex(shard));

/** The open deliveries, which are those in the due index. */
export function dueDeliveries(table: Table): DueDeliveries {
  return {
    due: async (now, limit) => {
      const each = Math.ceil(limit / dueShards);
      const pages = await Promise.all(shards.map((shard) => firstRows(table, shard, now, each)));
      return pages.flat().map(deliveryOf);
    },
    postpone: async (delivery, now, dueAt) => {
      const { gsi2sk } = dueKey(delivery.delivery_id, dueAt);
      const { refused } = await updateItem({ table }, deliveryKey(delivery.workspace_id, delivery.delivery_id), {
        UpdateExpression: 'SET gsi2sk = :at ADD resends :one',
        ConditionExpression: '#state IN (:s0, :s1) AND gsi2sk <= :now',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: attributes({
          ':at': gsi2sk,
          ':one': 1,
          ':now': until(now),
          ':s0': openStates[0],
          ':s1': openStates[1],
        }),
      });
      return refused === null;
    },
  };
}

/** After every place of that moment. */
const until = (now: string) => `${now}~`;

async function firstRows(table: Table, shard: string, now: string, limit: number): Promise<Item[]> {
  const answer = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'gsi2',
      KeyConditionExpression: 'gsi2pk = :shard AND gsi2sk <= :now',
      ExpressionAttributeValues: attributes({ ':shard': shard, ':now': until(now) }),
      Limit: limit,
    }),
  );
  return answer.Items ?? [];
}

/** Backlogs, counted from the open deliveries themselves, so that no counter can drift. */
export function backlogReader(table: Table): BacklogReader {
  return {
    backlogs: async (workspace) => (await readBacklogs(table, workspace)).get(workspace) ?? new Map(),
    allBacklogs: () => readBacklogs(table, null),
  };
}

type Backlogs = Map<WorkspaceId, Map<ProviderInstanceId, Backlog>>;

/** @param workspace null: all. */
async function readBacklogs(table: Table, workspace: WorkspaceId | null): Promise<Backlogs> {
  const backlogs: Backlogs = new Map();
  await Promise.all(
    shards.map(async (shard) => {
      for await (const item of openRows(table, shard, workspace)) addTo(backlogs, item);
    }),
  );
  return backlogs;
}

const openRows = (table: Table, shard: string, workspace: WorkspaceId | null): AsyncGenerator<Item> =>
  queryAll(table, {
    IndexName: 'gsi2',
    KeyConditionExpression: 'gsi2pk = :shard',
    ...(workspace !== null && { FilterExpression: 'workspace_id = :workspace' }),
    ProjectionExpression: 'workspace_id, provider_instance_id, received_at',
    ExpressionAttributeValues: attributes({ ':shard': shard, ':workspace': workspace ?? undefined }),
  });

function addTo(all: Backlogs, item: Item): void {
  const workspace = idOrNull(WorkspaceIdSchema, item['workspace_id']?.S ?? '');
  const provider = idOrNull(ProviderInstanceIdSchema, item['provider_instance_id']?.S ?? '');
  const receivedAt = item['received_at']?.S;
  if (workspace === null || provider === null || receivedAt === undefined) return;
  const backlogs = all.get(workspace) ?? new Map<ProviderInstanceId, Backlog>();
  all.set(workspace, backlogs);
  const { count, oldest, newest } = backlogs.get(provider) ?? noBacklog;
  backlogs.set(provider, {
    count: count + 1,
    oldest: oldest !== null && oldest < receivedAt ? oldest : receivedAt,
    newest: newest !== null && newest > receivedAt ? newest : receivedAt,
  });
}
