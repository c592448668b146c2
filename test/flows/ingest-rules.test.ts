import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { providerStore } from '../../shared/adapters/dynamodb/deliveries/providers.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { Route } from '../../shared/contract/route.ts';
import { keyedProviderId } from '../../shared/domain/lineage/ingest/open-delivery.ts';
import { updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import type { ConnectorSettings } from '../../shared/domain/workspaces/access/inputs.ts';
import { deployedFunctions, type Send, type Sent } from '../support/deployed-functions.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());
let send: Send;
beforeAll(async () => {
  send = await deployedFunctions();
});

const model = (name: string, on: readonly string[]) => ({
  resource_type: 'model',
  database: 'crm',
  schema: 'core',
  alias: name,
  depends_on: { nodes: on.map((one) => `model.${one}`) },
});
/** A dbt project of a root and this many models that read it. */
const manifest = (models: number) => ({
  metadata: { adapter_type: 'postgres' },
  nodes: Object.fromEntries(
    Array.from({ length: models }, (_, i) => [`model.m${i}`, model(`m${i}`, i === 0 ? [] : ['m0'])]),
  ),
  sources: {},
});
const project = (environment: string, models: readonly object[]) => ({
  schema: 'service.sqlmesh-project@v1',
  environment,
  models,
});
const sqlmeshModel = (name: string, on: readonly string[]) => ({
  fqn: `"crm"."core"."${name}"`,
  depends_on: on.map((one) => `"crm"."core"."${one}"`),
  rendered_sql: null,
});
const complete = () => ({ completeness: 'complete', project_id: 'crm', source_event_key: randomUUID() });
const named = (body: object) => ({ workspace_id: place.workspace, connector_id: place.connector.id, ...body });

async function answer(sent: Sent, status: number, token = place.tokens.admin) {
  const { text, ...head } = await send({ token, ...sent });
  expect(head.status, text).toBe(status);
  return JSON.parse(text);
}
const deliveryOf = (delivery_id: string) =>
  answer({ route: routes.getDelivery, params: { delivery_id }, query: { workspace_id: place.workspace } }, 200);
const downstream = async (relation: string) => {
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref: `crm.core.${relation}` });
  return json.downstream.map(({ relation_ref }: { relation_ref: string }) => relation_ref);
};

describe('a document of a tool', () => {
  const second: readonly (readonly [string, Route, string, () => object])[] = [
    ['dbt', routes.postDbtManifest, '/v1/pipelines/dbt/manifest', () => ({ manifest: manifest(2) })],
    [
      'SQLMesh',
      routes.postSqlmeshProject,
      '/v1/pipelines/sqlmesh/project',
      () => ({ project: project('prod', [sqlmeshModel('a', [])]) }),
    ],
  ];
  it.each(second)('is the same delivery by either path: %s (C-DECLARED-1)', async (_, route, path, body) => {
    const first = await answer({ route, body: named(body()) }, 202);
    const repeated = await answer({ route, path, body: named(body()) }, 202);
    expect(repeated).toMatchObject({ delivery_id: first.delivery_id, duplicate: true });
  });

  it('retracts nothing of another environment (C-DECLARED-9)', async () => {
    const declare = (environment: string, models: readonly object[]) =>
      place.declare('/v1/lineage/sqlmesh/project', { project: project(environment, models), ...complete() });
    await declare('prod', [sqlmeshModel('a', []), sqlmeshModel('b', ['a'])]);
    await declare('dev', [sqlmeshModel('a', []), sqlmeshModel('c', ['a'])]);
    expect(await downstream('a')).toEqual(['crm.core.b', 'crm.core.c']);
    await declare('dev', []);
    expect(await downstream('a')).toEqual(['crm.core.b']);
    await declare('prod', []);
    expect(await downstream('a')).toEqual([]);
  });
});

describe('the payload of a delivery', () => {
  it('is the bytes as received, for administrators with the admin scope (C-DELIVERY-2)', async () => {
    const bytes = Buffer.from(` ${JSON.stringify(runEvent(place.namespace, ['crm.core.ä'], ['crm.core.b']))}\n`);
    const query = { workspace_id: place.workspace, connector_id: place.connector.id };
    const { delivery_id } = await answer({ route: routes.postOpenLineageEvent, query, body: bytes }, 202);
    const request = {
      route: routes.getDeliveryPayload,
      params: { delivery_id },
      query: { workspace_id: place.workspace },
    };
    const { text, status } = await send({ ...request, token: place.tokens.admin });
    expect([status, text]).toEqual([200, bytes.toString()]);
    expect((await send({ ...request, token: place.tokens.editor })).status).toBe(403);
  });
});

