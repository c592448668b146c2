import { coalescedBatch } from '../coalesced.ts';
import { type BatchGetOptions, batchGet, type Item } from './batch-get.ts';
import { type Key, keyName, keyOf } from './keys/key.ts';
import type { Table } from './table.ts';

/**
 * Items by their keys, read by one request for all who wait, and consistently unless asked otherwise; null where there is
 * none. For workers, not for answers: what one request costs would depend on its neighbours.
 */
export const batchedItems = (
  table: Table,
  { consistent = true }: Pick<BatchGetOptions, 'consistent'> = {},
): ((key: Key) => Promise<Item | null>) =>
  coalescedBatch(async (keys) => {
    const distinct = new Map(keys.map((key) => [keyName(key), key]));
    const read = await batchGet(table, [...distinct.values()], { consistent });
    const found = new Map(read.map((item) => [keyName(keyOf(item)), item]));
    return keys.map((key) => found.get(keyName(key)) ?? null);
  });
