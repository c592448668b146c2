import type { AcceptanceReader, ScopeAcceptances } from '../../domain/ingest/ports.ts';
import { batchGet, type Item } from './batch-get.ts';
import { deliveryOf } from './delivery-item.ts';
import { deliveryKey, type Key, providerKey, scopeHeadKey } from './keys.ts';
import { providerOf } from './providers.ts';
import { connectorOf } from './registry.ts';
import { connectorKey } from './registry-keys.ts';
import { takeOrder } from './scope-heads.ts';
import type { Table } from './table.ts';

/** Reads what an acceptance is judged by in one request. */
export function acceptanceReader(table: Table): AcceptanceReader {
  return async (workspace, ids) => {
    const [delivery, provider] = [deliveryKey(workspace, ids.delivery), providerKey(workspace, ids.provider)];
    const connector = ids.connector && connectorKey(workspace, ids.connector);
    const keys = connector ? [delivery, provider, connector] : [delivery, provider];
    const items = await batchGet(table, keys, { consistent: true });
    const read = <T>(key: Key | null, from: (item: Item) => T): T | null => {
      const item = key && items.find(({ pk }) => pk?.S === key.pk);
      return item ? from(item) : null;
    };
    return {
      delivery: read(delivery, deliveryOf),
      provider: read(provider, providerOf),
      connector: read(connector, connectorOf),
    };
  };
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
