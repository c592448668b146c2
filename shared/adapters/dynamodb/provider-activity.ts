import { setTimeout as delay } from 'node:timers/promises';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { Activity, type ActivityLog, mergeActivity, noActivity } from '../../domain/providers/activity.ts';
import { backoff } from './backoff.ts';
import type { Item } from './batch-get.ts';
import { attributes, withoutDefaults } from './delivery-item.ts';
import { providerActivityKey } from './keys/delivery-keys.ts';
import type { Key } from './keys/key.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** What this process knows of one provider's activity, and what waits to be written. */
type ProviderWriter = {
  stored: { readonly activity: Activity; readonly version: number };
  waiting: Activity;
  /** The write that takes what waits now, where one is due already. */
  next: Promise<void> | null;
  writing: Promise<void>;
};

/** A write of a provider follows the one before by so much: little beside what a delivery takes, and several end in it. */
const pauseMs = 25;

/**
 * Provider activity over the table. Between two writes all that comes is merged into the next, so that a busy provider
 * costs a few writes a second and not one a delivery; what is known already is not written again.
 */
export function activityLog(table: Table): ActivityLog {
  const writers = new LRUCache<string, ProviderWriter>({ max: 10_000 });
  return {
    record: ({ workspace_id, provider_instance_id }, activity) => {
      const name = `${workspace_id} ${provider_instance_id}`;
      const writer = writers.get(name) ?? newProviderWriter();
      writers.set(name, writer);
      writer.waiting = mergeActivity(writer.waiting, activity);
      writer.next ??= writer.writing.then(() => {
        const due = writer.waiting;
        const write = store(table, writer, providerActivityKey(workspace_id, provider_instance_id), due);
        writer.waiting = noActivity;
        writer.next = null;
        // Whoever waits for this write sees its failure; the next one only waits for its end.
        writer.writing = Promise.all([write.catch(() => undefined), delay(pauseMs)]).then(() => undefined);
        return write;
      });
      return writer.next;
    },
  };
}

const newProviderWriter = (): ProviderWriter => ({
  stored: { activity: noActivity, version: 0 },
  waiting: noActivity,
  next: null,
  writing: Promise.resolve(),
});

/** Merges into what is stored, whoever else writes meanwhile. */
async function store(table: Table, writer: ProviderWriter, key: Key, activity: Activity): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { version } = writer.stored;
    const merged = mergeActivity(writer.stored.activity, activity);
    if (JSON.stringify(merged) === JSON.stringify(writer.stored.activity)) return;
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
    writer.stored = refused === null ? { activity: merged, version: version + 1 } : storedIn(refused);
    if (refused === null) return;
    // Somebody else's write went through, so this ends; many writers of one provider take turns sooner at random times.
    if (attempt > 2) await backoff(Math.min(attempt - 2, 4));
  }
}

const Stored = v.object({ ...Activity.entries, version: v.optional(v.number(), 0) });

function storedIn(item: Item): ProviderWriter['stored'] {
  const { version, ...activity } = v.parse(Stored, unmarshall(item));
  return { activity, version };
}
