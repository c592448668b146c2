import type { DeliveryId } from '../../../contract/ids.ts';
import type { Delivery } from '../../../domain/lineage/ingest/deliveries/delivery.ts';
import type { AcceptanceReader, ScopeAcceptances } from '../../../domain/lineage/ingest/ports.ts';
import { takeOrder } from '../graph/scopes/scope-heads.ts';
import { deliveryKey, keyedContentKey, providerKey } from '../keys/delivery-keys.ts';
import { scopeHeadKey } from '../keys/graph-keys.ts';
import type { Key } from '../keys/key.ts';
import { connectorKey } from '../keys/registry-keys.ts';
import { connectorOf } from '../registry/registry-readers.ts';
import { batchGet, type Item } from '../requests/batch-get.ts';
import type { Table } from '../requests/table.ts';
import { deliveryOf } from './delivery-item.ts';
import { providerOf } from './providers.ts';

/** Reads what decides an acceptance in one request; in two, where its content came before with a key. */
export function acceptanceReader(table: Table): AcceptanceReader {
  return async (workspace, ids) => {
    const [delivery, provider] = [deliveryKey(workspace, ids.delivery), providerKey(workspace, ids.provider)];
    const connector = ids.connector && connectorKey(workspace, ids.connector);
    const keyed = ids.byContent ? keyedContentKey(workspace, ids.delivery) : null;
    const keys = [delivery, provider, connector, keyed].filter((key) => key !== null);
    const items = await batchGet(table, keys, { consistent: true });
    const read = <T>(key: Key | null, from: (item: Item) => T): T | null => {
      const item = key && items.find((one) => one['pk']?.S === key.pk && one['sk']?.S === key.sk);
      return item ? from(item) : null;
    };
    const same = read(keyed, (item) => item['delivery_id']?.S as DeliveryId);
    return {
      delivery: read(delivery, deliveryOf) ?? (same && (await deliveryAt(table, deliveryKey(workspace, same)))),
      provider: read(provider, providerOf),
      connector: read(connector, connectorOf),
    };
  };
}

async function deliveryAt(table: Table, key: Key): Promise<Delivery | null> {
  const [item] = await batchGet(table, [key], { consistent: true });
  return item ? deliveryOf(item) : null;
}

/** Acceptances of a scope, counted on its head. */
export function scopeAcceptances(table: Table): ScopeAcceptances {
  return {
    epoch: async (workspace, scope) => {
      const [head] = await batchGet(table, [scopeHeadKey(workspace, scope)], {
        consistent: true,
        attributes: ['snapshots'],
      });
      return Number(head?.['snapshots']?.N ?? 0);
    },
    takeOrder: (workspace, identity, complete) => takeOrder(table, workspace, identity, complete),
  };
}
