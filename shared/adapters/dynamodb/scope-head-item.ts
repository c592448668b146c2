import type { ScopeKind } from '../../domain/graph/claim.ts';
import { scopeId } from '../../domain/graph/ids.ts';
import { type Order, zeroOrder } from '../../domain/graph/order.ts';
import type { ScopeHead } from '../../domain/graph/scope-store.ts';
import type { Item } from './batch-get.ts';

export function headOf(item: Item): ScopeHead {
  const text = (name: string) => item[name]?.S ?? null;
  const order = (name: string) => (text(name) ?? zeroOrder) as Order;
  const count = (name: string) => Number(item[name]?.N ?? 0);
  const [scopeKey, floor] = [text('scope_key') ?? '', order('floor')];
  return {
    scope: scopeId(scopeKey),
    scopeKey,
    kind: text('kind') as ScopeKind,
    providerType: text('provider_type') ?? '',
    providerInstanceId: text('provider_instance_id') ?? '',
    order: order('order'),
    floor,
    started: order('started'),
    digest: text('digest'),
    committedAt: text('committed_at'),
    // What raised the floor states all: heads that were written before changes were known have no other.
    listed: [order('listed'), floor].sort().at(-1) ?? floor,
    restatedBy: text('restated_by'),
    removedAt: text('removed_at') as Order | null,
    version: count('version'),
    changes: { orders: count('change_orders'), removals: count('change_removals') },
  };
}
