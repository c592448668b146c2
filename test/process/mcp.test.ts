import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import shop from '../fixtures/dbt/shop-manifest.json' with { type: 'json' };
import { runEvent } from '../support/run-event.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

let service: ServiceProcess;
let token: string;
let workspace: string;

beforeAll(async () => {
  service = await startProcess(['--in-memory', '--seed', 'conformance']);
  const { workspaces } = service.credentials;
  const acme = workspaces['acme'];
  if (acme === undefined) throw new Error('The seed has no workspace acme.');
  workspace = acme.id;
  token = acme.tokens['admin'] ?? '';
  const connector_id = acme.connectors['warehouse']?.id;
  const body = { workspace_id: workspace, connector_id, manifest: shop };
  await post('/v1/linked-projects', { workspace_id: workspace, project_id: 'shop' });
  const created = await post('/v1/lineage/dbt/manifest', {
    ...body,
    completeness: 'complete',
    project_id: 'shop',
    source_event_key: 'first',
  });
  expect(created.status).toBe(202);
});
afterAll(() => service.end('SIGTERM'));

const post = (path: string, content: object) =>
  fetch(`${service.credentials.base_url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(content),
  });

const byHttp = (bearer = token): Transport => {
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
  // The SDK's own types leave out what exactOptionalPropertyTypes asks for.
  return new StreamableHTTPClientTransport(new URL(`${service.credentials.base_url}/mcp`), {
    requestInit,
  }) as Transport;
};

it('calls the service by its own address, whatever names the caller sends', async () => {
  const { port } = new URL(service.credentials.base_url);
  const elsewhere = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  let calls = 0;
  elsewhere.on('request', () => calls++);
  const address = elsewhere.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_feeds', arguments: { workspace_id: workspace } },
  };
  const call = request({
    port,
    host: '127.0.0.1',
    path: '/mcp',
    method: 'POST',
    headers: {
      host,
      'x-forwarded-proto': 'https',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    },
  });
  call.end(JSON.stringify(body));
  const [answer] = await once(call, 'response');
  const { result } = JSON.parse(await text(answer));
  elsewhere.close();
  expect([calls, answer.statusCode, result.isError ?? false]).toEqual([0, 200, false]);
});

const byStdio = (): Transport =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['cli/tributary.ts', 'mcp', '--credentials', service.file, '--workspace', 'acme', '--connector', 'warehouse'],
  });

async function connected<T>(transport: Transport, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function call(client: Client, name: string, input: object) {
  const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: { ...input } });
  const [first] = content as { text: string }[];
  return { isError, answer: structuredContent as Record<string, never>, text: first?.text ?? '' };
}

describe.each([
  ['streamable HTTP', byHttp],
  ['standard input and output', byStdio],
] as const)('agents by %s', (_, transport) => {
  const place = () => ({ workspace, connector: 'warehouse' });

  it('are offered tools that change nothing, and a resource (C-AGENT-5)', async () => {
    await connected(transport(), async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual([
        'diff_branch',
        'explain_edge',
        'get_impact',
        'get_relation',
        'list_checks',
        'list_feeds',
        'list_gaps',
        'search_relations',
      ]);
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    });
  });

  it('learn what breaks, the evidence for it, and what to ask next', async () => {
    await connected(transport(), async (client) => {
      const question = { ...place(), relation_ref: 'crm.raw.orders' };
      const impact = () => call(client, 'get_impact', question);
      await expect.poll(async () => (await impact()).answer['downstream'], { timeout: 30_000 }).not.toEqual([]);
      const { answer } = await impact();
      expect(answer['root']).toBe('crm.raw.orders');
      expect(JSON.stringify(answer['evidence'])).toMatch(/"scope":"connector:/);
      expect(answer).toMatchObject({ coverage: { complete: true }, truncated: { any: false }, next: /explain_edge/ });
      const values = await call(client, 'get_impact', { ...question, columns: ['amount'], influence: 'direct' });
      expect([values.isError, values.answer['root']]).toEqual([false, 'crm.raw.orders']);
      const edge = await call(client, 'explain_edge', {
        ...place(),
        upstream: 'crm.raw.orders',
        downstream: 'crm.core.stg_orders',
      });
      expect(edge.answer).toMatchObject({
        found: true,
        evidence: [{ delivery_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
      });
      const unknown = await call(client, 'get_impact', { ...place(), relation_ref: 'crm.raw.order' });
      const candidates = expect.arrayContaining(['crm.raw.orders']);
      expect(unknown.answer).toMatchObject({
        resolution: { method: 'unresolved', candidates },
        next: /search_relations/,
      });
      const unknownEnd = { ...place(), upstream: 'crm.raw.order', downstream: 'crm.core.stg_orders' };
      expect((await call(client, 'explain_edge', unknownEnd)).answer).toMatchObject({
        upstream: { lineage_resolution: { candidates } },
        next: /says nothing about the edge/,
      });
    });
  });

  it('compare a branch, and see the feeds and their gaps', async () => {
    await connected(transport(), async (client) => {
      const stg = { ...shop.nodes['model.shop.stg_orders'], compiled_code: 'select id from crm.raw.orders' };
      const manifest = { ...shop, nodes: { ...shop.nodes, 'model.shop.stg_orders': stg } };
      const diff = await call(client, 'diff_branch', { ...place(), manifest });
      expect(diff.answer).toMatchObject({ grade: 'breaking' });
      const feeds = await call(client, 'list_feeds', { workspace });
      expect(JSON.stringify(feeds.answer)).toContain('dbt_manifest');
      expect((await call(client, 'list_gaps', { workspace })).answer).toMatchObject({ truncated: false });
    });
  });

  it('find a relation, read it as a resource, and see what is checked', async () => {
    await connected(transport(), async (client) => {
      const found = await call(client, 'search_relations', { ...place(), query: 'stg ord' });
      expect(found.answer).toMatchObject({ relations: [{ relation_ref: 'crm.core.stg_orders' }], truncated: false });
      const holding = await call(client, 'search_relations', { ...place(), query: 'stg_orders order_', in: 'columns' });
      expect(holding.answer).toMatchObject({
        relations: [{ relation_ref: 'crm.core.stg_orders', columns: expect.arrayContaining(['order_id']) }],
      });
      const relation = await call(client, 'get_relation', { ...place(), relation_ref: 'crm.core.stg_orders' });
      expect(JSON.stringify(relation.answer['columns'])).toContain('order_id');
      const { contents } = await client.readResource({ uri: 'tributary://relations/warehouse/crm.core.stg_orders' });
      expect(JSON.stringify(contents)).toContain('crm.raw.orders');
      expect((await call(client, 'list_checks', { workspace })).answer).toMatchObject({ checks: [], truncated: false });
    });
  });

  it('get the candidates of a name that several connectors have (C-IDENTITY-17)', async () => {
    await post(`/api/v1/lineage/batch?workspace_id=${workspace}`, [
      runEvent('postgres://warehouse.acme.test:5432', ['shop.main.same'], ['shop.main.reader']),
      runEvent('duckdb://acme', ['shop.main.same'], ['shop.main.reader']),
    ]);
    await connected(byHttp(), async (client) => {
      const impact = (named: object) => call(client, 'get_impact', { workspace, ...named });
      const ambiguous = async () => (await impact({ relation_ref: 'shop.main.same' })).text;
      await expect.poll(ambiguous, { timeout: 30_000 }).toMatch(/^ambiguous_relation: /);
      expect(await ambiguous()).toMatch(/duck \(con_\w+\): shop\.main\.same, 0 upstream, 1 downstream/);
      const [duck, only] = [
        await impact({ relation_ref: 'shop.main.same', connector: 'duck' }),
        await impact({ relation_ref: 'crm.raw.orders' }),
      ];
      expect([duck.isError, only.isError, only.answer['root']]).toEqual([false, false, 'crm.raw.orders']);
      expect(duck.answer).not.toHaveProperty('narrowed_by');
      const edge = { upstream: 'shop.main.same', downstream: 'shop.main.reader' };
      expect((await call(client, 'explain_edge', { workspace, ...edge })).text).toMatch(/^ambiguous_relation: /);
    });
    await connected(byStdio(), async (client) => {
      const { answer } = await call(client, 'get_impact', { relation_ref: 'shop.main.same' });
      expect(answer).toMatchObject({ narrowed_by: 'connector warehouse, from --connector' });
    });
  });

  it('get errors that say how to correct a request', async () => {
    await connected(transport(), async (client) => {
      const wrong = await call(client, 'get_impact', { ...place(), relation_ref: 'x', max_depth: 99 });
      expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('max_depth')]);
      const nowhere = await call(client, 'get_impact', { workspace, connector: 'nope', relation_ref: 'x' });
      expect([nowhere.isError, nowhere.text]).toEqual([true, expect.stringContaining('duck, lake, warehouse')]);
      await expect(client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toThrow('no tool');
      await expect(client.readResource({ uri: 'tributary://elsewhere' })).rejects.toThrow('tributary://relations/');
    });
  });
});

it('takes no agent in without a token, and lets one do no more than the caller may', async () => {
  await expect(connected(byHttp('dpt_wrong'), async () => undefined)).rejects.toThrow();
  await connected(byHttp(service.credentials.outsider.token), async (client) => {
    const refused = await call(client, 'list_feeds', { workspace });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^insufficient_workspace_role/)]);
  });
});
