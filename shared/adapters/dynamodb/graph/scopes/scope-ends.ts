import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { lruCache } from '../../../../domain/base/caching.ts';
import type { ScopeId } from '../../../../domain/lineage/graph/ids.ts';
import { type Order, zeroOrder } from '../../../../domain/lineage/graph/order.ts';
import type { Listing, OrderEnd, ScopeStore } from '../../../../domain/lineage/graph/scope-store.ts';
import { scopeEndKey } from '../../keys/graph-keys.ts';
import { attributes, type Item } from '../../requests/batch-get.ts';
import { pack, unpack } from '../../requests/parts.ts';
import { queryAll } from '../../requests/queries.ts';
import type { Table } from '../../requests/table.ts';

type OfScope = { readonly workspace: WorkspaceId; readonly scope: ScopeId };

/** How many claims an order takes away by name. */
export const claimsEnded = ({ removed }: OrderEnd): number =>
  removed === null ? 0 : removed.edges.length + (removed.described?.length ?? 0);

/** Whether there was nothing before the order, or all of it lives on. */
export const endsNothing = (end: OrderEnd): boolean =>
  end.before === zeroOrder || (end.removed !== null && claimsEnded(end) === 0);

/** The item of what a complete order ended: nothing of it ever changes. */
export function endItem(table: Table, { workspace, scope }: OfScope, end: OrderEnd): TransactWriteItem {
  const { order, before, floor, removed } = end;
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...attributes({ ...scopeEndKey(workspace, scope, order), before, floor }),
        ...(removed !== null && { removed: pack(removed) }),
      },
    },
  };
}

const endOf = (item: Item): OrderEnd => ({
  order: (item['sk']?.S ?? '').slice(2) as Order,
  before: (item['before']?.S ?? '') as Order,
  floor: (item['floor']?.S ?? '') as Order,
  removed: item['removed'] ? (unpack(item['removed']) as Listing) : null,
});

const scopesKept = 200;

/** What orders ended; what was asked for under a version of a head is kept by the process. */
export function scopeEnds(table: Table): Pick<ScopeStore, 'ends'> {
  const known = lruCache<string, readonly OrderEnd[]>(scopesKept);
  return {
    ends: async (workspace, scope, range) => {
      const { after, until, version } = range;
      const name = `${workspace} ${scope} ${version} ${after} ${until}`;
      const found = known.get(name) ?? (await endsIn(table, { workspace, scope }, range));
      if (version !== undefined) known.set(name, found);
      return found;
    },
  };
}

async function endsIn(
  table: Table,
  { workspace, scope }: OfScope,
  { after, until }: { readonly after: Order; readonly until: Order | null },
): Promise<readonly OrderEnd[]> {
  const { pk, sk } = scopeEndKey(workspace, scope, after);
  const last = until === null ? 'E#~' : scopeEndKey(workspace, scope, until).sk;
  const items = queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :last',
    ExpressionAttributeValues: attributes({ ':pk': pk, ':after': sk, ':last': last }),
    ConsistentRead: true,
  });
  const found: OrderEnd[] = [];
  for await (const item of items) {
    const end = endOf(item);
    if (end.order <= after) continue;
    found.push(end);
    if (until === null && end.removed === null) break;
  }
  return found;
}
