import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { WorkspaceId } from '../../contract/ids.ts';
import { Activity } from '../../domain/providers/activity.ts';
import type { ProviderStore } from '../../domain/providers/ports.ts';
import { Provider, ProviderCounters, type ProviderRecord } from '../../domain/providers/provider.ts';
import { batchGet, type Item } from './batch-get.ts';
import { attributes, withoutDefaults } from './delivery-item.ts';
import { providerActivityKey, providerCountersKey, providerKey, providerPartition } from './keys/delivery-keys.ts';
import { queryAll } from './query-all.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** Providers over the table. */
export function providerStore(table: Table): ProviderStore {
  return {
    get: async (workspace, id) => {
      const keys = [providerKey(workspace, id), providerActivityKey(workspace, id), providerCountersKey(workspace, id)];
      return recordOf(await batchGet(table, keys, { consistent: true }));
    },
    create: (provider) => create(table, provider),
    setStatus: async (workspace, id, status, at) => {
      const { refused } = await updateItem(table, providerKey(workspace, id), {
        UpdateExpression: 'SET #status = :status, status_at = :at',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: attributes({ ':status': status, ':at': at }),
      });
      return refused === null;
    },
    list: (workspace, after) => list(table, workspace, after),
  };
}

export const providerOf = (item: Item): Provider => v.parse(Provider, unmarshall(item));

async function create(table: Table, provider: Provider): Promise<Provider> {
  const item = { ...providerKey(provider.workspace_id, provider.id), ...Object.fromEntries(withoutDefaults(provider)) };
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall(item),
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return provider;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException && error.Item) return providerOf(error.Item);
    throw error;
  }
}

/** A provider from the items that lie together under its id; null where it is not among them. */
function recordOf(items: readonly Item[]): ProviderRecord | null {
  const named = (ending: string) => items.find((item) => item['sk']?.S?.endsWith(ending));
  const provider = items.find((item) => !item['sk']?.S?.includes('#'));
  return provider
    ? {
        provider: providerOf(provider),
        activity: v.parse(Activity, unmarshall(named('#ACTIVITY') ?? {})),
        counters: v.parse(ProviderCounters, unmarshall(named('#COUNTERS') ?? {})),
      }
    : null;
}

async function* list(table: Table, workspace: WorkspaceId, after: string | null): AsyncGenerator<ProviderRecord> {
  let group: Item[] = [];
  for await (const item of rows(table, workspace, after)) {
    // A provider's own item comes first in its group.
    if (!item['sk']?.S?.includes('#') && group.length > 0) {
      const record = recordOf(group);
      if (record) yield record;
      group = [];
    }
    group.push(item);
  }
  const record = recordOf(group);
  if (record) yield record;
}

/** Three rows a provider: who wants a few providers does not pay for a megabyte of them. */
const rowsPerRequest = 600;

const rows = (table: Table, workspace: WorkspaceId, after: string | null): AsyncGenerator<Item> =>
  queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk > :after',
    // After an id, and after what lies under it.
    ExpressionAttributeValues: attributes({
      ':pk': providerPartition(workspace),
      ':after': after === null ? ' ' : `${after}~`,
    }),
    Limit: rowsPerRequest,
  });
