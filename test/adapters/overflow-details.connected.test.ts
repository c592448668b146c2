import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { overflowVersions, putOverflow } from '../../shared/adapters/dynamodb/graph/details/overflow-details.ts';
import { edgeDetailKey } from '../../shared/adapters/dynamodb/keys/graph-keys.ts';
import { getItem } from '../../shared/adapters/dynamodb/requests/items.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { EdgeDetail } from '../../shared/domain/lineage/graph/derivation.ts';
import { graphOf, nodeId, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
const idOf = (name: string) => nodeId(urnOf({ kind: 'dataset', namespace: 'n', name }));
const from = idOf('a');

it('keeps each statement about an edge that may still be seen, once, in whatever order they arrive', async () => {
  const table = { client: stores.client, name: process.env['TABLE_NAME'] ?? '' };
  for (const [arrivals, kept] of [
    [
      [3, 2, 2],
      [3, 2],
    ],
    [
      [1, 2, 3],
      [3, 2],
    ],
    [
      [4, 3, 4, 2],
      [4, 3, 2],
    ],
    [
      [3, 2, 1],
      [3, 2],
    ],
    [
      [2, 4, 3, 3, 4],
      [4, 3, 2],
    ],
  ] as const) {
    const graph = graphOf(`w${randomUUID().slice(0, 8)}` as WorkspaceId, 0);
    const key = edgeDetailKey(graph, from, idOf('b'), scopeId('s'));
    const inEffect = snapshotOrder(2);
    for (const number of arrivals) {
      const detail = { producer: { namespace: 'n', name: String(number) } } as EdgeDetail;
      const edge = { from, order: snapshotOrder(number), detail };
      await putOverflow(table, key, edge, (order) => order <= inEffect);
    }
    const versions = overflowVersions((await getItem(table, key)) ?? {}, from);
    const orders = kept.map((number) => [snapshotOrder(number), String(number)]);
    expect(
      versions.map(({ order, detail }) => [order, detail.producer.name]),
      arrivals.join(),
    ).toEqual(orders);
  }
});
