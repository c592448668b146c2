import fc from 'fast-check';
import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { artifactImplementations } from '../../functions/agent/artifacts.ts';
import { contextImplementations, memoryImplementations } from '../../functions/agent/memory.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { providerStore } from '../../shared/adapters/dynamodb/deliveries/providers.ts';
import { connectorSummaries } from '../../shared/adapters/dynamodb/registry/connector-summaries.ts';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { metered, metering } from '../../shared/adapters/dynamodb/requests/metered.ts';
import { agentArtifactRoutes } from '../../shared/contract/agent-artifacts.ts';
import { agentContextRoutes } from '../../shared/contract/agent-context.ts';
import { agentMemoryRoutes } from '../../shared/contract/agent-memory.ts';
import { UserId } from '../../shared/contract/ids.ts';
import { showContext } from '../../shared/domain/agents/context/show-context.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import { nodeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { agentPorts } from '../../shared/runtime/composition/agent.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { type Json, jsonAnswer } from '../support/json-answer.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
let respond: ReturnType<typeof responder>;

beforeAll(async () => {
  const ports = agentPorts();
  respond = responder(
    { ...agentArtifactRoutes, ...agentMemoryRoutes, ...agentContextRoutes },
    { ...artifactImplementations(ports), ...memoryImplementations(ports), ...contextImplementations(ports) },
    httpPorts(),
  );
});

const call = async (method: string, path: string, parts: Parameters<typeof request>[2]) =>
  jsonAnswer<Json & { items: Json[] }>(await respond(request(method, path, parts)));

const artifacts = '/v1/agent/artifacts';
const create = ({ workspace, tokens }: LineagePlace, extra: Json = {}) =>
  call('POST', artifacts, {
    token: tokens.editor,
    body: { workspace_id: workspace, tool_run_id: 'run', kind: 'sql', path: 'a.sql', content: 'select 1', ...extra },
  });
const move = ({ workspace, tokens }: LineagePlace, id: unknown, status: string) =>
  call('PATCH', `${artifacts}/{artifact_id}`, {
    token: tokens.editor,
    params: { artifact_id: String(id) },
    body: { workspace_id: workspace, status },
  });
const read = ({ workspace, tokens }: LineagePlace, id: unknown, part = '') =>
  call('GET', `${artifacts}/{artifact_id}${part}`, {
    token: tokens.viewer,
    params: { artifact_id: String(id) },
    query: { workspace_id: workspace },
  });
const list = ({ workspace, tokens }: LineagePlace, query: Record<string, string> = {}) =>
  call('GET', artifacts, { token: tokens.viewer, query: { workspace_id: workspace, ...query } });

