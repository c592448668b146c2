import { setTimeout as delay } from 'node:timers/promises';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { ProviderInstanceId, WorkspaceId } from '../../contract/ids.ts';
import { Activity, type ActivityLog, mergeActivity, noActivity } from '../../domain/providers/activity.ts';
import type { Item } from './batch-get.ts';
import { attributes, stated } from './delivery-item.ts';
import { providerActivityKey } from './keys.ts';
import type { Meter, Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** What this process knows of one provider's activity, and what waits to be written. */
type Lane = {
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
export function activityLog(table: Table, meter?: Meter): ActivityLog {
  const lanes = new LRUCache<string, Lane>({ max: 10_000 });
  return {
    record: ({ workspace_id, provider_instance_id }, activity) => {
      const name = `${workspace_id} ${provider_instance_id}`;
      const lane = lanes.get(name) ?? newLane();
      lanes.set(name, lane);
      lane.waiting = mergeActivity(lane.waiting, activity);
      lane.next ??= lane.writing.then(() => {
        const due = lane.waiting;
        const write = store({ table, meter }, lane, workspace_id, provider_instance_id, due);
        lane.waiting = noActivity;
        lane.next = null;
        // Whoever waits for this write sees its failure; the next one only waits for its end.
        lane.writing = Promise.all([write.catch(() => undefined), delay(pauseMs)]).then(() => undefined);
        return write;
      });
      return lane.next;
    },
  };
}

const newLane = (): Lane => ({
  stored: { activity: noActivity, version: 0 },
  waiting: noActivity,
  next: null,
  writing: Promise.resolve(),
});

/** Merges into what is stored, whoever else writes meanwhile. */
async function store(
  target: { readonly table: Table; readonly meter?: Meter | undefined },
  lane: Lane,
  workspace: WorkspaceId,
  provider: ProviderInstanceId,
  activity: Activity,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { version } = lane.stored;
    const merged = mergeActivity(lane.stored.activity, activity);
    if (JSON.stringify(merged) === JSON.stringify(lane.stored.activity)) return;
    const values = stated({ ...merged, version: version + 1 });
    const { refused } = await updateItem(target, providerActivityKey(workspace, provider), {
      UpdateExpression: `SET ${values.map((_, i) => `#n${i} = :v${i}`).join(', ')}`,
      ConditionExpression: version === 0 ? 'attribute_not_exists(pk)' : 'version = :version',
      ExpressionAttributeNames: Object.fromEntries(values.map(([name], i) => [`#n${i}`, name])),
      ExpressionAttributeValues: attributes({
        ...Object.fromEntries(values.map(([, value], i) => [`:v${i}`, value])),
        ...(version > 0 && { ':version': version }),
      }),
    });
    lane.stored = refused === null ? { activity: merged, version: version + 1 } : storedIn(refused);
    if (refused === null) return;
    if (attempt > 2) await delay(Math.random() * 20 * attempt);
  }
}

const Stored = v.object({ ...Activity.entries, version: v.optional(v.number(), 0) });

function storedIn(item: Item): Lane['stored'] {
  const { version, ...activity } = v.parse(Stored, unmarshall(item));
  return { activity, version };
}
