import {
  idOrNull,
  type ProviderInstanceId,
  ProviderInstanceId as ProviderInstanceIdSchema,
  type WorkspaceId,
} from '../../../contract/ids.ts';
import { type Backlog, type BacklogReader, noBacklog } from '../../../domain/lineage/providers/provider.ts';
import { dueIndexes } from '../keys/delivery-keys.ts';
import { attributes, type Item } from '../requests/items.ts';
import { queryAll } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { oldestUnscheduled, unscheduledSince } from './unscheduled-deliveries.ts';

export function backlogReader(table: Table): BacklogReader {
  return {
    backlogs: async (workspace) => {
      const backlogs = new Map<ProviderInstanceId, Backlog>();
      const count = async (open: AsyncIterable<Item>) => {
        for await (const item of open) addTo(backlogs, item);
      };
      const scheduled = dueIndexes(workspace).map((index) => count(openRows(table, index)));
      await Promise.all([...scheduled, count(unscheduledSince(table, workspace))]);
      return backlogs;
    },
  };
}

/** When the oldest delivery was received that was accepted and waits; null if none does. `from`: before that none did that no due list has. */
export async function oldestWaiting(table: Table, workspace: WorkspaceId, from: string | null): Promise<string | null> {
  const times: string[] = [];
  const scheduled = dueIndexes(workspace).map(async (index) => {
    for await (const { received_at } of openRows(table, index)) if (received_at?.S) times.push(received_at.S);
  });
  const [unscheduled] = await Promise.all([oldestUnscheduled(table, workspace, from), ...scheduled]);
  return [...times, ...(unscheduled === null ? [] : [unscheduled])].sort()[0] ?? null;
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
