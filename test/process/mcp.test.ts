import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, type Progress, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
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
  const waiting = { timeout: 30_000, interval: 100 };
  // Two connectors know relations of one name.
  await post(`/api/v1/lineage/batch?workspace_id=${workspace}`, [
    runEvent('postgres://warehouse.acme.test:5432', ['shop.main.same'], ['shop.main.reader']),
    runEvent('duckdb://acme', ['shop.main.same'], ['shop.main.reader']),
    runEvent('postgres://warehouse.acme.test:5432', ['crm.one.several'], ['crm.two.several'], { job: 'several' }),
  ]);
  await vi.waitFor(async () => expect(await statusOf('crm.core.stg_orders')).toBe(200), waiting);
  for (const name of ['shop.main.same', 'several'])
    await vi.waitFor(async () => expect(await statusOf(name)).toBe(409), waiting);
});
afterAll(() => service.end('SIGTERM'));

const post = (path: string, content: object) =>
  fetch(`${service.credentials.base_url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(content),
  });

async function statusOf(relation_ref: string): Promise<number> {
  const query = new URLSearchParams({ workspace_id: workspace, relation_ref });
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${service.credentials.base_url}/v1/lineage/relation?${query}`, { headers })).status;
}

const byHttp = (bearer = token): Transport => {
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
  return new StreamableHTTPClientTransport(new URL(`${service.credentials.base_url}/mcp`), { requestInit });
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

const byStdio = (connector: string | null = 'warehouse'): Transport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [
      ...['cli/tributary.ts', 'mcp', '--credentials', service.file, '--workspace', 'acme'],
      ...(connector === null ? [] : ['--connector', connector]),
    ],
  });

const revisions = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const;
type Revision = keyof typeof revisions;

async function connected<T>(
  transport: Transport,
  work: (client: Client) => Promise<T>,
  revision: Revision = '2026-07-28',
): Promise<T> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: revisions[revision] } });
  await client.connect(transport);
  try {
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    return await work(client);
  } finally {
    await client.close();
  }
}

async function call(client: Client, name: string, input: object) {
  const { isError = false, structuredContent, content } = await client.callTool({ name, arguments: { ...input } });
  const [first] = content as { text: string }[];
  return { isError, answer: (structuredContent ?? {}) as Readonly<Record<string, unknown>>, text: first?.text ?? '' };
}

/** A branch that leaves all columns of a staging model out but one. */
function branch() {
  const stg = { ...shop.nodes['model.shop.stg_orders'], compiled_code: 'select id from crm.raw.orders' };
  return { ...shop, nodes: { ...shop.nodes, 'model.shop.stg_orders': stg } };
}

const earlier = new Date(Date.now() - 3_600_000).toISOString();

/** Every tool with arguments that it answers. */
const calls = {
  get_context: {},
  search_relations: { query: 'orders' },
  get_relation: { relation_ref: 'crm.raw.orders' },
  get_impact: { relation_ref: 'crm.raw.orders' },
  explain_edge: { upstream: 'crm.raw.orders', downstream: 'crm.core.stg_orders' },
  get_history: { relation_ref: 'crm.raw.orders', from: earlier },
  diff_branch: { manifest: branch() },
  list_feeds: {},
  list_gaps: {},
  list_checks: {},
  search_memory: {},
  list_artifacts: {},
};

