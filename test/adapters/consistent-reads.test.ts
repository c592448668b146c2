import type { BatchGetItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { levelsOf } from '../../shared/adapters/dynamodb/graph/claims/claim-pages.ts';
import { scopeOrders } from '../../shared/adapters/dynamodb/graph/scopes/scope-orders.ts';
import { nodeKey } from '../../shared/adapters/dynamodb/keys/graph-keys.ts';
import { itemsByKey } from '../../shared/adapters/dynamodb/requests/items.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, nodeId, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';

const graph = graphOf('ws_1' as WorkspaceId, 0);
const node = nodeId(urnOf({ kind: 'dataset', namespace: 'n', name: 'a' }));

// The emulator answers every read with the newest state, as DynamoDB does only if a request says so.
it.each<[string, (table: { client: DynamoDBClient; name: string }) => Promise<unknown>]>([
  ['what pruning may delete', (table) => itemsByKey(table, [nodeKey(graph, node)])],
  ['how many pages a node has', (table) => levelsOf({ table, graph }, [node])],
  [
    'which orders were partial',
    (table) => scopeOrders(table, {} as never).partials(graph, scopeId('s'), [snapshotOrder(1)]),
  ],
])('asks the store for the newest state of %s', async (_, read) => {
  const isConsistent: (boolean | undefined)[] = [];
  const send = async ({ input }: { input: BatchGetItemCommandInput }) => {
    isConsistent.push(...Object.values(input.RequestItems ?? {}).map(({ ConsistentRead }) => ConsistentRead));
    return { Responses: {} };
  };
  await read({ client: { send } as unknown as DynamoDBClient, name: 'table' });
  expect(isConsistent).toEqual([true]);
});
