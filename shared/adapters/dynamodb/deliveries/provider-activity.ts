import { randomInt } from 'node:crypto';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { lruCache } from '../../../domain/base/caching.ts';
import { Activity, type ActivityLog, mergeActivity, noActivity } from '../../../domain/lineage/providers/activity.ts';
import { activityShards, providerActivityKey } from '../keys/delivery-keys.ts';
import type { Key } from '../keys/key.ts';
import { attributes, type Item, withoutDefaults } from '../requests/batch-get.ts';
import { mergedWrites } from '../requests/coalesced.ts';
import type { Table } from '../requests/table.ts';
import { backoff } from '../requests/transact.ts';
import { updateItem } from '../requests/update-item.ts';

/** What this process knows of one provider's activity: which item it writes, and what that holds. */
type Known = { shard: number | null; stored: Stored };
type Stored = { readonly activity: Activity; readonly version: number };

const nothingStored: Stored = { activity: noActivity, version: 0 };

/** A write of a provider follows the one before by so much: little compared with what a delivery takes, and several end in it. */
const pauseMs = 25;

/** Others' writes between a read and a write: so many in a row, and the process leaves the item to them. */
const refusalsToMove = 3;

/** Provider activity over the table, as `mergedWrites` has it; what is known already is not written again. */
export function activityLog(table: Table): ActivityLog {
  const providers = lruCache<string, Known>(10_000);
  const writes = mergedWrites<Activity>((all) => all.reduce(mergeActivity), { pauseMs });
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

/** Merges into what is stored, whoever else writes meanwhile. */
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

/** Writes over the version that was read; answers with the item that is there instead, null where it was written. */
async function replace(table: Table, key: Key, version: number, activity: Activity): Promise<Item | null> {
  const values = withoutDefaults({ ...activity, version: version + 1 });
  const { refused } = await updateItem(table, key, {
    UpdateExpression: `SET ${values.map((_, i) => `#n${i} = :v${i}`).join(', ')}`,
    ConditionExpression: version === 0 ? 'attribute_not_exists(pk)' : 'version = :version',
    ExpressionAttributeNames: Object.fromEntries(values.map(([name], i) => [`#n${i}`, name])),
    ExpressionAttributeValues: attributes({
      ...Object.fromEntries(values.map(([, value], i) => [`:v${i}`, value])),
      ...(version > 0 && { ':version': version }),
    }),
  });
  return refused;
}

const StoredItem = v.object({ ...Activity.entries, version: v.optional(v.number(), 0) });

function storedIn(item: Item): Stored {
  const { version, ...activity } = v.parse(StoredItem, unmarshall(item));
  return { activity, version };
}
