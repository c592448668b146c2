import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { lruCache } from '../../../domain/base/caching.ts';
import { mergedRuns } from '../../../domain/base/concurrency.ts';
import { Activity, type ActivityLog, mergeActivity, noActivity } from '../../../domain/lineage/providers/activity.ts';
import {
  addCounters,
  noCounters,
  Provider,
  ProviderCounters,
  type ProviderRecord,
  type ProviderStore,
} from '../../../domain/lineage/providers/provider.ts';
import {
  activityShards,
  afterEvidenceMark,
  isActivity,
  isCounters,
  isProvider,
  providerActivityKey,
  providerKey,
  providerPartition,
} from '../keys/delivery-keys.ts';
import { type Key, keyOf } from '../keys/registry-keys.ts';
import { attributes, type Item, ifAbsent, putItem, withoutDefaults } from '../requests/items.ts';
import { queryAll, queryPrefix } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { backoff } from '../requests/transact.ts';
import { changing, equal, exists, updateItem } from '../requests/update-item.ts';

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
      const change = changing({ set: attributes({ status, status_at: at }), where: [exists] });
      return (await updateItem(table, providerKey(workspace, id), change)).refused === null;
    },
    list: (workspace, after) => list(table, workspace, after),
  };
}

export const providerOf = (item: Item): Provider => v.parse(Provider, unmarshall(item));

async function create(table: Table, provider: Provider): Promise<Provider> {
  const item = { ...providerKey(provider.workspace_id, provider.id), ...Object.fromEntries(withoutDefaults(provider)) };
  const existing = await putItem(table, marshall(item), ifAbsent);
  return existing ? providerOf(existing) : provider;
}

/** A provider from the items that lie together under its id; null if it is not among them. */
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

const list = (table: Table, workspace: WorkspaceId, after: string | null): AsyncGenerator<ProviderRecord> =>
  // After an id, and after what lies under it.
  recordsIn(providerRows(table, workspace, after === null ? afterEvidenceMark : `${after}~`));

export async function* recordsIn(rows: AsyncIterable<Item>): AsyncGenerator<ProviderRecord> {
  let group: Item[] = [];
  for await (const item of rows) {
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

export const providerRows = (
  table: Table,
  workspace: WorkspaceId,
  after: string,
  consistent = false,
): AsyncGenerator<Item> =>
  queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk > :after',
    ExpressionAttributeValues: attributes({ ':pk': providerPartition(workspace), ':after': after }),
    Limit: rowsPerRequest,
    ConsistentRead: consistent,
  });

/** What this process knows of one provider's activity: which item it writes, and what that holds. */
type Known = { shard: number | null; stored: Stored };
type Stored = { readonly activity: Activity; readonly version: number };

const nothingStored: Stored = { activity: noActivity, version: 0 };

/** The minimum interval between writes of a provider: short compared with a delivery, and several can share a write. */
const pauseMs = 25;

/** Others' writes between a read and a write: this many in a row, and the process leaves the item to them. */
const refusalsToMove = 3;

/** Provider activity over the table, as `mergedRuns` has it; what is known already is not written again. */
export function activityLog(table: Table): ActivityLog {
  const providers = lruCache<string, Known>(10_000);
  const writes = mergedRuns<Activity, void>((all) => all.reduce(mergeActivity), { pause: () => delay(pauseMs) });
  return {
    record: ({ workspace_id, provider_instance_id }, activity) => {
      const name = `${workspace_id} ${provider_instance_id}`;
      const known = providers.get(name) ?? { shard: null, stored: nothingStored };
      providers.set(name, known);
      const keyIn = (shard: number | null) => providerActivityKey(workspace_id, provider_instance_id, shard);
      return writes(name, activity, (merged) => store(table, known, keyIn, merged));
    },
  };
}

async function store(
  table: Table,
  known: Known,
  keyIn: (shard: number | null) => Key,
  activity: Activity,
): Promise<void> {
  for (let refusals = 0; ; refusals++) {
    if (refusals === refusalsToMove) Object.assign(known, { shard: randomInt(activityShards), stored: nothingStored });
    // Somebody else's write went through, so this ends; many writers of one item take turns sooner at random times.
    if (refusals > refusalsToMove) await backoff(Math.min(refusals - refusalsToMove, 4));
    const merged = mergeActivity(known.stored.activity, activity);
    if (JSON.stringify(merged) === JSON.stringify(known.stored.activity)) return;
    const refused = await replace(table, keyIn(known.shard), known.stored.version, merged);
    known.stored = refused === null ? { activity: merged, version: known.stored.version + 1 } : storedIn(refused);
    if (refused === null) return;
  }
}

/** Writes over the version that was read; answers with the item that is there instead, null if it was written. */
async function replace(table: Table, key: Key, version: number, activity: Activity): Promise<Item | null> {
  const set = attributes(Object.fromEntries(withoutDefaults({ ...activity, version: version + 1 })));
  const asRead = version === 0 ? ({ name: 'pk', is: 'missing' } as const) : equal('version', { N: String(version) });
  const { refused } = await updateItem(table, key, changing({ set, where: [asRead] }));
  return refused;
}

const StoredItem = v.object({ ...Activity.entries, version: v.optional(v.number(), 0) });

function storedIn(item: Item): Stored {
  const { version, ...activity } = v.parse(StoredItem, unmarshall(item));
  return { activity, version };
}