describe.each([
  ['streamable HTTP', '2025-11-25', byHttp],
  ['streamable HTTP', '2026-07-28', byHttp],
  ['standard input and output', '2025-11-25', byStdio],
  ['standard input and output', '2026-07-28', byStdio],
] as const)('agents by %s with revision %s', (_, revision, transport) => {
  it('are offered at most 15 tools that change nothing, and a resource, and can call each (C-AGENT-5, C-AGENT-7)', async () => {
    const work = async (client: Client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort());
      const unchanging = { readOnlyHint: true, idempotentHint: true, destructiveHint: false };
      expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
      expect(tools[0]?.annotations).toMatchObject(unchanging);
      expect(tools.filter(({ outputSchema }) => outputSchema?.['required'] === undefined)).toEqual([]);
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
      for (const [name, input] of Object.entries(calls)) {
        const { isError, answer, text: written } = await call(client, name, { workspace, ...input });
        expect([name, isError, answer['next']]).toEqual([name, false, expect.any(String)]);
        expect(JSON.parse(written)).toEqual(answer);
      }
    };
    await connected(transport(), work, revision);
  });

  it('hear of each request before the answer if they ask for progress (C-AGENT-7)', async () => {
    const heard: (string | undefined)[] = [];
    const work = async (client: Client) => {
      const input = { workspace, relation_ref: 'crm.raw.orders' };
      const onprogress = ({ progress, message }: Progress) => heard.push(`${progress} ${message}`);
      const answer = await client.callTool({ name: 'get_impact', arguments: input }, { onprogress });
      expect(answer.isError ?? false).toBe(false);
    };
    await connected(transport(), work, revision);
    expect(heard).toContain(`${heard.length} GET /v1/lineage/impact`);
  });
});

