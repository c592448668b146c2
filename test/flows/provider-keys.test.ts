import { describe, expect, it } from 'vitest';
import { providerKeys } from '../../functions/access/access.ts';
import { policyImplementations } from '../../functions/policy/policy.ts';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { policyRoutes } from '../../shared/contract/policy.ts';
import { providerKeyRoutes } from '../../shared/contract/providers.ts';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { listProviders } from '../../shared/domain/lineage/providers/provider.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { accessPorts, policyPorts, queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

/** Registers, lists and removes the provider keys of a workspace, as an admin. */
function administering(place: LineagePlace) {
  const answer = responder(providerKeyRoutes, providerKeys(accessPorts()), httpPorts());
  const own = { workspace_id: place.workspace };
  const reply = async (...[method, path, parts]: Parameters<typeof request>) => {
    const { status, body } = await answer(request(method, path, { token: place.tokens.admin, ...parts }));
    return { status, json: body ? JSON.parse(String(body)) : null };
  };
  const path = '/v1/lineage/provider-keys';
  return {
    register: (body: object) => reply('POST', path, { body: { ...own, connector_id: place.connector.id, ...body } }),
    list: (query: object = {}) => reply('GET', path, { query: { ...own, ...query } }),
    remove: (provider_instance_id: string) =>
      reply('DELETE', `${path}/{provider_instance_id}`, { params: { provider_instance_id }, query: own }),
  };
}

const from = 'crm.core.a';
const to = 'crm.core.b';

const send = (place: LineagePlace, key: string | null, event: object = runEvent(place.namespace, [from], [to])) =>
  place.deliver('/api/v1/lineage', {
    body: event,
    query: {
      workspace_id: place.workspace,
      connector_id: place.connector.id,
      ...(key !== null && { provider_key: key }),
    },
  });

