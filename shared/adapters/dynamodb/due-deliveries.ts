import type { ProviderInstanceId, WorkspaceId } from '../../contract/ids.ts';
import { idOrNull, ProviderInstanceId as ProviderInstanceIdSchema } from '../../contract/ids.ts';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import { type Delivery, openStates } from '../../domain/ingest/deliveries/delivery.ts';
import type { DueDeliveries } from '../../domain/ingest/deliveries/ports.ts';
import type { BacklogReader } from '../../domain/providers/ports.ts';
import { type Backlog, noBacklog } from '../../domain/providers/provider.ts';
import { sortedBy } from '../../domain/sorted-by.ts';
import type { Item } from './batch-get.ts';
import { attributes, deliveryOf } from './delivery-item.ts';
import { deliveryKey, dueIndex, dueKey, dueShards } from './keys/delivery-keys.ts';
import { queryAll, queryPages } from './query-all.ts';
import { registry } from './registry.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

const indexesOf = (workspace: WorkspaceId): string[] =>
  Array.from({ length: dueShards }, (_, shard) => dueIndex(workspace, shard));

/** Lists the workspaces whose deliveries are looked for. */
type WorkspaceList = () => Promise<readonly { readonly id: WorkspaceId }[]>;

const queriesInFlight = 32;
const rowsPerPage = 200;

/**
 * The open deliveries, which are those in the due indexes.
 *
 * @param workspaces all workspaces, where not those of the registry are meant
 */
export function dueDeliveries(
  table: Table,
  workspaces: WorkspaceList = () => registry(table).workspaces.all(),
): DueDeliveries {
  const everyIndex = async () => (await workspaces()).flatMap(({ id }) => indexesOf(id));
  return {
    lists: async () => shuffled(await everyIndex()),
    due: (list, now) => duePages(table, list, now),
    underWay: async () =>
      (await inParallel(queriesInFlight, await everyIndex(), (index) => rowsUnderWay(table, index))).flat(),
    reschedule: async (delivery, now, dueAt) => {
      const { gsi2sk } = dueKey(delivery.workspace_id, delivery.delivery_id, dueAt);
      const { refused } = await updateItem(table, deliveryKey(delivery.workspace_id, delivery.delivery_id), {
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

async function rowsUnderWay(table: Table, shard: string): Promise<Delivery[]> {
  const rows = queryAll(table, {
    IndexName: 'gsi2',
    KeyConditionExpression: 'gsi2pk = :shard',
    FilterExpression: 'open_attempt IN (:shared, :exclusive)',
    ExpressionAttributeValues: attributes({ ':shard': shard, ':shared': 'shared', ':exclusive': 'exclusive' }),
  });
  const found: Delivery[] = [];
  for await (const row of rows) found.push(deliveryOf(row));
  return found;
}

/** After every place of that moment. */
const until = (now: string) => `${now}~`;

const shuffled = <T>(items: readonly T[]): T[] => sortedBy(items, () => Math.random());

async function* duePages(table: Table, list: string, now: string): AsyncGenerator<readonly Delivery[]> {
  const pages = queryPages(table, {
    IndexName: 'gsi2',
    KeyConditionExpression: 'gsi2pk = :list AND gsi2sk <= :now',
    ExpressionAttributeValues: attributes({ ':list': list, ':now': until(now) }),
    Limit: rowsPerPage,
  });
  for await (const items of pages) yield items.map(deliveryOf);
}

/** Backlogs, counted from the open deliveries themselves, so that no counter can drift. */
export function backlogReader(table: Table): BacklogReader {
  return {
    backlogs: async (workspace) => {
      const backlogs = new Map<ProviderInstanceId, Backlog>();
      await Promise.all(
        indexesOf(workspace).map(async (index) => {
          for await (const item of openRows(table, index)) addTo(backlogs, item);
        }),
      );
      return backlogs;
    },
  };
}

const openRows = (table: Table, index: string): AsyncGenerator<Item> =>
  queryAll(table, {
    IndexName: 'gsi2',
    KeyConditionExpression: 'gsi2pk = :index',
    ProjectionExpression: 'provider_instance_id, received_at',
    ExpressionAttributeValues: attributes({ ':index': index }),
  });

function addTo(backlogs: Map<ProviderInstanceId, Backlog>, item: Item): void {
  const provider = idOrNull(ProviderInstanceIdSchema, item['provider_instance_id']?.S ?? '');
  const receivedAt = item['received_at']?.S;
  if (provider === null || receivedAt === undefined) return;
  const { count, oldest, newest } = backlogs.get(provider) ?? noBacklog;
  backlogs.set(provider, {
    count: count + 1,
    oldest: oldest !== null && oldest < receivedAt ? oldest : receivedAt,
    newest: newest !== null && newest > receivedAt ? newest : receivedAt,
  });
}
