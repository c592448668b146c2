import { randomBytes, randomUUID } from 'node:crypto';
import { DeleteItemCommand, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rebuild as rebuildGraph } from '../../cli/admin/rebuild.ts';
import { connect } from '../../cli/connect.ts';
import { dynamodb, s3 } from '../../shared/adapters/aws.ts';
import { namesReader } from '../../shared/adapters/dynamodb/graph/scopes/scope-ends.ts';
import { nodeKey, schemaKey } from '../../shared/adapters/dynamodb/keys/graph-keys.ts';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { graphReaders } from '../../shared/adapters/graph-stores.ts';
import type { ConnectorId, DeliveryId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { DbtAcquisition } from '../../shared/contract/lineage.ts';
import { canonicalDigest } from '../../shared/domain/base/digest.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import { graphOf, nodeId, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import { acceptDeclared } from '../../shared/domain/lineage/ingest/accept-declared.ts';
import { acceptOpenLineage } from '../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { payloadOf } from '../../shared/domain/lineage/ingest/open-delivery.ts';
import { dbt } from '../../shared/domain/lineage/ingest/tools.ts';
import { projectDelivery } from '../../shared/domain/lineage/projection/project-content.ts';
import { expand } from '../../shared/domain/lineage/traversal/expansion.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { ingestPorts } from '../../shared/runtime/composition/intake.ts';
import { projectorPorts } from '../../shared/runtime/composition/workers.ts';
import { commandJson } from '../support/command-line.ts';
import { credentialsFile } from '../support/credentials-file.ts';
import { provideStores } from '../support/provide-stores.ts';
import { queryOf } from '../support/query-of.ts';
import { takeEffect } from '../support/take-effect.ts';

provideStores();
let credentials: Awaited<ReturnType<typeof credentialsFile>>;
let workspace: WorkspaceId;
let connector: ConnectorId;
const namespace = 'postgres://db:5432';
const table = () => process.env['TABLE_NAME'] ?? '';
const stored = () => ({ client: dynamodb(), name: table() });

beforeAll(async () => {
  credentials = await credentialsFile();
  workspace = (await run('workspaces', 'create', 'acme')).id;
  const options = ['--kind', 'postgres', '--namespace', namespace, '--shrink-guard', 'hold'];
  connector = (await run('connectors', 'create', 'acme', 'warehouse', ...options)).id;
  for (const day of [1, 2, 3]) await send([runEvent('a', 'b', day), runEvent('b', 'c', day), jobEvent('c', 'd', day)]);
  await send([jobEvent('b', 'd', 4)]);
  await sendSlowly(project);
});
afterAll(async () => {
  await credentials.remove();
});

const run = (...args: string[]) => commandJson(['admin', ...args, '--credentials', credentials.file, '--actor', 'ada']);
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

async function send(events: readonly object[], clock = systemClock): Promise<void> {
  const receipt = await acceptOpenLineage(ingestPorts(), {
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
  await projectDelivery({ ...projectorPorts(), clock }, message, { receiveCount: 1 });
}

/** The graph that answers: repaired, it is another. */
const graph = async () => graphOf(workspace, (await namesReader(registry(stored()))(workspace)).generation);

const relation = (name: string) => urnOf({ kind: 'relation', connectorId: connector, ref: `app.public.${name}` });
const pageOf = async (name: string) => {
  const { pk, sk } = nodeKey(await graph(), nodeId(relation(name)));
  return { pk: { S: pk }, sk: { S: sk } };
};

const project = {
  metadata: { adapter_type: 'postgres' },
  sources: {
    'source.shop.raw.a': {
      ...{ resource_type: 'source', database: 'app', schema: 'public', identifier: 'a' },
      columns: { id: { name: 'id', data_type: 'integer' } },
    },
  },
  nodes: {
    'model.shop.e': {
      ...{ resource_type: 'model', database: 'app', schema: 'public', alias: 'e' },
      compiled_code: 'select id, 1 as one from app.public.a',
      depends_on: { nodes: ['source.shop.raw.a'] },
    },
  },
};

/** Sends a manifest whose work takes a minute from each look at the clock to the next. */
async function sendSlowly(manifest: DbtAcquisition['manifest']): Promise<void> {
  const body: DbtAcquisition = { workspace_id: workspace, connector_id: connector, completeness: 'partial', manifest };
  const receipt = await acceptDeclared(ingestPorts(), dbt, {
    workspace,
    body,
    documentDigest: canonicalDigest(manifest),
    idempotencyKey: null,
    payload: payloadOf(ingestPorts(), {
      bytes: new TextEncoder().encode(JSON.stringify(body)),
      contentType: 'application/json',
      contentEncoding: null,
    }),
  });
  if (!receipt.accepted) throw new Error('The feed is paused.');
  const message = { version: 1, workspace_id: workspace, delivery_id: receipt.delivery_id as DeliveryId } as const;
  await projectDelivery({ ...projectorPorts(), clock: slowClock(hourAgo()) }, message, { receiveCount: 1 });
}

const hourAgo = () => Date.now() - 3_600_000;

/** A minute passes before each look. */
function slowClock(begin: number) {
  let at = begin;
  const now = () => {
    at += 60_000;
    return new Date(at);
  };
  return { now };
}

/** What is stated of the columns of a relation, and when it took effect. */
async function statedOf(name: string) {
  const readers = graphReaders(stored(), { client: s3(), name: '' });
  const view = graphView(queryOf(readers, await graph()), null);
  await view.columns.load([relation(name)]);
  return view.columns.statedOf(relation(name));
}

it('finds a graph that is what its deliveries say, and changes nothing', async () => {
  const found = await rebuild('--verify');
  expect(found).toMatchObject({ replayed: 5, left_out: 0, open: 0, equal: true, differing: [] });
  expect(found.live).toEqual(found.fresh);
  expect(found.live).toMatchObject({ relations: 5, edges: 4 });
});

async function losePage(name: string): Promise<void> {
  await dynamodb().send(new DeleteItemCommand({ TableName: table(), Key: await pageOf(name) }));
}

async function claimOfNobody(): Promise<void> {
  const scope = { scopeKey: 'nobody', kind: 'snapshot', providerType: 'x', providerInstanceId: 'x' } as const;
  const { claims, scopes } = projectorPorts();
  await scopes.register(await graph(), { ...scope, scope: scopeId('nobody') });
  const edges = [{ from: relation('d'), to: relation('a') }];
  await claims.claim(await graph(), { ...scope, scope: scopeId('nobody'), order: snapshotOrder(1), edges });
  await takeEffect(scopes, await graph(), scopeId('nobody'), snapshotOrder(1));
}

async function loseDetails(name: string): Promise<void> {
  const { pk, sk } = nodeKey(await graph(), nodeId(relation(name)));
  const Key = { pk: { S: pk }, sk: { S: sk } };
  const { Item = {} } = await dynamodb().send(new GetItemCommand({ TableName: table(), Key }));
  const details = Object.keys(Item).filter((attribute) => attribute.length === 17 && attribute.startsWith('e'));
  await dynamodb().send(
    new UpdateItemCommand({
      TableName: table(),
      Key,
      UpdateExpression: `REMOVE ${details.map((_, i) => `#n${i}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(details.map((attribute, i) => [`#n${i}`, attribute])),
    }),
  );
}

async function loseSchemas(name: string): Promise<void> {
  for (const { schema } of await statedOf(name)) {
    const { pk, sk } = schemaKey(await graph(), schema);
    await dynamodb().send(new DeleteItemCommand({ TableName: table(), Key: { pk: { S: pk }, sk: { S: sk } } }));
  }
}

it('names the relations with lost or invented edges, and builds a second graph as of the same times (G-DELIVERY-10)', async () => {
  const before = await rebuild('--verify');
  const stated = await statedOf('e');
  expect(stated).toEqual([expect.objectContaining({ content: expect.objectContaining({ complete: true }) })]);
  await losePage('c');
  await claimOfNobody();
  await loseDetails('b');
  await loseSchemas('e');
  const differing = ['a', 'b', 'c', 'e'].map((name) => relation(name));
  const complaint: unknown = await rebuild('--verify').catch((error: unknown) => error);
  for (const urn of differing) expect(String(complaint)).toContain(`differs: ${urn}`);
  const repaired = await rebuild();
  expect(repaired).toMatchObject({ equal: true, replayed: 5, live: before.live });
  expect(repaired.repaired.sort()).toEqual(differing.sort());
  expect(await graph()).toBe(`${workspace}~1`);
  expect(await statedOf('e')).toEqual(stated);
  expect(await run('audit', 'acme')).toContainEqual(
    expect.objectContaining({ action: 'rebuild', actor: 'operator:ada' }),
  );
});

it('builds no new graph if the audit entry is refused', async () => {
  await losePage('c');
  const connection = await connect({ credentials: credentials.file });
  const known = registry({ client: connection.dynamodb, name: connection.names.table });
  const refusing = { ...known, commit: async () => false };
  const ports = { registry: refusing, clock: systemClock, randomBytes, actor: 'operator:ada' };
  const rebuilding = rebuildGraph({ connection, ports }, workspace, { isVerification: false });
  await expect(rebuilding).rejects.toMatchObject({ code: 'conflict' });
  const { Item } = await dynamodb().send(new GetItemCommand({ TableName: table(), Key: await pageOf('b') }));
  expect(Object.keys(Item ?? {}).length).toBeGreaterThan(4);
  await rebuild();
});

it('takes up new deliveries after the graph was repaired, as if nothing had been', async () => {
  await send([jobEvent('a', 'd', 5)]);
  expect(await rebuild('--verify')).toMatchObject({ equal: true, live: { relations: 5, edges: 4 } });
});

it('answers of each minute what it answered before, also of a declared job that took minutes to work (G-DELIVERY-10)', async () => {
  const begin = hourAgo();
  const job = { namespace: 'jobs', name: 'slow' };
  await send([{ ...jobEvent('c', 'e', 1), job }], slowClock(begin));
  const answers = async () => {
    const readers = graphReaders(stored(), { client: s3(), name: '' });
    const found: boolean[] = [];
    for (let minute = 0; minute < 10; minute++) {
      const view = graphView(queryOf(readers, await graph()), new Date(begin + minute * 60_000).toISOString());
      const edges = await (await expand(view, { side: 'out', nodes: [relation('c')] })).next(10);
      found.push((edges ?? []).some(({ other, claims }) => other === relation('e') && claims.length > 0));
    }
    return found;
  };
  const before = await answers();
  expect([before.at(0), before.at(-1)]).toEqual([false, true]);
  await losePage('c');
  await rebuild();
  expect(await answers()).toEqual(before);
});

it('leaves out what was forgotten, also of a graph that is made again from the raw bytes (C-FORGET-5)', async () => {
  const scopes: { readonly scope_key: string; readonly kind: string }[] = await run('scopes', 'list', 'acme', 'all');
  const before = await rebuild('--verify');
  const runs = scopes.find(({ scope_key }) => scope_key.endsWith('runs:jobs/b-c'));
  const snapshots = scopes.find(({ kind }) => kind === 'snapshots');
  for (const scope of [runs, snapshots]) await run('scopes', 'forget', 'acme', scope?.scope_key ?? '', '--yes');
  const after = await rebuild('--verify');
  expect(after.live).toEqual(after.fresh);
  expect(after.live.edges).toBe(before.live.edges - 2);
  await losePage('b');
  expect(await rebuild()).toMatchObject({ equal: true, live: after.live });
  await send([runEvent('b', 'c', 9)]);
  expect((await rebuild('--verify')).live.edges).toBe(after.live.edges);
  await send([runEvent('b', 'c', 10)]);
  expect((await rebuild('--verify')).live.edges).toBe(after.live.edges + 1);
});
