import { ConditionalCheckFailedException, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { ScopeKind } from '../../../../domain/graph/claim.ts';
import { type ScopeId, scopeId, shardCount } from '../../../../domain/graph/ids.ts';
import { zeroOrder } from '../../../../domain/graph/order.ts';
import { batchGet, type Item } from '../../batch-get.ts';
import {
  edgeDetailShard,
  graphShards,
  isScopeHead,
  runPartition,
  scopeHeadIndex,
  scopeHeadKey,
  scopePartition,
} from '../../keys/graph-keys.ts';
import { keyOf } from '../../keys/key.ts';
import { queryAll } from '../../query-all.ts';
import type { Table } from '../../table.ts';
import { updateItem, writeStamp } from '../../update-item.ts';
import { attribute } from '../codec/codec.ts';

const writesInFlight = 24;

/**
 * Takes everything out of a workspace's graph that projecting its deliveries puts in. The names and levels of pages,
 * the scopes and their counters of orders stay: running processes rely on them, and deliveries hold orders they took.
 */
export async function resetGraph(table: Table, workspace: WorkspaceId): Promise<void> {
  for (const scope of await scopesOf(table, workspace)) await resetScope(table, workspace, scope);
  for (let shard = 0; shard < shardCount; shard++) {
    for (const pk of graphShards(workspace, shard)) await eachItem(table, pk, (item) => emptyPage(table, item));
    await eachItem(table, edgeDetailShard(workspace, shard), (item) => remove(table, item));
  }
}

async function scopesOf(table: Table, workspace: WorkspaceId): Promise<{ scope: ScopeId; kind: ScopeKind }[]> {
  const found: { scope: ScopeId; kind: ScopeKind }[] = [];
  const query = {
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsi1pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: scopeHeadIndex(workspace) } },
  };
  for await (const item of queryAll(table, query))
    found.push({ scope: scopeId(item['scope_key']?.S ?? ''), kind: item['kind']?.S as ScopeKind });
  return found;
}

async function resetScope(
  table: Table,
  workspace: WorkspaceId,
  { scope, kind }: { readonly scope: ScopeId; readonly kind: ScopeKind },
): Promise<void> {
  await updateItem(table, scopeHeadKey(workspace, scope), {
    UpdateExpression:
      'SET #order = :zero, #floor = :zero, started = :zero REMOVE digest, committed_at, listed, removed_at, change_orders, change_removals ADD version :one',
    ExpressionAttributeNames: { '#order': 'order', '#floor': 'floor' },
    ExpressionAttributeValues: { ':zero': { S: zeroOrder }, ':one': { N: '1' } },
  });
  const removeOrder = (item: Item) => (isScopeHead(keyOf(item)) ? null : remove(table, item));
  await eachItem(table, scopePartition(workspace, scope), removeOrder);
  if (kind === 'observed') await eachItem(table, runPartition(workspace, scope), (item) => remove(table, item));
}

async function eachItem(table: Table, pk: string, work: (item: Item) => Promise<void> | null): Promise<void> {
  const items: Item[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: pk } },
    ConsistentRead: true,
  };
  for await (const item of queryAll(table, query)) {
    items.push(item);
    if (items.length >= 1000) await inParallel(writesInFlight, items.splice(0), async (one) => work(one));
  }
  await inParallel(writesInFlight, items, async (one) => work(one));
}

async function remove(table: Table, { pk, sk }: Item): Promise<void> {
  const Key = { pk: pk ?? { NULL: true }, sk: sk ?? { NULL: true } };
  await table.client.send(new DeleteItemCommand({ TableName: table.name, Key }));
}

/** Leaves a page its name and level, unless somebody writes to it meanwhile: then what they wrote is read and kept out again. */
async function emptyPage(table: Table, item: Item): Promise<void> {
  const kept = Object.fromEntries(
    ['pk', 'sk', attribute.urn, attribute.level('out'), attribute.level('in')].flatMap((name) =>
      item[name] ? [[name, item[name]]] : [],
    ),
  );
  const before = item[attribute.written];
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: { ...kept, [attribute.written]: writeStamp() },
        ConditionExpression: before ? 'w = :w' : 'attribute_not_exists(w)',
        ...(before && { ExpressionAttributeValues: { ':w': before } }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const key = { pk: item['pk']?.S ?? '', sk: item['sk']?.S ?? '' };
    const [again] = await batchGet(table, [key], { consistent: true });
    if (again) await emptyPage(table, again);
  }
}
