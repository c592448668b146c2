import { randomUUID } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { nodeKey } from '../../shared/adapters/dynamodb/keys/graph-keys.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, nodeId, scopeId, shardOf, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { microsOfIso } from '../../shared/domain/lineage/graph/order.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
const shard = 7;
const urns = Array.from({ length: 1_000 }, (_, i) => urnOf({ kind: 'dataset', namespace: 'n', name: `t${i}` }))
  .filter((urn) => shardOf(nodeId(urn)) === shard)
  .slice(0, 5);

it('scans as many nodes of a shard as are requested, however few of them an answer of the store holds', async () => {
  const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
  const ports = graphPorts(stores.client);
  const edges = urns.map((urn) => ({ from: urn, to: urn }));
  const scope = scopeId('job');
  await ports.claims.observe(graphOf(workspace, 0), {
    scope: { scope, scopeKey: 'job', kind: 'observed', providerType: 'openlineage', providerInstanceId: 'p' },
    at: microsOfIso('2026-11-20T12:00:00.000Z'),
    edges,
  });
  const ids = urns.map(nodeId).sort();
  // Whatever an item holds, a page of the store ends at 1 MB.
  const filler = { S: 'x'.repeat(350_000) };
  for (const id of ids) {
    const { pk, sk } = nodeKey(graphOf(workspace, 0), id);
    const command = { UpdateExpression: 'SET filler = :f', ExpressionAttributeValues: { ':f': filler } };
    const TableName = process.env['TABLE_NAME'] ?? '';
    await stores.client.send(new UpdateItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } }, ...command }));
  }
  const scanned = async (after: (typeof ids)[number] | null, limit: number) =>
    (await ports.pages.scan(graphOf(workspace, 0), shard, after, limit)).map(({ node }) => node);
  expect(ids).toHaveLength(5);
  expect(await scanned(null, 500)).toEqual(ids);
  expect(await scanned(null, 4)).toEqual(ids.slice(0, 4));
  expect(await scanned(ids[0] ?? null, 4)).toEqual(ids.slice(1));
});
