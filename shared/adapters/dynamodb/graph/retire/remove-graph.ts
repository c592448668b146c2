import { inParallel } from '../../../../domain/base/concurrency.ts';
import {
  type GraphId,
  nodeOf,
  type ScopeId,
  scopeId,
  shardCount,
  type Urn,
} from '../../../../domain/lineage/graph/node.ts';
import {
  columnPartitions,
  graphShards,
  isScopeHead,
  longDetailsShard,
  runPartition,
  schemaShard,
  scopeHeadIndex,
  scopePartition,
  unfinishedRunPartition,
  wideNodePartition,
} from '../../keys/graph-keys.ts';
import { type Key, keyOf } from '../../keys/registry-keys.ts';
import { directoryKeysOf } from '../../names/relation-directory.ts';
import { deleteItem, type Item } from '../../requests/items.ts';
import { inPartition, queryAll, queryEach } from '../../requests/queries.ts';
import type { Table } from '../../requests/table.ts';
import { attribute } from '../codec.ts';

const shardsAtOnce = 8;
const deletesInFlight = 8;
const itemsAtOnce = 1_000;

/** Idempotent. Names go last, because they lead to the rest. Heads of the first graph stay: they count acceptances. */
export async function removeGraph(table: Table, graph: GraphId, { keepsHeads }: { readonly keepsHeads: boolean }) {
  for (const scope of await scopesOf(table, graph)) await removeScope(table, graph, scope, keepsHeads);
  for (const pk of [wideNodePartition(graph), unfinishedRunPartition(graph), ...columnPartitions(graph)])
    await eachKey(table, pk, (item) => [keyOf(item)]);
  await inParallel(
    shardsAtOnce,
    Array.from({ length: shardCount }, (_, shard) => shard),
    async (shard) => {
      await eachKey(table, longDetailsShard(graph, shard), (item) => [keyOf(item)]);
      await eachKey(table, schemaShard(graph, shard), (item) => [keyOf(item)]);
      for (const pk of graphShards(graph, shard)) await eachKey(table, pk, (item) => keysOfPage(graph, item));
    },
  );
}

function keysOfPage(graph: GraphId, item: Item): Key[] {
  const urn = item[attribute.urn]?.S as Urn | undefined;
  return [...(urn === undefined ? [] : directoryKeysOf(graph, nodeOf(urn))), keyOf(item)];
}

function scopesOf(table: Table, graph: GraphId): Promise<ScopeId[]> {
  const query = {
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsi1pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: scopeHeadIndex(graph) } },
  };
  return queryEach(table, query, (item) => scopeId(item['scope_key']?.S ?? ''));
}

async function removeScope(table: Table, graph: GraphId, scope: ScopeId, keepsHead: boolean): Promise<void> {
  await eachKey(table, runPartition(graph, scope), (item) => [keyOf(item)]);
  const keysOf = (item: Item) => (keepsHead && isScopeHead(keyOf(item)) ? [] : [keyOf(item)]);
  await eachKey(table, scopePartition(graph, scope), keysOf);
}

async function eachKey(table: Table, pk: string, keysOf: (item: Item) => readonly Key[]): Promise<void> {
  const items: Item[] = [];
  const remove = (some: readonly Item[]) =>
    inParallel(deletesInFlight, some.flatMap(keysOf), (key) => deleteItem(table, key));
  for await (const item of queryAll(table, inPartition(pk))) {
    items.push(item);
    if (items.length >= itemsAtOnce) await remove(items.splice(0));
  }
  await remove(items);
}
