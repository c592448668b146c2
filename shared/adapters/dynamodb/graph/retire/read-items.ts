import { type Key, keyName, keyOf } from '../../keys/registry-keys.ts';
import { batchGet, type Item } from '../../requests/batch-get.ts';
import type { Table } from '../../requests/table.ts';
import { attribute } from '../codec.ts';

/**
 * Items as they are, by the names of their keys; those that are not there are left out.
 *
 * @param attributes beside what tells who wrote last; all where none are named
 */
export async function readItems(
  table: Table,
  keys: readonly Key[],
  attributes?: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const only = attributes && { attributes: ['pk', 'sk', attribute.written, ...attributes] };
  const items = await batchGet(table, keys, { consistent: true, ...only });
  return new Map(items.map((item) => [keyName(keyOf(item)), item]));
}
