import type { KnownReader, ScopeAcceptances } from '../../domain/intake/ports.ts';
import { batchGet } from './batch-get.ts';
import { deliveryOf } from './delivery-item.ts';
import { deliveryKey, providerKey, scopeHeadKey } from './keys.ts';
import { providerOf } from './providers.ts';
import { takeOrder } from './scope-heads.ts';
import type { Meter, Table } from './table.ts';

/** Reads what an acceptance is judged by in one request. */
export function knownReader(table: Table, meter?: Meter): KnownReader {
  return async (workspace, ids) => {
    const [delivery, provider] = [deliveryKey(workspace, ids.delivery), providerKey(workspace, ids.provider)];
    const items = await batchGet(table, [delivery, provider], { consistent: true, ...(meter && { meter }) });
    const found = (pk: string) => items.find((item) => item['pk']?.S === pk);
    const [deliveryItem, providerItem] = [found(delivery.pk), found(provider.pk)];
    return {
      delivery: deliveryItem ? deliveryOf(deliveryItem) : null,
      provider: providerItem ? providerOf(providerItem) : null,
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