describe('artifacts', () => {
  it('are versions of a path, the newest accepted one superseding the last (C-ARTIFACT-2, C-ARTIFACT-3)', async () => {
    const place = await world.place();
    const first = (await create(place)).json;
    expect(first).toMatchObject({ version: 1, status: 'accepted', language: 'sql', parent_artifact_id: null });
    const draft = (await create(place, { status: 'proposed', content: 'select 2' })).json;
    expect(draft).toMatchObject({ version: 2, parent_artifact_id: first['id'], status: 'proposed' });
    expect((await read(place, first['id'])).json['status']).toBe('accepted');
    const second = (await create(place, { content: 'select 3' })).json;
    expect(second).toMatchObject({ version: 2, parent_artifact_id: first['id'] });
    expect((await read(place, first['id'])).json['status']).toBe('superseded');
    // It was proposed to the first, and follows the second.
    expect((await move(place, draft['id'], 'accepted')).json).toMatchObject({
      version: 3,
      parent_artifact_id: second['id'],
      status: 'accepted',
    });
    expect((await read(place, second['id'])).json['status']).toBe('superseded');
  });

  it('keep one accepted version a path and an unbroken chain, however they are made and moved at once (C-ARTIFACT-2, C-ARTIFACT-3)', async () => {
    const place = await world.place();
    const step = fc.constantFrom('accepted', 'proposed', 'accept', 'reject', 'supersede');
    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.array(step, { minLength: 2, maxLength: 8 }), async (path, steps) => {
        const ids: unknown[] = [(await create(place, { path, status: 'proposed' })).json['id']];
        await Promise.all(
          steps.map(async (one) => {
            const id = ids[ids.length - 1];
            if (one === 'accept') await move(place, id, 'accepted');
            else if (one === 'reject') await move(place, id, 'rejected');
            else if (one === 'supersede') await move(place, id, 'superseded');
            else ids.push((await create(place, { path, status: one })).json['id']);
          }),
        );
        const { items } = (await list(place, { path, limit: '100' })).json;
        expect(items.filter(({ status }) => status === 'accepted').length).toBeLessThanOrEqual(1);
        const byId = new Map(items.map((one) => [one['id'], one]));
        for (const { parent_artifact_id, version } of items) {
          const parent = byId.get(parent_artifact_id);
          expect(version).toBe(parent ? Number(parent['version']) + 1 : 1);
        }
      }),
      { numRuns: 8 },
    );
  });

  it('follow only their transitions (C-ARTIFACT-3)', async () => {
    const place = await world.place();
    for (const [path, moves, codes] of [
      ['accepted', ['accepted', 'rejected', 'proposed', 'superseded', 'accepted'], ['c', 'c', 'c', null, 'c']],
      ['proposed', ['superseded', 'rejected', 'accepted'], ['c', null, 'c']],
    ] as const) {
      const { id } = (await create(place, { path, status: path })).json;
      for (const [i, status] of moves.entries())
        expect((await move(place, id, status)).code, status).toBe(codes[i] === 'c' ? 'conflict' : null);
    }
    expect((await move(place, 'art_nobodys', 'accepted')).code).toBe('not_found');
  });

  it('keep long content beside them, and are listed by pages and filters (C-ARTIFACT-1, C-ARTIFACT-6)', async () => {
    const place = await world.place();
    const content = `-- ü\n${'x'.repeat(150_000)}`;
    const { id } = (await create(place, { path: 'long', content, tool_run_id: 'long run' })).json;
    expect((await read(place, id)).json['content']).toBe(content);
    await create(place, { path: 'note', kind: 'note' });
    const first = (await list(place, { limit: '1' })).json;
    const rest = (await list(place, { limit: '1', cursor: String(first['next_cursor']) })).json;
    expect([...first.items, ...rest.items].map(({ path }) => path)).toEqual(['note', 'long']);
    const cursor = String(first['next_cursor']);
    expect((await list(place, { cursor, kind: 'sql' })).code).toBe('validation_error');
    expect((await list(place, { kind: 'note' })).json.items).toHaveLength(1);
    expect((await list(place, { tool_run_id: 'long run' })).json.items).toHaveLength(1);
    expect((await list(place, { status: 'rejected' })).json.items).toEqual([]);
  });

  it('are compared with the text of their parent (C-ARTIFACT-4)', async () => {
    const place = await world.place();
    await create(place, { kind: 'dbt_model', content: "select id, total from {{ ref('orders') }}\n" });
    const { id, parent_artifact_id } = (
      await create(place, {
        kind: 'dbt_model',
        content: "select id, total * 2 as total, day from {{ ref('orders') }}\n",
      })
    ).json;
    const { json } = await read(place, id, '/diff');
    expect(json['parent_artifact_id']).toBe(parent_artifact_id);
    expect(json['unified']).toContain("-select id, total from {{ ref('orders') }}\n+select id, total * 2");
    expect(Object.keys(json)).toEqual(['parent_artifact_id', 'unified']);
  });

  it('keep the digits of numbers as they were sent, and no number for an object (C-ARTIFACT-7)', async () => {
    const place = await world.place();
    const exact = '{"big":1e400,"long":9007199254740993,"zero":-0,"price":0.10,"list":[1E+2]}';
    const fields = `"metadata":${exact},"execution_log":[${exact}],"preview_rows":[${exact}]`;
    const head = `"workspace_id":"${place.workspace}","tool_run_id":"run","kind":"sql","path":"a.sql","content":"select 1"`;
    const post = (text: string) =>
      call('POST', artifacts, { token: place.tokens.editor, body: Buffer.from(`{${head},${text}}`) });
    const created = await post(fields);
    expect(created.status).toBe(201);
    const query = { workspace_id: place.workspace };
    const params = { artifact_id: String(created.json['id']) };
    const texts = await Promise.all([
      respond(request('GET', `${artifacts}/{artifact_id}`, { token: place.tokens.viewer, params, query })),
      respond(request('GET', artifacts, { token: place.tokens.viewer, query })),
    ]);
    for (const { body } of texts) expect(String(body).split(exact)).toHaveLength(4);
    await move(place, created.json['id'], 'superseded');
    const after = await respond(request('GET', artifacts, { token: place.tokens.viewer, query }));
    expect(String(after.body).split(exact)).toHaveLength(4);
    for (const text of ['"metadata":1e400', '"preview_rows":[0.10]']) expect((await post(text)).status).toBe(422);
  });

  it('keep whatever JSON their parts hold', async () => {
    const place = await world.place();
    const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => ({ '': inner }), 1e200);
    const parts = { metadata: { deep }, preview_rows: [{ a: null, b: [] }], execution_log: [{ '': -0.5 }] };
    const { id } = (await create(place, parts)).json;
    expect((await read(place, id)).json).toMatchObject(parts);
  });

  it('refuse a field that breaks its rule', async () => {
    const place = await world.place();
    for (const bad of [
      { kind: 'poem' },
      { status: 'rejected' },
      { metadata: { a: 'x'.repeat(65_536) } },
      { preview_columns: Array(200).fill('ü'.repeat(200)) },
      { more: 1 },
    ])
      expect((await create(place, bad)).code, JSON.stringify(bad).slice(0, 80)).toBe('validation_error');
  });
});

