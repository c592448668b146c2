import type { WorkspaceId } from '../../../contract/ids.ts';
import { sortedBy } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import type { Delivery, DeliveryPlace } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import type { DueDeliveries, DueList } from '../../../domain/lineage/ingest/deliveries/ports.ts';
import { deliveryKey, dueIndexes, dueKey } from '../keys/delivery-keys.ts';
import { registry } from '../registry/registry.ts';
import { attributes } from '../requests/items.ts';
import { dueIn, dueUntil, queryEach, queryPages } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { changing, updateItem } from '../requests/update-item.ts';
import { isOpen } from './deliveries.ts';
import { receiptsAt } from './listed-deliveries.ts';
import { deliveryOf } from './small-payloads.ts';
import { isUnscheduled, unscheduledPages } from './unscheduled-deliveries.ts';

type WorkspaceList = () => Promise<readonly { readonly id: WorkspaceId }[]>;

const indexListsOf = (workspace: WorkspaceId) => dueIndexes(workspace).map((index) => ({ workspace, index }));

const queriesInFlight = 32;
const writesInFlight = 16;
const rowsPerPage = 200;

/** The open deliveries: those with a due time are in the due indexes, others in the list of all. */
export function dueDeliveries(
  table: Table,
  workspaces: WorkspaceList = () => registry(table).workspaces.all(),
): DueDeliveries {
  const everyIndex = async () => (await workspaces()).flatMap(({ id }) => indexListsOf(id));
  return {
    lists: async () =>
      shuffled((await workspaces()).flatMap(({ id }) => [...indexListsOf(id), { workspace: id, index: null }])),
    due: (list, now) => duePages(table, list, now),
    schedule: (places, dueAt) => schedule(table, places, dueAt),
    underWay: async () =>
      (await inParallel(queriesInFlight, await everyIndex(), ({ index }) => rowsUnderWay(table, index))).flat(),
    reschedule: async (delivery, now, dueAt) => {
      const { workspace_id, delivery_id } = delivery;
      const change = changing({
        set: attributes(dueKey(workspace_id, delivery_id, dueAt)),
        add: { resends: { N: '1' } },
        where: [isOpen, { name: 'gsi2sk', is: '<=', value: { S: dueUntil(now) }, orMissing: true }],
      });
      return (await updateItem(table, deliveryKey(workspace_id, delivery_id), change)).refused === null;
    },
  };
}

function rowsUnderWay(table: Table, shard: string): Promise<Delivery[]> {
  const query = {
    IndexName: 'gsi2',
    KeyConditionExpression: 'gsi2pk = :shard',
    FilterExpression: 'open_attempt IN (:shared, :exclusive)',
    ExpressionAttributeValues: attributes({ ':shard': shard, ':shared': 'shared', ':exclusive': 'exclusive' }),
  };
  return queryEach(table, query, deliveryOf);
}

const shuffled = <T>(items: readonly T[]): T[] => sortedBy(items, () => Math.random());

async function* duePages(table: Table, { workspace, index }: DueList, now: Date): AsyncGenerator<readonly Delivery[]> {
  const pages =
    index === null
      ? unscheduledPages(table, workspace, now)
      : queryPages(table, { ...dueIn(index, now.toISOString()), Limit: rowsPerPage });
  for await (const items of pages) yield items.map(deliveryOf);
}

async function schedule(table: Table, places: readonly DeliveryPlace[], dueAt: string): Promise<void> {
  const byWorkspace = Map.groupBy(places, ({ workspace_id }) => workspace_id);
  for (const [workspace, listed] of byWorkspace) {
    const receipts = await receiptsAt(table, workspace, listed);
    await inParallel(writesInFlight, receipts.filter(isUnscheduled), async (item) => {
      const { delivery_id } = deliveryOf(item);
      const set = attributes(dueKey(workspace, delivery_id, dueAt));
      const change = changing({ set, where: [isOpen, { name: 'gsi2pk', is: 'missing' }] });
      await updateItem(table, deliveryKey(workspace, delivery_id), change);
    });
  }
}