describe.each([
  ['streamable HTTP', byHttp],
  ['standard input and output', byStdio],
] as const)('agents by %s', (_, transport) => {
  const place = () => ({ workspace, connector: 'warehouse' });

  it('learn what breaks, in counts first, and the evidence for it', async () => {
    await connected(transport(), async (client) => {
      const question = { ...place(), relation_ref: 'crm.raw.orders' };
      const { answer } = await call(client, 'get_impact', { ...question, evidence: true, mappings: true });
      expect(answer).toMatchObject({
        root: 'crm.raw.orders',
        counts: { by_distance: { 1: 1 }, by_kind: { relation: 4, exposure: 1 }, by_verdict: { declared_only: 5 } },
        ...{ shown: 5, total: 5, next_cursor: null, incomplete: [] },
        coverage: { complete: true },
        next: /^All 5 relations are here\..* explain_edge/,
      });
      expect(JSON.stringify(answer['relations'])).toMatch(/"stated_by":.*"scope":"connector:/);
      expect(JSON.stringify(answer['relations'])).toMatch(/"mappings":.*"from":"amount"/);
      const values = await call(client, 'get_impact', { ...question, columns: ['amount'], influence: 'direct' });
      const reached = values.answer['relations'] as { effect: string }[];
      expect(values.answer['counts']).toMatchObject({ by_effect: { breaks: 3, may_break: 2 } });
      expect(reached.map(({ effect }) => effect)).toEqual([...Array(3).fill('breaks'), ...Array(2).fill('may_break')]);
      const ends = { upstream: 'crm.raw.orders', downstream: 'crm.core.stg_orders' };
      expect((await call(client, 'explain_edge', { ...place(), ...ends })).answer).toMatchObject({
        found: true,
        evidence: [{ delivery_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
      });
    });
  });

  it('get every item of a list by pages, and each page says how many there are (C-AGENT-9)', async () => {
    await connected(transport(), async (client) => {
      for (const [name, list, input] of [
        ['get_impact', 'relations', { relation_ref: 'crm.raw.orders' }],
        ['get_relation', 'columns', { relation_ref: 'crm.raw.orders' }],
        ['search_relations', 'relations', { query: 'crm' }],
        ['diff_branch', 'changes', { manifest: branch() }],
        ['diff_branch', 'changes', { from: earlier }],
      ] as const) {
        const whole = await call(client, name, { ...place(), ...input });
        const expected = whole.answer[list] as unknown[];
        const found: unknown[] = [];
        for (let cursor: string | undefined; found.length < 100; ) {
          const { answer } = await call(client, name, { ...place(), ...input, limit: 1, ...(cursor && { cursor }) });
          found.push(...(answer[list] as unknown[]));
          cursor = (answer['next_cursor'] ?? undefined) as string | undefined;
          if (!cursor) break;
          expect([name, answer['shown'], answer['next']]).toEqual([name, 1, expect.stringContaining('next_cursor')]);
        }
        expect([name, expected.length > 1, found]).toEqual([name, true, expected]);
      }
    });
  });

  it('narrow what is affected by kind, schema, name, verdict and distance, and learn if nothing passes', async () => {
    await connected(transport(), async (client) => {
      const namesBy = async (filter: object) => {
        const { answer } = await call(client, 'get_impact', { ...place(), relation_ref: 'crm.raw.orders', ...filter });
        const relations = answer['relations'] as { relation_ref: string }[];
        expect(answer['total']).toBe(relations.length);
        return relations.map(({ relation_ref }) => relation_ref);
      };
      const all = await namesBy({});
      expect(await namesBy({ distance: 1 })).toEqual(['crm.core.stg_orders']);
      expect(await namesBy({ distance: 2 })).toEqual(['crm.core.orders']);
      expect(await namesBy({ name: '*.STG_*' })).toEqual(['crm.core.stg_orders']);
      expect(await namesBy({ name: 'orders' })).toEqual([]);
      expect(await namesBy({ schema: 'crm.*' })).toEqual(all.filter((name) => name.startsWith('crm.')));
      expect(await namesBy({ schema: 'nowhere' })).toEqual([]);
      expect(await namesBy({ kind: ['exposure'] })).toEqual(['exposure.shop.weekly']);
      expect(await namesBy({ verdict: ['declared_only'] })).toEqual(all);
      expect(await namesBy({ verdict: ['contradicted'] })).toEqual([]);
      const none = await call(client, 'get_impact', { ...place(), relation_ref: 'crm.raw.orders', schema: 'nowhere' });
      expect(none.answer['next']).toMatch(/No relation passes the filters/);
    });
  });

  it('compare a branch, and every change that the summary counts is on some page (C-AGENT-11)', async () => {
    await connected(transport(), async (client) => {
      const ofBranch = await call(client, 'diff_branch', { ...place(), manifest: branch(), limit: 100 });
      expect(ofBranch.answer).toMatchObject({ grade: 'breaking' });
      const ofTimes = await call(client, 'diff_branch', { ...place(), from: earlier, limit: 100 });
      expect(ofTimes.answer).toMatchObject({ grade: 'safe' });
      for (const { answer } of [ofBranch, ofTimes]) {
        const { relations, columns, edges } = answer['summary'] as Record<string, Record<string, number>>;
        const counts = [relations, columns, edges].flatMap((one) => Object.values(one ?? {}));
        expect(answer['total']).toBe(counts.reduce((sum, one) => sum + one, 0));
        expect(answer['changes']).toHaveLength(Number(answer['shown']));
        expect(answer['total']).toBe(answer['shown']);
      }
    });
  });

  it('compare changed files with the project that was pushed, and learn which could not be compared', async () => {
    await connected(transport(), async (client) => {
      const files = [
        { path: 'models/stg_orders.sql', sql: "select id as order_id from {{ source('raw', 'orders') }}" },
      ];
      const { answer } = await call(client, 'diff_branch', { ...place(), files });
      expect(answer).toMatchObject({ grade: 'breaking', files: { total: 1, items: [{ problem: null }] } });
      const unknown = await call(client, 'diff_branch', {
        ...place(),
        files: [{ path: 'new.sql', sql: 'select 1 as a' }],
      });
      expect(unknown.answer).toMatchObject({ grade: 'not_evaluated', files: { items: [{ problem: 'no_model' }] } });
      expect(unknown.answer['next']).toContain('new.sql: it matches no model');
    });
  });

  it('see what changed of a relation between two times', async () => {
    await connected(transport(), async (client) => {
      const question = { ...place(), relation_ref: 'crm.core.stg_orders', from: earlier };
      const { answer } = await call(client, 'get_history', question);
      expect(answer).toMatchObject({ relation_ref: 'crm.core.stg_orders', next_cursor: null });
      expect(answer['changes']).toContainEqual({ change: 'added', upstream: 'crm.raw.orders' });
      expect(answer['changes']).toContainEqual({ change: 'added', column: 'order_id' });
    });
  });

  it('find a relation, and read it as a resource by the link of an answer', async () => {
    await connected(transport(), async (client) => {
      const found = await call(client, 'search_relations', { ...place(), query: 'stg ord' });
      expect(found.answer).toMatchObject({ relations: [{ relation_ref: 'crm.core.stg_orders' }], next_cursor: null });
      const holding = await call(client, 'search_relations', { ...place(), query: 'stg_orders order_', in: 'columns' });
      expect(holding.answer).toMatchObject({
        relations: [{ relation_ref: 'crm.core.stg_orders', columns: expect.arrayContaining(['order_id']) }],
      });
      const question = { ...place(), relation_ref: 'crm.core.stg_orders' };
      const { content } = await client.callTool({ name: 'get_relation', arguments: question });
      const link = (content as { type: string; uri: string }[]).find(({ type }) => type === 'resource_link');
      const { contents } = await client.readResource({ uri: link?.uri ?? '' });
      expect(JSON.stringify(contents)).toContain('crm.raw.orders');
    });
  });

  it('get the nearest names of a misspelt column instead of the whole table (C-AGENT-10)', async () => {
    await connected(transport(), async (client) => {
      const question = { ...place(), relation_ref: 'crm.raw.orders' };
      const wrong = await call(client, 'get_impact', { ...question, columns: ['amuont'] });
      expect(wrong).toMatchObject({ isError: true, answer: { error: 'unknown_column' } });
      expect(wrong.text).toMatch(/^unknown_column: .*crm\.raw\.orders.*amount/);
      expect(wrong.text.length).toBeLessThan(1_000);
      const some = await call(client, 'get_impact', { ...question, columns: ['amuont', 'amount'] });
      const right = await call(client, 'get_impact', { ...question, columns: ['amount'] });
      expect(some.answer['relations']).toEqual(right.answer['relations']);
      expect(some.answer['unknown_columns']).toMatch(/amuont/);
      const edge = { ...place(), upstream: 'crm.raw.orders', downstream: 'crm.core.stg_orders', column: 'order_idd' };
      expect((await call(client, 'explain_edge', edge)).text).toMatch(/^unknown_column: .*order_id/);
    });
  });

  it('get the nearest names of an unknown relation from every tool that takes a name (C-AGENT-10)', async () => {
    await connected(transport(), async (client) => {
      for (const [name, input] of [
        ['get_relation', { relation_ref: 'crm.raw.order' }],
        ['get_impact', { relation_ref: 'crm.raw.order' }],
        ['get_history', { relation_ref: 'crm.raw.order', from: earlier }],
        ['explain_edge', { upstream: 'crm.raw.order', downstream: 'crm.core.stg_orders' }],
        ['explain_edge', { upstream: 'crm.raw.orders', downstream: 'crm.core.stg_order' }],
      ] as const)
        for (const where of [place(), { workspace }]) {
          const { isError, text: written } = await call(client, name, { ...where, ...input });
          expect([name, isError, written]).toEqual([
            name,
            true,
            expect.stringMatching(/crm\.(raw|core)\.(stg_)?orders/),
          ]);
        }
    });
  });

  it('get the candidates of a name that several relations of a connector have (C-AGENT-10)', async () => {
    await connected(transport(), async (client) => {
      const { isError, answer } = await call(client, 'get_impact', { ...place(), relation_ref: 'several' });
      expect([isError, answer['error'], answer['candidates']]).toEqual([
        true,
        'ambiguous_relation',
        ['crm.one.several', 'crm.two.several'],
      ]);
    });
  });

  it('get text from outside marked as data, with nothing in it that is hidden or markup (C-AGENT-8)', async () => {
    await connected(transport(), async (client) => {
      const query = '<img src=x>\u202e![a](b)\u{e0041}';
      const { text: written } = await call(client, 'get_impact', { ...place(), relation_ref: query });
      expect(written).toMatch(/^unknown_relation: /);
      expect(written).not.toMatch(/<img|!\[|\]\(|[\u202e\u{e0000}-\u{e007f}]/u);
      const ends = { upstream: 'crm.raw.orders', downstream: 'crm.core.stg_orders' };
      const { answer } = await call(client, 'explain_edge', { ...place(), ...ends });
      expect(JSON.stringify(answer['evidence'])).toMatch(/"sql":\{"untrusted_text":"/);
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

describe('agents that name no connector', () => {
  const ambiguousName = 'shop.main.same';
  const questions = {
    get_relation: { relation_ref: ambiguousName },
    get_impact: { relation_ref: ambiguousName },
    get_history: { relation_ref: ambiguousName, from: earlier },
    explain_edge: { upstream: ambiguousName, downstream: 'shop.main.reader' },
  };

  it('get the candidates of a name that several connectors have, from every tool that takes one (C-IDENTITY-17)', async () => {
    await connected(byHttp(), async (client) => {
      for (const [name, input] of Object.entries(questions)) {
        const { isError, answer, text: written } = await call(client, name, { workspace, ...input });
        expect([name, isError, answer['error']]).toEqual([name, true, 'ambiguous_relation']);
        expect(written).toMatch(/duck \(con_\w+\): shop\.main\.same, 0 upstream, 1 downstream/);
        const candidates = answer['candidates'] as { connector_name: string }[];
        expect([...new Set(candidates.map((one) => one.connector_name))]).toEqual(['duck', 'warehouse']);
        const chosen = await call(client, name, { workspace, connector: 'duck', ...input });
        expect([name, chosen.isError]).toEqual([name, false]);
        expect(chosen.answer).not.toHaveProperty('narrowed_by');
      }
    });
  });

  it('get the answer of a name that one connector has, from every tool (C-IDENTITY-17)', async () => {
    await connected(byStdio(null), async (client) => {
      for (const [name, input] of Object.entries(calls)) {
        const { isError, text: written } = await call(client, name, input);
        expect([name, isError, written]).toEqual([name, false, written]);
      }
      const times = await call(client, 'diff_branch', { from: earlier });
      expect(times).toMatchObject({ isError: true, answer: { error: 'ambiguous_connector' } });
    });
  });

  it('learn which connector the settings of the server chose (C-IDENTITY-17)', async () => {
    await connected(byStdio(), async (client) => {
      const { answer } = await call(client, 'get_impact', { relation_ref: 'shop.main.same' });
      expect(answer).toMatchObject({ narrowed_by: 'connector warehouse, from --connector' });
    });
  });
});

it('compares the branch at a path on the machine of the server, and nowhere else (C-AGENT-11)', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'branch-'));
  mkdirSync(path.join(folder, 'target'));
  writeFileSync(path.join(folder, 'target', 'manifest.json'), JSON.stringify(branch()));
  await connected(byStdio(), async (client) => {
    for (const place of [folder, path.join(folder, 'target', 'manifest.json')])
      expect((await call(client, 'diff_branch', { path: place })).answer).toMatchObject({ grade: 'breaking' });
    const missing = await call(client, 'diff_branch', { path: path.join(folder, 'nowhere') });
    expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining('manifest.json')]);
  });
  await connected(byHttp(), async (client) => {
    const elsewhere = await call(client, 'diff_branch', { workspace, path: folder });
    expect([elsewhere.isError, elsewhere.text]).toEqual([true, expect.stringMatching(/^path_not_here: /)]);
  });
  rmSync(folder, { recursive: true });
});

it('tells a caller without a token where its OAuth metadata is (C-AGENT-13)', async () => {
  const { base_url } = service.credentials;
  const metadata = `${base_url}/.well-known/oauth-protected-resource/mcp`;
  const headers = { 'content-type': 'application/json' };
  const refused = await fetch(`${base_url}/mcp`, { method: 'POST', headers, body: '{}' });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer resource_metadata="${metadata}"`,
  ]);
  expect(await (await fetch(metadata)).json()).toMatchObject({ resource: `${base_url}/mcp` });
});

it('takes no agent in without a token, and lets one do no more than the caller may', async () => {
  await expect(connected(byHttp('dpt_wrong'), async () => undefined)).rejects.toThrow();
  await connected(byHttp(service.credentials.outsider.token), async (client) => {
    const refused = await call(client, 'list_feeds', { workspace });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^insufficient_workspace_role/)]);
  });
});