const memory = '/v1/agent/memory';
const generate = ({ workspace, tokens }: LineagePlace, correction_text: string, extra: Json = {}) =>
  call('POST', `${memory}/candidates/generate`, {
    token: tokens.editor,
    body: { workspace_id: workspace, correction_text, ...extra },
  });
const decide = (
  { workspace, tokens }: LineagePlace,
  id: unknown,
  decision: string,
  body?: Json,
  token = tokens.editor,
) =>
  call('POST', `${memory}/candidates/{candidate_id}/${decision}`, {
    token,
    query: { workspace_id: workspace },
    params: { candidate_id: String(id) },
    ...(body && { body }),
  });
const recall = ({ workspace, tokens }: LineagePlace, query: Record<string, string> = {}, token = tokens.viewer) =>
  call('GET', memory, { token, query: { workspace_id: workspace, ...query } });

describe('memory', () => {
  it('is about what its words name in the graph, and one candidate a meaning (C-MEMORY-6)', async () => {
    const place = await world.place();
    await place.emit(runEvent(place.namespace, ['crm.core.orders'], ['crm.core.revenue']));
    const [first] = (await generate(place, 'Revenue excludes refunds.')).json.items;
    expect(first).toMatchObject({
      status: 'pending',
      source: 'user_feedback',
      memory_type: 'semantic_correction',
      target_type: 'relation',
      target_key: 'crm.core.revenue',
      evidence_count: 1,
    });
    const [again] = (await generate(place, 'revenue excludes the refunds')).json.items;
    expect(again).toMatchObject({ id: first?.['id'], evidence_count: 2 });
    const [column] = (await generate(place, 'core.orders.total is the net amount')).json.items;
    expect(column).toMatchObject({
      target_type: 'column',
      target_key: 'crm.core.orders.total',
      memory_type: 'definition',
    });
    expect((await generate(place, 'One. Two. Three.', { limit: 2 })).json.items).toHaveLength(2);
  });

  it('is found by target, scope and words once it is approved, and names the memory that it contradicts (C-MEMORY-2, C-MEMORY-3, C-MEMORY-5, C-MEMORY-7)', async () => {
    const place = await world.place();
    await place.emit(runEvent(place.namespace, ['crm.core.orders'], ['crm.core.revenue']));
    const [gross] = (await generate(place, 'revenue includes refunds')).json.items;
    const retained = (await decide(place, gross?.['id'], 'approve', { tags: ['finance'] })).json;
    expect(retained).toMatchObject({ status: 'approved', tags: ['finance'], supersedes_memory_id: null });
    expect(Date.parse(String(retained['review_after']))).toBeGreaterThan(Date.parse(String(retained['reviewed_at'])));
    expect((await decide(place, gross?.['id'], 'dismiss')).code).toBe('conflict');
    const [net] = (await generate(place, 'revenue excludes refunds')).json.items;
    const approved = (await decide(place, net?.['id'], 'approve', { scope: 'team' })).json;
    expect(approved['supersedes_memory_id']).toBe(retained['approved_memory_id']);
    const found = await recall(place, { target_key: 'CRM.core.revenue', q: 'refunds EXCLUDES' });
    expect(found.json.items.map(({ id }) => id)).toEqual([net?.['id']]);
    expect((await recall(place, { q: 'churn' })).json.items).toEqual([]);
    expect((await recall(place, { scope: 'workspace' })).json.items).toHaveLength(1);
    const ended = await call('POST', `${memory}/{memory_id}/supersede`, {
      token: place.tokens.editor,
      params: { memory_id: String(approved['approved_memory_id']) },
      body: { workspace_id: place.workspace },
    });
    expect(ended.json['status']).toBe('superseded');
    expect((await recall(place)).json.items).toEqual([]);
  });

  it('is only visible to its author if it is personal (C-MEMORY-4)', async () => {
    const place = await world.place();
    const [one] = (await generate(place, 'always round to cents')).json.items;
    await decide(place, one?.['id'], 'approve', { scope: 'personal' });
    expect((await recall(place, {}, place.tokens.editor)).json.items).toHaveLength(1);
    expect((await recall(place, {}, place.tokens.admin)).json.items).toEqual([]);
    const candidates = (token: string) =>
      call('GET', `${memory}/candidates`, { token, query: { workspace_id: place.workspace } });
    expect((await candidates(place.tokens.viewer)).json.items).toEqual([]);
    expect((await candidates(place.tokens.editor)).json.items).toHaveLength(1);
  });

  it('becomes the own memory of who approves it as personal (C-MEMORY-4)', async () => {
    const place = await world.place();
    const [one] = (await generate(place, 'amounts are in cents')).json.items;
    const approved = await call('POST', `${memory}/candidates/{candidate_id}/approve`, {
      token: place.tokens.admin,
      query: { workspace_id: place.workspace },
      params: { candidate_id: String(one?.['id']) },
      body: { scope: 'personal' },
    });
    expect(approved.json['status']).toBe('approved');
    expect((await recall(place, {}, place.tokens.admin)).json.items).toHaveLength(1);
    expect((await recall(place, {}, place.tokens.editor)).json.items).toEqual([]);
  });

  it('refuses a field that breaks its rule', async () => {
    const place = await world.place();
    expect((await generate(place, 'x', { more: 1 })).code).toBe('validation_error');
    const [one] = (await generate(place, 'keep it')).json.items;
    expect((await decide(place, one?.['id'], 'approve', { memory_type: 'rumour' })).code).toBe('validation_error');
    expect((await decide(place, 'mc_nobodys', 'reject')).code).toBe('not_found');
  });
});

