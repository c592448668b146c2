import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandLine } from '../support/command-line.ts';

const workspace = 'ws_0123456789abcdef0123';
const id = '00000000-0000-4000-8000-000000000001';
const times = ['event', 'received', 'accepted', 'processed', 'success', 'error'].map((one) => [`last_${one}_at`, null]);
const feed = {
  ...{ id, connector_id: null, provider_type: 'openlineage', display_name: 'spark', status: 'active' },
  ...{ capabilities: [], event_watermark: null, oldest_backlog_at: null, ...Object.fromEntries(times) },
  ...{ backlog_count: 0, invalid_item_count: 0, unresolved_asset_count: 0, open_gap_count: 1 },
};
const advice = 'No setting joins them.';
const command = `tributary admin connectors update ${workspace} warehouse --add-namespace 'postgres://replica:5432'`;
const pairs = [
  { name: 'postgres://replica:5432/crm.core.orders', looks_like: 'crm.core.orders', command, advice: '' },
  { name: 'crm.core.x', looks_like: 'crm.core."X"', command: null, advice },
];
const gap = {
  ...{ id, gap_type: 'names_look_alike', status: 'open', opened_at: '2026-11-28T00:00:00.000Z', resolved_at: null },
  details: {
    ...{ cadence: null, last_receipt: null, backlog: 0, normalizer_version: null, reason: 'other_names' },
    look_alikes: { count: 3, pairs },
    command,
  },
};

const calm = { ...feed, id: id.replace('1', '2'), connector_id: 'con_b', display_name: 'calm', open_gap_count: 0 };

/** Answers the lists that the commands read: a feed of no connector has a gap, and one of a connector none. */
const service = createServer(({ url = '' }, response) => {
  const page = { workspace_id: workspace, next_cursor: null };
  const lists = { gaps: url.includes(id) ? [gap] : [], providers: [feed, calm], deliveries: [] };
  const [, list] = Object.entries(lists).find(([name]) => url.includes(`/${name}`)) ?? [];
  const answer = list ? { ...page, provider_instance_id: id, items: list } : { status: 'ok', version: '1' };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
});
beforeAll(() => new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve)));
afterAll(() => void service.close());

it('calls only the named connector healthy, and none that has no feed', async () => {
  const { port } = service.address() as AddressInfo;
  const env = { TRIBUTARY_URL: `http://127.0.0.1:${port}`, TRIBUTARY_TOKEN: 'dpt_x' };
  const says = async (command: string, connector: string) => {
    const args = [command, '--workspace', workspace, '--connector', connector, '--quiet'];
    return (await commandLine(args, { env })).output.trimEnd().split('\n').at(-1);
  };
  expect(await says('status', 'con_b')).toMatch(/^Connector con_b is healthy/);
  expect(await says('status', 'con_a')).toBe('No feed of the connector has sent anything yet.');
  expect(await says('gaps', 'con_a')).toBe('There are no open gaps of this connector.');
});

it('prints both names that look alike, and the command that joins them or why none does (C-GAP-14)', async () => {
  const { port } = service.address() as AddressInfo;
  const env = { TRIBUTARY_URL: `http://127.0.0.1:${port}`, TRIBUTARY_TOKEN: 'dpt_x' };
  const { code, output } = await commandLine(['gaps', '--workspace', workspace], { env });
  expect(code).toBe(0);
  expect(output.trimEnd().split('\n').slice(2)).toEqual([
    'names_look_alike of spark:',
    '  postgres://replica:5432/crm.core.orders  looks like crm.core.orders',
    `  crm.core.x  looks like crm.core."X". ${advice}`,
    '  and 1 more',
    `  To join them: ${command}`,
  ]);
});
