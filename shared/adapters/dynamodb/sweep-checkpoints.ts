import type { SweepCheckpoints } from '../../domain/operations/sweep/checkpoints.ts';
import { batchGet } from './batch-get.ts';
import { sweepCheckpointKey } from './keys/registry-keys.ts';
import { pack, unpack } from './packed.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** Where tasks of the sweep stopped, over the table: one item a task. */
export function sweepCheckpoints(table: Table): SweepCheckpoints {
  return {
    read: async (task) => {
      const [item] = await batchGet(table, [sweepCheckpointKey(task)], { consistent: true });
      return item ? unpack(item['place']) : null;
    },
    write: async (task, place) => {
      await updateItem(table, sweepCheckpointKey(task), {
        UpdateExpression: 'SET place = :place',
        ExpressionAttributeValues: { ':place': pack(place) },
      });
    },
  };
}