describe('the context of an agent', () => {
  it('counts the tables of each connector, and names the most connected first (C-AGENT-4)', async () => {
    const place = await world.place();
    const context = async (token: string) => (await call('GET', '/v1/agent/context', { token })).json;
    const connectorIn = (json: Json) => (json['workspaces'] as { connectors: Json[] }[])[0]?.connectors[0];
    expect(connectorIn(await context(place.tokens.viewer))).toMatchObject({ status: 'empty', table_count: 0 });
    await place.emit(runEvent(place.namespace, ['crm.core.a', 'crm.core.b'], ['crm.core.hub']));
    await place.emit(runEvent(place.namespace, ['crm.core.hub'], ['crm.core.c']));
    const json = await context(place.tokens.viewer);
    expect(json).toMatchObject({ workspaces: [{ id: place.workspace, role: 'viewer' }] });
    const connector = connectorIn(json);
    expect(connector).toMatchObject({ id: place.connector.id, kind: 'postgres', status: 'active', table_count: 4 });
    expect(connector).toMatchObject({ sample_tables: expect.arrayContaining(['crm.core.hub']) });
    expect(Object.values(connector?.['sample_tables'] ?? {})[0]).toBe('crm.core.hub');
    expect(connector?.['schema_age_seconds']).toBeGreaterThanOrEqual(0);
    expect(connector).toMatchObject({ last_error: null, last_sync_at: expect.stringMatching(/Z$/) });
    const { token } = await world.token(place.workspace, `${place.namespace.match(/lineage-\d+/)?.[0]}-admin`, [
      'read',
    ]);
    expect(await context(token)).toMatchObject({
      default_workspace_id: place.workspace,
      workspaces: [{ role: 'admin' }],
    });
  });

  const tableCount = async (token: string) => {
    const { json } = await call('GET', '/v1/agent/context', { token });
    return (json['workspaces'] as { connectors: Json[] }[])[0]?.connectors[0]?.['table_count'];
  };

  const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.${name},PROD)`;
  const catalog = (place: LineagePlace, ...tables: string[]) =>
    place.declare('/v1/lineage/datahub', {
      export: tables.map((name) => ({ upstreamUrn: urn('root'), downstreamUrn: urn(name) })),
      import_source: 'catalog',
      completeness: 'complete',
      source_event_key: `of ${tables.length}`,
    });

  it('forgets tables that a snapshot drops (C-AGENT-4)', async () => {
    const place = await world.place();
    await catalog(place, 'a', 'b', 'c');
    expect(await tableCount(place.tokens.viewer)).toBe(4);
    await catalog(place, 'a');
    expect(await tableCount(place.tokens.viewer)).toBe(2);
  });

  it('costs the same whatever the size of the graph (C-AGENT-4)', async () => {
    const read = { ...world.table, client: metered(dynamodb()) };
    const ports = {
      registry: registry(read),
      providers: providerStore(read),
      summaries: connectorSummaries(read),
      clock: systemClock,
    };
    const costOf = async ({ tokens }: LineagePlace) => {
      const { sub } = decodeJwt(tokens.viewer);
      const caller = { kind: 'session', userId: v.parse(UserId, sub), email: null } as const;
      return (await metering(() => showContext(ports, caller))).cost;
    };
    const [small, large] = [await world.place(), await world.place()];
    await catalog(small, 'a', 'b');
    await catalog(large, ...Array.from({ length: 80 }, (_, i) => `a_table_with_a_long_name_${i}`));
    const before = await costOf(large);
    expect(before.requests).toBe((await costOf(small)).requests);
    const seen = Array.from({ length: 20_000 }, (_, i) => ({
      node: nodeId(
        urnOf({ kind: 'relation', connectorId: large.connector.id, ref: `crm.core.${'t'.repeat(100)}${i}` }),
      ),
      ref: `crm.core.${'t'.repeat(100)}${i}`,
      degree: 7,
    }));
    await ports.summaries.update(large.workspace, large.connector.id, { seen, at: new Date().toISOString() });
    const after = await costOf(large);
    expect(Math.abs(Number(await tableCount(large.tokens.viewer)) - 20_081)).toBeLessThan(2_000);
    expect(after.requests).toBe(before.requests);
    expect(after.read_units).toBeLessThanOrEqual(12);
  });
});
