import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { attribute, observerText } from '../../shared/adapters/dynamodb/graph/codec.ts';
import { nodeDetailAttribute } from '../../shared/adapters/dynamodb/graph/details/node-details.ts';
import { nodeDetailsKey, nodeKey } from '../../shared/adapters/dynamodb/keys/graph-keys.ts';
import type { Key } from '../../shared/adapters/dynamodb/keys/registry-keys.ts';
import type { Item } from '../../shared/adapters/dynamodb/requests/items.ts';
import { pack } from '../../shared/adapters/dynamodb/requests/parts.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import { writeStamp } from '../../shared/adapters/dynamodb/requests/update-item.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { graphOf, type NodeId, nodeId, type Urn } from '../../shared/domain/lineage/graph/node.ts';
import type { GraphWriters } from '../../shared/domain/lineage/projection/ports.ts';

const itemsPerRequest = 25;
const requestsInFlight = 6;

type BulkWriters = GraphWriters & {
  /** Writes the nodes that claims have changed since. */
  readonly flush: () => Promise<void>;
  /** Releases all nodes once they are written: a heap of millions of items slows what is measured after. */
  readonly release: () => void;
};

/**
 * Writers that leave the items which the ports' own leave, written whole and by the batch: for one workspace that nobody
 * else writes, and nodes that one item holds. A million edges are loaded in minutes, if an update an item takes an hour.
 */
export function bulkWriters(table: Table, ports: GraphWriters, workspace: WorkspaceId): BulkWriters {
  const nodes = new Map<NodeId, Item>();
  const changed = new Set<NodeId>();
  const itemOf = (urn: Urn): Item => {
    const node = nodeId(urn);
    const item = nodes.get(node) ?? { ...keyItem(nodeKey(graphOf(workspace, 0), node)), [attribute.urn]: { S: urn } };
    nodes.set(node, item);
    changed.add(node);
    return item;
  };
  return {
    ...ports,
    claims: { ...ports.claims, ...claimWriters(itemOf) },
    details: { ...ports.details, put: (_, details) => putAll(table, detailItems(workspace, details)) },
    flush: async () => {
      await putAll(
        table,
        [...changed].flatMap((node) => ({ ...nodes.get(node), [attribute.written]: writeStamp() })),
      );
      changed.clear();
    },
    release: () => nodes.clear(),
  };
}

/** Claims of both ends, in the items of nodes that `itemOf` gives. */
const claimWriters = (itemOf: (urn: Urn) => Item): Pick<GraphWriters['claims'], 'claim' | 'observe'> => ({
  claim: async (_, { kind, scope, order, edges }) => {
    for (const { from, to } of edges) {
      addToSet(itemOf(from), attribute.claims('out', kind, scope, order), nodeId(to));
      addToSet(itemOf(to), attribute.claims('in', kind, scope, order), nodeId(from));
    }
  },
  observe: async (_, { scope: identity, at, edges }) => {
    const { scope } = identity;
    const time = { N: BigInt(at).toString() };
    for (const { from, to } of edges) {
      const [source, target] = [itemOf(from), itemOf(to)];
      for (const end of [attribute.first, attribute.last]) {
        source[end('out', nodeId(to), scope)] = time;
        target[end('in', nodeId(from), scope)] = time;
      }
      target[attribute.observer(scope)] = { S: observerText(identity) };
    }
  },
});

type Details = Parameters<GraphWriters['details']['put']>[1];

/** One item for the edges of each node and scope. */
const detailItems = (workspace: WorkspaceId, details: Details): Item[] =>
  [...Map.groupBy(details, ({ to, scope }) => nodeDetailsKey(graphOf(workspace, 0), to, scope).sk).values()].map(
    (group) =>
      Object.assign(
        { w: writeStamp() },
        ...group.map(({ from, to, scope, order, detail }) => ({
          ...keyItem(nodeDetailsKey(graphOf(workspace, 0), to, scope)),
          [nodeDetailAttribute.order(from)]: { S: order },
          [nodeDetailAttribute.detail(from)]: pack(detail),
        })),
      ),
  );

const keyItem = ({ pk, sk }: Key): Item => ({ pk: { S: pk }, sk: { S: sk } });

function addToSet(item: Item, name: string, element: string): void {
  const known = item[name]?.SS ?? [];
  if (!known.includes(element)) item[name] = { SS: [...known, element] };
}

/** A batch must not name an item twice. */
async function putAll(table: Table, all: readonly Item[]): Promise<void> {
  const items = [...new Map(all.map((item) => [`${item['pk']?.S} ${item['sk']?.S}`, item])).values()];
  const requests: Item[][] = [];
  for (let i = 0; i < items.length; i += itemsPerRequest) requests.push(items.slice(i, i + itemsPerRequest));
  await inParallel(requestsInFlight, requests, async (some) => {
    const RequestItems = { [table.name]: some.map((Item) => ({ PutRequest: { Item } })) };
    const { UnprocessedItems } = await table.client.send(new BatchWriteItemCommand({ RequestItems }));
    if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('the store left items of a batch unwritten');
  });
}
