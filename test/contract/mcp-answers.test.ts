import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { answerMessage } from '../../functions/mcp/answer.ts';
import { type Api, apiOf } from '../../shared/client/api.ts';
import { gathered } from '../../shared/domain/base/body.ts';
import { listTool } from '../../shared/mcp/pages.ts';
import { asWritten, madeHarmless } from '../../shared/mcp/plain-text.ts';
import { mcpServer } from '../../shared/mcp/server.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('<', 'b', '/', '!', '[', ']', '(', '\\', 'u{3c}', '\u202e', '\u{e0041}', '\ufe0f', '\ud800'),
  }),
);

describe('text in answers of tools (C-AGENT-8)', () => {
  it('has nothing that hides, reorders or is markup, in values and in field names', () => {
    fc.assert(
      fc.property(texts, texts, (name, value) => {
        const text = JSON.stringify(madeHarmless({ [name]: [value] }));
        expect(text).not.toMatch(/[\p{Cf}\p{Co}\p{Variation_Selector}\u2028\u2029]|<[a-z/!?]|!\[|\]\(/iu);
      }),
    );
  });

  it('can be passed back as it stands, and means what it meant', () => {
    fc.assert(
      fc.property(texts, (name) => {
        expect(asWritten(madeHarmless(name))).toBe(name);
      }),
    );
  });

  it('is a name or SQL without these characters as it was', () => {
    for (const text of ['shop.core.orders', '"Größe"."a b"', 'select a < b, c[1] from t where x <> 1\n\tand y', '日本'])
      expect(madeHarmless(text)).toBe(text);
  });
});

describe('lists of tools (C-AGENT-9)', () => {
  const toolOf = (items: readonly string[], parts: number) =>
    listTool({
      ...{ name: 'list', title: '', description: '', list: 'items', noun: 'items' },
      limit: { most: 50, usual: 20 },
      input: {},
      run: async (_, __, { page }) => {
        const part = Number(page ?? 0);
        const size = Math.ceil(items.length / parts);
        const next = part + 1 < parts ? String(part + 1) : null;
        return { items: items.slice(part * size, (part + 1) * size), next, advice: [] };
      },
    });
  const Page = v.looseObject({
    items: v.array(v.string()),
    shown: v.number(),
    next_cursor: v.nullable(v.string()),
    next: v.string(),
  });

  it('give every item once by following next_cursor, in pages that a model can read, and say when they end', async () => {
    const lists = fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        lists,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 50 }),
        async (sizes, parts, limit) => {
          const items = sizes.map((size, at) => `${at} ${'x'.repeat(size)}`);
          const found: string[] = [];
          let cursor: string | null = null;
          do {
            const answer = await toolOf(items, parts).call(
              { api: apiOf('', undefined) },
              { limit, ...(cursor && { cursor }) },
            );
            const page = v.parse(Page, answer);
            expect(JSON.stringify(page).length).toBeLessThan(15_000);
            expect(page.next.includes('pass next_cursor')).toBe(page.next_cursor !== null);
            expect(page.shown).toBe(page.items.length);
            found.push(...page.items);
            cursor = page.next_cursor;
          } while (cursor !== null);
          expect(found).toEqual(items);
        },
      ),
    );
  });

  it('refuse a cursor of another list', async () => {
    for (const cursor of ['x', 'bnVsbA', Buffer.from('[1,2]').toString('base64url')])
      await expect(toolOf([], 1).call({ api: apiOf('', undefined) }, { cursor })).rejects.toThrow(/cursor/);
  });
});

describe('calls of tools (C-AGENT-7)', () => {
  const times = ['event', 'received', 'accepted', 'processed', 'success', 'error'].map((one) => [
    `last_${one}_at`,
    null,
  ]);
  const counts = { backlog_count: 0, invalid_item_count: 0, unresolved_asset_count: 0, open_gap_count: 1 };
  const feed = {
    ...{ id: 'a', connector_id: null, provider_type: 'openlineage', display_name: 'jobs', status: 'active' },
    ...{ capabilities: [], event_watermark: null, oldest_backlog_at: null, ...counts },
    ...Object.fromEntries(times),
  };

  /** A client of the server, whose service answers `ask`. */
  async function connectedTo(ask: Api['ask']) {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = mcpServer({ api: { ...apiOf('http://service.test', undefined), ask }, workspace: 'ws_a' }, '1');
    await server.connect(theirs);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(ours);
    return client;
  }

  it('end their requests of the service if the client cancels them', async () => {
    const asked = Promise.withResolvers<AbortSignal | undefined>();
    const client = await connectedTo((_, { signal } = {}) => {
      asked.resolve(signal);
      return new Promise(() => {});
    });
    const controller = new AbortController();
    const call = client.callTool({ name: 'list_feeds', arguments: {} }, { signal: controller.signal });
    const signal = await asked.promise;
    const ended = once(signal ?? new EventTarget(), 'abort');
    controller.abort();
    await expect(call).rejects.toThrow();
    await ended;
    expect(signal?.aborted).toBe(true);
  });

  it('report each request as progress if the client asked for it', async () => {
    const client = await connectedTo(async ({ path }) => {
      const items = path.endsWith('/providers') ? [feed, { ...feed, id: 'b' }] : [];
      const page = { workspace_id: 'ws_a', items, next_cursor: null };
      return path.endsWith('/gaps') ? { ...page, provider_instance_id: randomUUID() } : page;
    });
    const heard: unknown[] = [];
    await client.callTool({ name: 'list_gaps', arguments: {} }, { onprogress: ({ message }) => heard.push(message) });
    const gaps = 'GET /v1/lineage/providers/{provider_instance_id}/gaps';
    expect(heard).toEqual(['GET /v1/lineage/providers', gaps, gaps]);
  });

  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const current = { 'mcp-protocol-version': '2026-07-28' };

  it.each<[string, Record<string, string>, object]>([
    ['2026-07-28', { ...current, 'mcp-method': 'tools/call', 'mcp-name': 'list_feeds' }, meta],
    ['2025-11-25', { 'mcp-protocol-version': '2025-11-25' }, {}],
  ])(
    'end their requests if the reader of their progress has gone, by HTTP and revision %s',
    async (_, headers, more) => {
      const asked = Promise.withResolvers<AbortSignal | undefined>();
      const ask: Api['ask'] = (_, { signal } = {}) => {
        asked.resolve(signal);
        return new Promise(() => {});
      };
      const api = { ...apiOf('http://service.test', undefined), ask };
      const params = { name: 'list_feeds', arguments: {}, _meta: { ...more, progressToken: 'p' } };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const makeServer = () => mcpServer({ api, workspace: 'ws_a' }, '1');
      const reply = await answerMessage(makeServer, { url: 'http://service.test/mcp', headers, body });
      if (!('bytes' in reply)) throw new Error(JSON.stringify(reply));
      for await (const event of reply.bytes) {
        expect(Buffer.from(event).toString()).toContain('"message":"GET /v1/lineage/providers"');
        break;
      }
      expect((await asked.promise)?.aborted).toBe(true);
    },
  );

  it('open no stream for changes, because there are none', async () => {
    const body = {
      ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    };
    const headers = { ...current, 'mcp-method': 'subscriptions/listen' };
    const makeServer = () => mcpServer({ api: apiOf('http://service.test', undefined) }, '1');
    const reply = await answerMessage(makeServer, { url: 'http://service.test/mcp', headers, body });
    if (!('bytes' in reply)) throw new Error(JSON.stringify(reply));
    expect((await gathered(reply.bytes)).toString()).toMatch(/^event: message/);
  });
});