async function impact(place: LineagePlace, query: Record<string, string> = {}): Promise<ImpactAnswer> {
  const { status, json } = await place.ask('/v1/lineage/impact', {
    relation_ref: from,
    direction: 'downstream',
    ...query,
  });
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

const found = async (place: LineagePlace, query: Record<string, string> = {}) =>
  (await impact(place, query)).downstream.map(({ via, confidence }) => [...via, confidence]);

const place = () => world.place();

describe('a registered provider key', () => {
  it('gives what its feed stated and states the type and the weight that it has (C-FEED-1, C-EVIDENCE-3)', async () => {
    const here = await place();
    const keys = administering(here);
    await send(here, 'history');
    expect(await found(here)).toEqual([['openlineage', 0.8]]);
    const { status, json } = await keys.register({
      provider_key: 'history',
      provider_type: 'query_log',
      display_name: 'Warehouse history',
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({ class: 'query_log', provider_key: 'history', connector_id: here.connector.id });
    expect(await found(here)).toEqual([['query_log', 0.5]]);
    const everything = { connectorId: null, status: null, limit: 200, cursor: null };
    const { items } = await listProviders(queriesPorts(), here.workspace, everything);
    expect(items).toMatchObject([
      { id: json.id, provider_type: 'query_log', display_name: 'Warehouse history', connector_id: here.connector.id },
    ]);
    await send(here, null);
    expect(await found(here)).toEqual([['openlineage', 'query_log', 0.9]]);
  });

  it('can change its type, and is of type openlineage again once it is removed (C-FEED-3)', async () => {
    const here = await place();
    const keys = administering(here);
    const { json } = await keys.register({ provider_key: 'k', provider_type: 'query_log' });
    await send(here, 'k');
    await keys.register({ provider_key: 'k', provider_type: 'asset_list', class: 'catalog' });
    expect(await found(here)).toEqual([['asset_list', 0.6]]);
    expect((await keys.list()).json.items).toMatchObject([{ id: json.id, provider_type: 'asset_list' }]);
    expect((await keys.remove(json.id)).status).toBe(204);
    expect((await keys.remove(json.id)).status).toBe(404);
    expect(await found(here)).toEqual([['openlineage', 0.8]]);
    const everything = { connectorId: null, status: null, limit: 200, cursor: null };
    const { items } = await listProviders(queriesPorts(), here.workspace, everything);
    expect(items).toMatchObject([{ provider_type: 'openlineage', display_name: 'k' }]);
    // What a scope was first written under does not matter.
    expect((await keys.list()).json.items).toEqual([]);
  });

  it('is weighed and excluded by its type in policies, now and in questions about the past (C-FEED-2, C-POLICY-11)', async () => {
    const here = await place();
    const put = responder(policyRoutes, policyImplementations(policyPorts()), httpPorts());
    const set = async (body: object) => {
      const { status } = await put(
        request('PUT', '/v1/connectors/{connector_id}/lineage-policy', {
          token: here.tokens.admin,
          params: { connector_id: here.connector.id },
          body: { workspace_id: here.workspace, filters: safeDefaults, ...body },
        }),
      );
      return status;
    };
    await send(here, 'k');
    const asOf = new Date().toISOString();
    await administering(here).register({ provider_key: 'k', provider_type: 'own_log', class: 'runtime' });
    expect(await found(here)).toEqual([['own_log', 0.8]]);
    expect(await set({ fusion_weights: { own_log: 0.3 } })).toBe(200);
    expect(await found(here)).toEqual([['own_log', 0.3]]);
    expect(await found(here, { as_of: asOf })).toEqual([['own_log', 0.3]]);
    expect(await set({ fusion_weights: { own_log: null, gone: null } })).toBe(200);
    expect(await found(here)).toEqual([['own_log', 0.8]]);
    expect(await set({ fusion_weights: { 'Not a type': 0.3 } })).toBe(422);
    const provider_rules = [{ action: 'exclude', provider_type: 'own_log' }];
    expect(await set({ filters: { ...safeDefaults, provider_rules } })).toBe(200);
    expect(await found(here)).toEqual([]);
  });

  it('binds its key to its connector, before and after the first event (C-FEED-4, C-OPENLINEAGE-3)', async () => {
    const here = await place();
    const keys = administering(here);
    expect((await keys.register({ provider_key: 'bound', provider_type: 'spark' })).json.class).toBe('runtime');
    const unbound = { query: { workspace_id: here.workspace, provider_key: 'bound' }, body: {} };
    expect(await here.deliver('/api/v1/lineage', unbound)).toMatchObject({
      status: 409,
      json: { detail: { code: 'lineage_provider_scope_conflict' } },
    });
    expect(await keys.register({ provider_key: 'x', provider_type: 'spark', connector_id: 'other' })).toMatchObject({
      status: 404,
    });
  });

  it('moves to the connector that an administrator registers it for, after any first use (C-FEED-4)', async () => {
    const here = await place();
    const keys = administering(here);
    const squatted = { workspace_id: here.workspace, provider_key: 'history' };
    const first = await here.deliver('/api/v1/lineage', {
      query: squatted,
      body: runEvent(here.namespace, [from], [to]),
    });
    expect(first.status).toBe(202);
    const { status, json } = await keys.register({ provider_key: 'history', provider_type: 'query_log' });
    expect([status, json.connector_id]).toEqual([201, here.connector.id]);
    expect((await send(here, 'history')).status).toBe(202);
    const everything = { connectorId: here.connector.id, status: null, limit: 200, cursor: null };
    const { items } = await listProviders(queriesPorts(), here.workspace, everything);
    expect(items).toMatchObject([{ id: json.id, provider_type: 'query_log' }]);
    const refused = await here.deliver('/api/v1/lineage', { query: squatted, body: { n: 2 } });
    expect(refused).toMatchObject({ status: 409, json: { detail: { code: 'lineage_provider_scope_conflict' } } });
    expect(refused.json.detail.message).toContain('provider key');
    expect((await keys.remove(json.id)).status).toBe(204);
    expect((await send(here, 'history', { n: 3 })).status).toBe(202);
  });

  it('stays with the connector that it is registered for (C-FEED-4)', async () => {
    const here = await place();
    const keys = administering(here);
    const { record: other } = await createConnector(world.operator, here.workspace, {
      name: 'other',
      kind: 'duckdb',
      namespaces: [],
    });
    expect((await keys.register({ provider_key: 'k', provider_type: 'spark' })).status).toBe(201);
    expect(await keys.register({ provider_key: 'k', provider_type: 'spark', connector_id: other.id })).toMatchObject({
      status: 409,
      json: { detail: { code: 'lineage_provider_scope_conflict', message: expect.stringContaining('registered') } },
    });
  });

  it('has a type whose class decides the default weight (C-FEED-2)', async () => {
    const keys = administering(await place());
    for (const wrong of [
      { provider_type: 'no_class' },
      { provider_type: 'Bad Type', class: 'runtime' },
      { provider_type: 'dbt_manifest', class: 'declared' },
      { provider_type: 'catalog', class: 'runtime' },
      { provider_type: 'constructor', class: 'runtime' },
      { provider_type: 'query_log', class: 'declared' },
    ])
      expect(await keys.register({ provider_key: 'k', ...wrong }), JSON.stringify(wrong)).toMatchObject({
        status: 422,
        json: { detail: { code: 'validation_error' } },
      });
    expect(await keys.register({ provider_key: 'k', provider_type: 'query_log', class: 'query_log' })).toMatchObject({
      status: 201,
    });
  });
});

describe('the verdict of an edge', () => {
  it.each([
    ['catalog', 'declared_only', 'confirmed'],
    ['declared', 'declared_only', 'confirmed'],
    ['runtime', 'observed_only', 'observed_only'],
    ['query_log', 'observed_only', 'observed_only'],
  ] as const)(
    'judges an edge with only runs of a feed of class %s as %s (C-VERDICT-1)',
    async (evidenceClass, before, after) => {
      const here = await place();
      await administering(here).register({ provider_key: 'k', provider_type: 'own', class: evidenceClass });
      await send(here, 'k');
      const verdicts = async () => (await impact(here)).edges.map(({ verdict }) => verdict);
      expect(await verdicts()).toEqual([before]);
      await send(here, null);
      expect(await verdicts()).toEqual([after]);
    },
  );
});