describe('the shrink guard', () => {
  const guard = (shrink_guard: ConnectorSettings['shrink_guard'] & object) =>
    updateConnector(world.operator, place.workspace, place.connector.id, { shrink_guard });
  const snapshot = async (models: number) => {
    const body = { manifest: manifest(models), ...complete() };
    const { json } = await place.declare('/v1/lineage/dbt/manifest', body);
    return deliveryOf(json.delivery_id);
  };
  const shrank = [expect.objectContaining({ code: 'snapshot_shrank' })];

  it('warns by default where more than half of over 20 relations would go (C-DELIVERY-8, C-DELIVERY-9)', async () => {
    await snapshot(24);
    expect(await snapshot(13)).toMatchObject({ state: 'projected', warnings: [] });
    expect(await snapshot(2)).toMatchObject({ state: 'projected', warnings: [] });
    await snapshot(24);
    expect(await snapshot(11)).toMatchObject({ state: 'projected', warnings: shrank });
    expect(await downstream('m0')).toHaveLength(10);
  });

  it('warns if most columns would go although all tables remain (C-DELIVERY-8)', async () => {
    const push = async (compiled: number) => {
      const sent = manifest(24);
      for (const [i, node] of Object.values(sent.nodes).entries())
        if (i <= compiled)
          Object.assign(node, { compiled_code: i === 0 ? 'select 1 as id' : 'select id from core.m0' });
      const { json } = await place.declare('/v1/lineage/dbt/manifest', { manifest: sent, ...complete() });
      return deliveryOf(json.delivery_id);
    };
    await push(24);
    expect(await push(14)).toMatchObject({ state: 'projected', warnings: [] });
    await push(24);
    expect(await push(1)).toMatchObject({ state: 'projected', warnings: shrank });
    await guard({ mode: 'hold', share: 0.5 });
    await push(24);
    expect(await push(1)).toMatchObject({ state: 'held', warnings: shrank });
  });

  it('holds a snapshot that retracts the configured share or more (C-DELIVERY-8, C-DELIVERY-9)', async () => {
    await guard({ mode: 'hold', share: 0.2 });
    await snapshot(24);
    expect(await snapshot(22)).toMatchObject({ state: 'projected', warnings: [] });
    expect(await snapshot(12)).toMatchObject({ state: 'held', warnings: shrank });
    expect(await downstream('m0')).toHaveLength(21);
    await guard({ mode: 'off', share: 0.2 });
    expect(await snapshot(2)).toMatchObject({ state: 'projected', warnings: [] });
  });

  it('permits no all-clear from when it holds a snapshot until a later one takes effect (C-CLAIM-4)', async () => {
    const claim = async () =>
      (await place.ask('/v1/lineage/impact', { relation_ref: 'crm.core.m1', direction: 'downstream' })).json.claim;
    await guard({ mode: 'hold', share: 0.2 });
    await snapshot(24);
    expect(await claim()).toMatchObject({ kind: 'nothing_known_breaks', limits: [] });
    expect(await snapshot(12)).toMatchObject({ state: 'held' });
    expect(await claim()).toMatchObject({ kind: 'may_break', limits: [{ code: 'delivery_held' }] });
    await snapshot(24);
    expect(await claim()).toMatchObject({ kind: 'nothing_known_breaks', limits: [] });
  });
});

describe('a complete snapshot', () => {
  it('that a newer one of its scope overtook is superseded (C-DELIVERY-4)', async () => {
    const { handler } = await import('../../functions/projector/handler.ts');
    const accept = async (models: number): Promise<string> => {
      const sent = { route: routes.postDbtManifest, body: named({ manifest: manifest(models), ...complete() }) };
      return (await answer(sent, 202)).delivery_id;
    };
    const work = (delivery_id: string) => {
      const body = JSON.stringify({ version: 1, workspace_id: place.workspace, delivery_id });
      const record = { messageId: delivery_id, body, attributes: { ApproximateReceiveCount: '1' } };
      return handler(
        { Records: [record] } as never,
        { awsRequestId: 'work', getRemainingTimeInMillis: () => 900_000 } as never,
      );
    };
    const [older, newer] = [await accept(3), await accept(2)];
    await work(newer);
    await work(older);
    expect((await deliveryOf(newer)).state).toBe('projected');
    expect((await deliveryOf(older)).state).toBe('superseded');
    expect(await downstream('m0')).toEqual(['crm.core.m1']);
  });
});

describe('the type of a provider', () => {
  it('is derived from its deliveries, or as its key was registered (C-PROVIDER-2)', async () => {
    const query = { workspace_id: place.workspace, connector_id: place.connector.id };
    const event = (provider_key: object) => ({
      route: routes.postOpenLineageEvent,
      query: { ...query, ...provider_key },
      body: runEvent(place.namespace, ['crm.core.a'], ['crm.core.b']),
    });
    await answer({ route: routes.postDbtManifest, body: named({ manifest: manifest(1) }) }, 202);
    await answer({ route: routes.postSqlmeshProject, body: named({ project: project('prod', []) }) }, 202);
    const entry = { urn: 'urn:li:dashboard:(looker,1)' };
    await answer({ route: routes.postDatahubExport, body: named({ export: [entry] }) }, 202);
    await answer(event({}), 202);
    await providerStore(world.table).create({
      id: keyedProviderId(place.workspace, 'warehouse-log'),
      workspace_id: place.workspace,
      connector_id: place.connector.id,
      provider_type: 'query_log',
      display_name: 'warehouse-log',
      status: 'active',
      status_at: new Date().toISOString(),
    });
    await answer(event({ provider_key: 'warehouse-log' }), 202);
    const { items } = await answer({ route: routes.listProviders, query: { workspace_id: place.workspace } }, 200);
    const types = items.map((one: { provider_type: string }) => one.provider_type);
    expect(types.sort()).toEqual(['datahub_catalog', 'dbt_manifest', 'openlineage', 'query_log', 'sqlmesh_project']);
  });
});
