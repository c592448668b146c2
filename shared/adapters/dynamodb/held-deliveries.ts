import { Delivery } from '../../domain/ingest/deliveries/delivery.ts';
import type { HeldDeliveries } from '../../domain/ingest/deliveries/ports.ts';
import { heldIndex } from './keys/delivery-keys.ts';
import { queryRecords } from './registry-collection.ts';
import type { Table } from './table.ts';

/** The deliveries that wait for an administrator, from their index. */
export const heldDeliveries = (table: Table): HeldDeliveries => ({
  held: (workspace, limit) =>
    queryRecords(table, Delivery, {
      IndexName: 'gsi2',
      KeyConditionExpression: 'gsi2pk = :index',
      ExpressionAttributeValues: { ':index': { S: heldIndex(workspace) } },
      ScanIndexForward: false,
      Limit: limit,
    }),
});
