import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { Activity, mergeActivity, noActivity } from '../../../domain/lineage/providers/activity.ts';
import {
  addCounters,
  noCounters,
  Provider,
  ProviderCounters,
  type ProviderRecord,
  type ProviderStore,
} from '../../../domain/lineage/providers/provider.ts';
import { isActivity, isCounters, isProvider, providerKey, providerPartition } from '../keys/delivery-keys.ts';
import { keyOf } from '../keys/key.ts';
import { attributes, type Item, withoutDefaults } from '../requests/batch-get.ts';
import { queryAll, queryPrefix } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { updateItem } from '../requests/update-item.ts';

/** Providers over the table. */
export function providerStore(table: Table): ProviderStore {
  return {
    get: async (workspace, id) => {
      const { pk, sk } = providerKey(workspace, id);
      const { items } = await queryPrefix(table, {
        pk,
        prefix: sk,
        after: null,
        limit: rowsPerRequest,
        consistent: true,
      });
      return recordOf(items);
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
  const provider = items.find((item) => isProvider(keyOf(item)));
  if (!provider) return null;
  const activities = items.filter((item) => isActivity(keyOf(item))).map((item) => v.parse(Activity, unmarshall(item)));
  const counters = items
    .filter((item) => isCounters(keyOf(item)))
    .map((item) => v.parse(ProviderCounters, unmarshall(item)));
  return {
    provider: providerOf(provider),
    activity: activities.reduce(mergeActivity, noActivity),
    counters: counters.reduce(addCounters, noCounters),
  };
}

async function* list(table: Table, workspace: WorkspaceId, after: string | null): AsyncGenerator<ProviderRecord> {
  let group: Item[] = [];
  for await (const item of rows(table, workspace, after)) {
    // A provider's own item comes first in its group.
    if (isProvider(keyOf(item)) && group.length > 0) {
      const record = recordOf(group);
      if (record) yield record;
      group = [];
    }
    group.push(item);
  }
  const record = recordOf(group);
  if (record) yield record;
}

/** Some rows a provider, tens of a busy one: who wants a few providers does not pay for a megabyte of them. */
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
