import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { policyImplementations } from '../../functions/policy/policy.ts';
import { policiesOf } from '../../shared/adapters/dynamodb/registry/policies.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { type LineagePolicy, type PolicyFilters, policyRoutes } from '../../shared/contract/policy.ts';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { policyPorts } from '../../shared/runtime/composition/queries.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request, startAccessWorld } from '../support/access-world.ts';
import { drainQueue } from '../support/intake-ports.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startAccessWorld);
let workspace: WorkspaceId;
let connector: ConnectorId;
let tokens: Readonly<Record<'viewer' | 'editor' | 'admin', string>>;
let respond: ReturnType<typeof responder>;
let queueIsDown = false;
let built = 0;

beforeAll(async () => {
  const ports = policyPorts();
  const queue: typeof ports.queue = {
    ...ports.queue,
    send: (message) => (queueIsDown ? Promise.reject(new Error('down')) : ports.queue.send(message)),
  };
  respond = responder(policyRoutes, policyImplementations({ ...ports, queue }), httpPorts());
});
beforeEach(async () => {
  const name = `policy-${built++}`;
  workspace = (await world.workspace(name)).id;
  const { record } = await createConnector(world.operator, workspace, { name: 'duck', kind: 'duckdb' });
  connector = record.id;
  const sign = (role: string) => world.issuer.sign(`${name}-${role}`);
  tokens = { viewer: await sign('viewer'), editor: await sign('editor'), admin: await sign('admin') };
  await drainQueue();
});

const path = '/v1/connectors/{connector_id}/lineage-policy';

async function send(method: string, resource: string, parts: Parameters<typeof request>[2] = {}) {
  const all = { token: tokens.admin, params: { connector_id: connector }, ...parts };
  const { status, body } = await respond(request(method, resource, all));
  return { status, json: JSON.parse(String(body)) };
}
const get = (parts = {}) => send('GET', path, { query: { workspace_id: workspace }, ...parts });
const put = (extra: object = {}, parts = {}) =>
  send('PUT', path, { body: { workspace_id: workspace, filters: safeDefaults, ...extra }, ...parts });
const filtering = (include: string[]): PolicyFilters => ({ ...safeDefaults, schema_scope: { include, exclude: [] } });

describe('the policy of a connector', () => {
  it('is the safe default before there is a revision (C-POLICY-2, C-EVIDENCE-3)', async () => {
    const { status, json } = await get();
    expect(status).toBe(200);
    expect(json).toEqual({
      workspace_id: workspace,
      connector_id: connector,
      revision: 0,
      policy_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      created_at: null,
      created_by: null,
      filters: safeDefaults,
      safe_defaults: safeDefaults,
      fusion_weights: { declared: 0.9, openlineage: 0.8, catalog: 0.6, query_log: 0.5 },
      repair: {
        repair_started: false,
        state: 'done',
        evidence_total: 0,
        evidence_checked: 0,
        admitted: 0,
        suppressed: 0,
        updated_at: null,
      },
    });
  });

  it('is normalized, hashed and returned at once, with a recount in progress (C-POLICY-3, C-POLICY-5)', async () => {
    const before = await get();
    const { status, json } = await put({ filters: filtering(['B.*', 'a.*', 'b.*']) });
    expect(status).toBe(200);
    expect(json).toMatchObject({ revision: 1, filters: filtering(['a.*', 'b.*']) });
    expect(json.repair).toMatchObject({ repair_started: true, state: 'pending', evidence_checked: 0 });
    expect(json.created_by).toMatch(/-admin$/);
    expect(json.policy_hash).not.toBe(before.json.policy_hash);
    expect((await get()).json).toEqual({ ...json, repair: { ...json.repair, repair_started: false } });
    expect((await policiesOf(world.table, workspace, [connector])).get(connector)).toEqual({
      revision: 1,
      filters: json.filters,
      weights: json.fusion_weights,
    });
    expect(await drainQueue()).toEqual([
      { version: 1, kind: 'recount_policy', workspace_id: workspace, connector_id: connector, revision: 1, step: 0 },
    ]);
    expect((await put()).json.policy_hash).toBe(before.json.policy_hash);
  });

  it('keeps weights that are not given (C-POLICY-6)', async () => {
    expect((await put({ fusion_weights: { catalog: 0.1 } })).json.fusion_weights.catalog).toBe(0.1);
    expect((await put()).json.fusion_weights).toEqual({
      declared: 0.9,
      openlineage: 0.8,
      catalog: 0.1,
      query_log: 0.5,
    });
  });

  it('takes the default of a class again for null (C-EVIDENCE-3)', async () => {
    await put({ fusion_weights: { catalog: 0.1, spark: 0.3 } });
    const { json } = await put({ fusion_weights: { catalog: null, spark: null } });
    expect(json.fusion_weights).toEqual({ declared: 0.9, openlineage: 0.8, catalog: 0.6, query_log: 0.5 });
  });

  it('takes weights however small, to nine decimals', async () => {
    const { status, json } = await put({ fusion_weights: { catalog: 5e-324, declared: 0.123_456_789_1 } });
    expect([status, json.fusion_weights]).toMatchObject([200, { catalog: 0, declared: 0.123_456_789 }]);
  });

  it('is set even if no worker could be called, and the answer says so (C-POLICY-4)', async () => {
    queueIsDown = true;
    const { status, json } = await put();
    queueIsDown = false;
    expect(status).toBe(200);
    expect(json.repair).toMatchObject({ repair_started: false, state: 'pending' });
    expect((await get()).json.revision).toBe(1);
  });
});

