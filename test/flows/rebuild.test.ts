import { randomUUID } from 'node:crypto';
import { DeleteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { admin } from '../../cli/admin.ts';
import { workerPorts } from '../../functions/project/ports.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { edgeDetailShard, nodeKey } from '../../shared/adapters/dynamodb/keys.ts';
import type { ConnectorId, DeliveryId, WorkspaceId } from '../../shared/contract/ids.ts';
import { nodeId, scopeId, shardOf } from '../../shared/domain/graph/ids.ts';
import { snapshotOrder } from '../../shared/domain/graph/order.ts';
import { acceptOpenLineage } from '../../shared/domain/intake/accept-openlineage.ts';
import { urnOf } from '../../shared/domain/lineage/node.ts';
import { projectDelivery } from '../../shared/domain/projection/project-delivery.ts';
import { intakePorts } from '../../shared/runtime/intake-ports.ts';
import { credentialsFile } from '../support/credentials-file.ts';
import { provideStores } from '../support/provide-stores.ts';

provideStores();
let credentials: Awaited<ReturnType<typeof credentialsFile>>;
let workspace: WorkspaceId;
let connector: ConnectorId;
const namespace = 'postgres://db:5432';
const table = () => process.env['TABLE_NAME'] ?? '';

beforeAll(async () => {
  credentials = await credentialsFile();
  workspace = (await run('workspaces', 'create', 'acme')).record.id;
  const options = ['--kind', 'postgres', '--namespace', namespace, '--shrink-guard', 'hold'];
  connector = (await run('connectors', 'create', 'acme', 'warehouse', ...options)).record.id;
  for (const day of [1, 2, 3]) await send([runEvent('a', 'b', day), runEvent('b', 'c', day), jobEvent('c', 'd', day)]);
  await send([jobEvent('b', 'd', 4)]);
});
afterAll(async () => {
  await credentials.remove();
});

const run = async (...args: string[]) =>
  JSON.parse(await admin([...args, '--credentials', credentials.file, '--actor', 'ada', '--json']));
const rebuild = (...options: string[]) => run('rebuild', '--workspace', 'acme', ...options);

const dataset = (name: string) => ({ namespace, name: `app.public.${name}` });
const eventOf = (schema: string, day: number) => ({
  eventTime: `${new Date(Date.now() - (10 - day) * 86_400_000).toISOString()}`,
  producer: 'https://example.test/jobs',
  schemaURL: `https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/${schema}`,
});
const runEvent = (from: string, to: string, day: number) => ({
  ...eventOf('RunEvent', day),
  eventType: 'COMPLETE',
  run: { runId: randomUUID() },
  job: { namespace: 'jobs', name: `${from}-${to}` },
  inputs: [dataset(from)],
  outputs: [dataset(to)],
});
const jobEvent = (from: string, to: string, day: number) => ({
  ...eventOf('JobEvent', day),
  job: { namespace: 'jobs', name: 'declared' },
  inputs: [dataset(from)],
  outputs: [dataset(to)],
});

async function send(events: readonly object[]): Promise<void> {
  const receipt = await acceptOpenLineage(intakePorts(), {
    workspace,
    kind: 'openlineage_batch',
    connectorId: connector,
    providerKey: null,
    idempotencyKey: null,
    payload: {
      bytes: new TextEncoder().encode(JSON.stringify(events)),
      contentType: 'application/json',
      contentEncoding: null,
    },
  });
  const message = { version: 1, workspace_id: workspace, delivery_id: receipt.delivery_id as DeliveryId } as const;
  await projectDelivery(workerPorts(), message, { receiveCount: 1 });
}

const relation = (name: string) => urnOf({ kind: 'relation', connectorId: connector, ref: `app.public.${name}` });
const pageOf = (name: string) => {
  const { pk, sk } = nodeKey(workspace, nodeId(relation(name)));
  return { pk: { S: pk }, sk: { S: sk } };
};

it('finds a graph that is what its deliveries say, and changes nothing', async () => {
  const found = await rebuild('--verify');
  expect(found).toMatchObject({ replayed: 4, left_out: 0, open: 0, equal: true, differing: [] });
  expect(found.live).toEqual(found.fresh);
  expect(found.live).toMatchObject({ relations: 3, edges: 3 });
});

async function losePage(name: string): Promise<void> {
  await dynamodb().send(new DeleteItemCommand({ TableName: table(), Key: pageOf(name) }));
}

async function claimOfNobody(): Promise<void> {
  const scope = { scopeKey: 'nobody', kind: 'snapshot', providerType: 'x', providerInstanceId: 'x' } as const;
  const { claims, scopes } = workerPorts();
  await scopes.register(workspace, { ...scope, scope: scopeId('nobody') });
  const edges = [{ from: relation('d'), to: relation('a') }];
  await claims.claim(workspace, { ...scope, scope: scopeId('nobody'), order: snapshotOrder(1), edges });
}

async function loseDetails(name: string): Promise<void> {
  const node = nodeId(relation(name));
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName: table(),
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :node)',
      ExpressionAttributeValues: { ':pk': { S: edgeDetailShard(workspace, shardOf(node)) }, ':node': { S: node } },
    }),
  );
  for (const { pk = { S: '' }, sk = { S: '' } } of Items)
    await dynamodb().send(new DeleteItemCommand({ TableName: table(), Key: { pk, sk } }));
}

it('names the relations of what was lost or made up, and mends the graph in place', async () => {
  const before = await rebuild('--verify');
  await losePage('c');
  await claimOfNobody();
  await loseDetails('b');
  const differing = ['a', 'b', 'c'].map((name) => relation(name));
  const complaint: unknown = await rebuild('--verify').catch((error: unknown) => error);
  for (const urn of differing) expect(String(complaint)).toContain(`differs: ${urn}`);
  const mended = await rebuild();
  expect(mended).toMatchObject({ equal: true, replayed: 4, live: before.live });
  expect(mended.mended.sort()).toEqual(differing.sort());
  expect(await run('audit', 'acme')).toContainEqual(
    expect.objectContaining({ action: 'rebuild', actor: 'operator:ada' }),
  );
});

it('takes up new deliveries after the graph was mended, as if nothing had been', async () => {
  await send([jobEvent('a', 'd', 5)]);
  expect(await rebuild('--verify')).toMatchObject({ equal: true, live: { relations: 3, edges: 3 } });
});
