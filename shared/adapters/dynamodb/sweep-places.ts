import type { SweepPlaces } from '../../domain/sweep/places.ts';
import { batchGet } from './batch-get.ts';
import { pack, unpack } from './packed.ts';
import { sweepPlaceKey } from './registry-keys.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

/** Where tasks of the sweep stopped, over the table: one item a task. */
export function sweepPlaces(table: Table): SweepPlaces {
  return {
    read: async (task) => {
      const [item] = await batchGet(table, [sweepPlaceKey(task)], { consistent: true });
      return item ? unpack(item['place']) : null;
    },
    write: async (task, place) => {
      await updateItem({ table }, sweepPlaceKey(task), {
        UpdateExpression: 'SET place = :place',
        ExpressionAttributeValues: { ':place': pack(place) },
      });
    },
  };
}