describe('revisions', () => {
  it('are all kept when many come at once (C-POLICY-1)', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => put({ filters: filtering([`s${n}.*`]) })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const numbers = answers.map(({ json }) => json.revision).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    const list = await send('GET', `${path}/revisions`, { query: { workspace_id: workspace } });
    const remaining = new Map<number, LineagePolicy>(
      list.json.items.map((item: LineagePolicy) => [item.revision, item]),
    );
    for (const { json } of answers) {
      expect(remaining.get(json.revision)).toMatchObject({ filters: json.filters, policy_hash: json.policy_hash });
    }
    expect((await get()).json.revision).toBe(12);
  });

  it('are refused with another expected_revision, and only one of several with the current one succeeds (C-POLICY-6)', async () => {
    await put();
    expect(await put({ expected_revision: 0 })).toMatchObject({ status: 409, json: { detail: { code: 'conflict' } } });
    const race = await Promise.all(Array.from({ length: 6 }, () => put({ expected_revision: 1 })));
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await get()).json.revision).toBe(2);
  });

  it('are listed newest first, in pages', async () => {
    for (const name of ['a', 'b', 'c']) await put({ filters: filtering([name]) });
    const page = (query = {}) => send('GET', `${path}/revisions`, { query: { workspace_id: workspace, ...query } });
    expect((await page()).json).toMatchObject({ items: [{ revision: 3 }, { revision: 2 }, { revision: 1 }] });
    const first = await page({ limit: '2' });
    expect(first.json).toMatchObject({ items: [{ revision: 3 }, { revision: 2 }], next_cursor: expect.any(String) });
    const second = await page({ limit: '2', cursor: first.json.next_cursor });
    expect(second.json).toMatchObject({ items: [{ revision: 1, filters: filtering(['a']) }], next_cursor: null });
    for (const cursor of ['1', 'x']) expect((await page({ cursor })).status).toBe(422);
    const { record } = await createConnector(world.operator, workspace, { name: 'lake', kind: 'snowflake' });
    const query = { workspace_id: workspace, cursor: first.json.next_cursor };
    const elsewhere = await send('GET', `${path}/revisions`, { params: { connector_id: record.id }, query });
    expect(elsewhere.status).toBe(422);
  });
});

describe('requests', () => {
  it('are only for administrators, with the admin scope (C-POLICY-13)', async () => {
    for (const token of [tokens.viewer, tokens.editor]) {
      for (const answer of [await get({ token }), await put({}, { token })])
        expect(answer).toMatchObject({ status: 403, json: { detail: { code: 'insufficient_workspace_role' } } });
    }
    const { token } = await world.token(workspace, `policy-${built - 1}-admin`, ['read', 'write']);
    expect(await get({ token })).toMatchObject({ status: 403, json: { detail: { code: 'insufficient_scope' } } });
    expect((await get({ token: null })).status).toBe(401);
  });

  it('name the place that breaks a rule', async () => {
    const places: readonly (readonly [object, string])[] = [
      [{ surprise: 1 }, ''],
      [{ filters: { ...safeDefaults, more: 1 } }, '/filters'],
      [{ filters: { ...safeDefaults, statement_kinds: ['teleport'] } }, '/filters/statement_kinds/0'],
      [{ filters: { ...safeDefaults, schema_scope: { include: '*', exclude: [] } } }, '/filters/schema_scope/include'],
      [
        { filters: { ...safeDefaults, schema_scope: { include: ['x'.repeat(501)], exclude: [] } } },
        '/filters/schema_scope/include/0',
      ],
      [{ filters: filtering(Array.from({ length: 200 }, (_, n) => `${n}`.padEnd(500, 'x'))) }, '/filters'],
      [
        { filters: { ...safeDefaults, provider_rules: [{ provider_type: 'x', action: 'ignore' }] } },
        '/filters/provider_rules/0/action',
      ],
      [{ fusion_weights: { declared: 1.1 } }, '/fusion_weights/declared'],
      [{ fusion_weights: { gossip: 0.1 } }, '/fusion_weights/gossip'],
      [{ expected_revision: -1 }, '/expected_revision'],
    ];
    for (const [extra, place] of places) {
      const { status, json } = await put(extra);
      expect(status, place).toBe(422);
      expect(json.detail.errors[0].path).toBe(place);
    }
    expect((await get()).json.revision).toBe(0);
  });

  it('about another connector, or another workspace’s, find nothing (C-READ-6)', async () => {
    const other = await world.workspace(`other-${built}`);
    const foreign = await createConnector(world.operator, other.id, { name: 'theirs', kind: 'duckdb' });
    for (const connector_id of ['nope', 'not an id', foreign.record.id]) {
      expect((await get({ params: { connector_id } })).status).toBe(404);
      expect((await put({}, { params: { connector_id } })).status).toBe(404);
    }
  });
});
