import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import type { RetiredOrder, ScopeStore } from '../../domain/graph/scope-store.ts';
import { attributes } from './delivery-item.ts';
import { forgetIndexes, forgetKey, pruneIndexes, pruneKey, scopeOrderKey } from './keys/graph-keys.ts';
import { pack, unpack } from './packed.ts';
import { queryPages } from './query-all.ts';
import type { Table } from './table.ts';
import { updateItem } from './update-item.ts';

type RetiredOrders = Pick<ScopeStore, 'retire' | 'retired' | 'pruned' | 'unretire' | 'expired'>;

/** Dead orders, by the due index: those whose claims are to be pruned, and those whose claims are to be forgotten. */
export function retiredOrders(table: Table): RetiredOrders {
  return {
    retire: async (retired, { at, again = false }) => {
      await inParallel(8, retired, async (one) => {
        const { gsi2pk, gsi2sk } = pruneKey(one.scope, at);
        // An order that is gone needs no pruning, and one that was pruned only where its load went on after that.
        await updateItem(table, scopeOrderKey(one.workspace, one.scope, one.order), {
          UpdateExpression: 'SET gsi2pk = :index, gsi2sk = :at, dead = :dead REMOVE pruned',
          ConditionExpression: `attribute_exists(pk)${again ? '' : ' AND attribute_not_exists(pruned)'}`,
          ExpressionAttributeValues: { ...attributes({ ':index': gsi2pk, ':at': gsi2sk }), ':dead': pack(one) },
        });
      });
    },
    retired: () => dueOrders(table, pruneIndexes, null),
    pruned: async ({ workspace, scope, order }, forgetAt) => {
      const { gsi2pk, gsi2sk } = forgetKey(scope, forgetAt);
      await updateItem(table, scopeOrderKey(workspace, scope, order), {
        UpdateExpression: 'SET pruned = :yes, gsi2pk = :index, gsi2sk = :at',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: attributes({ ':yes': true, ':index': gsi2pk, ':at': gsi2sk }),
      });
    },
    unretire: async ({ workspace, scope, order }) => {
      await updateItem(table, scopeOrderKey(workspace, scope, order), {
        UpdateExpression: 'REMOVE gsi2pk, gsi2sk, dead',
        ConditionExpression: 'attribute_exists(pk)',
      });
    },
    expired: (now) => dueOrders(table, forgetIndexes, now),
  };
}

const retiredPerQuery = 40;

/** Orders of all indexes, a query's worth of each at a time: one index does not keep the others waiting. */
async function* dueOrders(
  table: Table,
  indexes: readonly string[],
  until: string | null,
): AsyncGenerator<RetiredOrder[]> {
  let open = indexes.map((index) => retiredIn(table, index, until));
  while (open.length > 0) {
    const read = await Promise.all(open.map(async (pages) => ({ pages, next: await pages.next() })));
    const going = read.filter(({ next }) => !next.done);
    yield going.flatMap(({ next }) => next.value ?? []);
    open = going.map(({ pages }) => pages);
  }
}

async function* retiredIn(table: Table, index: string, until: string | null): AsyncGenerator<RetiredOrder[]> {
  const query = {
    IndexName: 'gsi2',
    KeyConditionExpression: 'gsi2pk = :index AND gsi2sk <= :until',
    ExpressionAttributeValues: attributes({ ':index': index, ':until': `${until ?? ''}~` }),
    ProjectionExpression: 'dead',
    Limit: retiredPerQuery,
  };
  for await (const items of queryPages(table, query)) yield items.map((item) => unpack(item['dead']) as RetiredOrder);
}
