import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { lruCache } from '../../domain/lru-cache.ts';
import { Activity, type ActivityLog, mergeActivity, noActivity } from '../../domain/providers/activity.ts';
import { mergedWrites } from '../merged-writes.ts';
import { backoff } from './backoff.ts';
import type { Item } from './batch-get.ts';
import { attributes, withoutDefaults } from './delivery-item.ts';
import { providerActivityKey } from './keys/delivery-keys.ts';
import type { Key } from './keys/key.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** What this process knows of one provider's activity. */
type Known = { stored: { readonly activity: Activity; readonly version: number } };

/** A write of a provider follows the one before by so much: little compared with what a delivery takes, and several end in it. */
const pauseMs = 25;

/** Provider activity over the table, as `mergedWrites` has it; what is known already is not written again. */
export function activityLog(table: Table): ActivityLog {
  const providers = lruCache<string, Known>(10_000);
  const writes = mergedWrites(mergeActivity, pauseMs);
  return {
    record: ({ workspace_id, provider_instance_id }, activity) => {
      const name = `${workspace_id} ${provider_instance_id}`;
      const known = providers.get(name) ?? { stored: { activity: noActivity, version: 0 } };
      providers.set(name, known);
      const key = providerActivityKey(workspace_id, provider_instance_id);
      return writes(name, activity, (merged) => store(table, known, key, merged));
    },
  };
}

/** Merges into what is stored, whoever else writes meanwhile. */
async function store(table: Table, known: Known, key: Key, activity: Activity): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { version } = known.stored;
    const merged = mergeActivity(known.stored.activity, activity);
    if (JSON.stringify(merged) === JSON.stringify(known.stored.activity)) return;
    const values = withoutDefaults({ ...merged, version: version + 1 });
    const { refused } = await updateItem(table, key, {
      UpdateExpression: `SET ${values.map((_, i) => `#n${i} = :v${i}`).join(', ')}`,
      ConditionExpression: version === 0 ? 'attribute_not_exists(pk)' : 'version = :version',
      ExpressionAttributeNames: Object.fromEntries(values.map(([name], i) => [`#n${i}`, name])),
      ExpressionAttributeValues: attributes({
        ...Object.fromEntries(values.map(([, value], i) => [`:v${i}`, value])),
        ...(version > 0 && { ':version': version }),
      }),
    });
    known.stored = refused === null ? { activity: merged, version: version + 1 } : storedIn(refused);
    if (refused === null) return;
    // Somebody else's write went through, so this ends; many writers of one provider take turns sooner at random times.
    if (attempt > 2) await backoff(Math.min(attempt - 2, 4));
  }
}

const Stored = v.object({ ...Activity.entries, version: v.optional(v.number(), 0) });

function storedIn(item: Item): Known['stored'] {
  const { version, ...activity } = v.parse(Stored, unmarshall(item));
  return { activity, version };
}
