import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandLine } from '../support/command-line.ts';

// What a service that works well seldom answers, as people read it: read what changed in the snapshot before it is
// recorded again.

const workspace = 'ws_0123456789abcdef0123';
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const at = (hour: number) => `2026-11-28T${String(hour).padStart(2, '0')}:00:00.000Z`;
const times = ['event', 'received', 'accepted', 'processed', 'success', 'error'].map((one) => [`last_${one}_at`, null]);

const feed = (n: number, connector_id: string | null, display_name: string, status: string, more: object = {}) => ({
  ...{ id: idOf(n), connector_id, provider_type: 'openlineage', display_name, status, capabilities: ['table_lineage'] },
  ...{ event_watermark: null, oldest_backlog_at: null, ...Object.fromEntries(times), backlog_count: n },
  ...{ invalid_item_count: 0, unresolved_asset_count: 0, open_gap_count: n, ...more },
});
const feeds = [
  feed(1, 'con_pg', 'spark', 'error', { last_error_at: at(3) }),
  feed(2, 'con_lake', 'spark', 'paused'),
  feed(3, null, 'spark', 'disabled', { last_success_at: at(2) }),
  feed(4, null, 'spark', 'active'),
  feed(5, 'con_pg', 'airflow', 'active'),
];

const unresolved = (reason: string, left: number, resolved = false) => ({
  ...{ reason, count: 2 + left, assets: ['a', 'b'], assets_left_out: left, resolved },
  advice: `Look at ${reason}.`,
});
const delivery = (n: number, connector_id: string | null, state: string, more: object = {}) => ({
  ...{ delivery_id: idOf(n), workspace_id: workspace, connector_id, provider_instance_id: idOf(1), state },
  ...{ kind: 'openlineage_batch', duplicate_count: 0, received_at: at(n), completed_at: null, attempts: 3 },
  ...{ item_count: 30, invalid_item_count: 0, projected_item_count: 0, quarantined: [], warnings: [], failure: null },
  ...{ scope_key: null, completeness: null, retracted_evidence_count: 0, unresolved: [], ignored: [] },
  ...{ only_unowned: false, ...more },
});
const quarantined = Array.from({ length: 22 }, (_, index) => ({
  index,
  code: 'invalid_event',
  message: `/${index} x`,
}));
const deliveries = [
  delivery(10, 'con_pg', 'failed', { failure: { code: 'store_failed', message: 'A store failed.' } }),
  delivery(11, 'con_lake', 'held', { warnings: [{ code: 'snapshot_shrank', message: 'It retracts 9 of 10.' }] }),
  delivery(12, 'con_pg', 'projected', {
    ...{ quarantined, retracted_evidence_count: 1, unresolved: [unresolved('lost', 3), unresolved('noted', 0, true)] },
    ignored: [{ reason: 'too_old', count: 4, advice: 'Send newer events.' }],
  }),
];

const gap = (n: number, gap_type: string, reason: string, more: object = {}) => ({
  ...{ id: idOf(n), gap_type, status: 'open', opened_at: at(n), resolved_at: null },
  details: { cadence: null, last_receipt: null, backlog: 0, normalizer_version: null, reason, ...more },
});
const namespaces = ['a', 'b', 'c', 'd'].map((name, n) => ({ namespace: `postgres://${name}:5432`, datasets: 9 - n }));
const claim = `tributary admin connectors update ${workspace} CONNECTOR --add-namespace postgres://a:5432`;
const scopes = [
  { scope_key: 'connector:con_pg:dbt-project:old', replaced_by: 'dbt-project:new', last_accepted: at(1) },
];
const join = `tributary admin connectors update ${workspace} pg --add-namespace postgres://replica:5432`;
const pair = (name: string, command: string | null) => ({
  name,
  looks_like: `${name}!`,
  command,
  advice: 'Rename it.',
});
const gaps: Readonly<Record<string, readonly object[]>> = {
  [idOf(1)]: [
    gap(1, 'silent_provider', 'nothing_received', { cadence: 60, last_receipt: at(1) }),
    gap(2, 'unresolved_assets', 'assets_unresolved', { unresolved: [unresolved('lost', 3), unresolved('gone', 0)] }),
    gap(3, 'unowned_namespace', 'no_connector', { namespaces, command: claim }),
  ],
  [idOf(2)]: [gap(4, 'abandoned_scope', 'replaced', { scopes, command: 'tributary admin scopes forget' })],
  [idOf(3)]: [
    gap(5, 'names_look_alike', 'other_names', {
      look_alikes: { count: 5, pairs: [pair('x', join), pair('y', join), pair('z', null)] },
    }),
  ],
  [idOf(4)]: [
    gap(6, 'undeclared_lineage', 'runs_differ', {
      undeclared: { count: 3, edges: [{ upstream: 'a.b', downstream: 'a.c', verdict: 'observed_only' }] },
    }),
    gap(7, 'unfinished_runs', 'no_end', { unfinished: { count: 2, jobs: ['j/x', 'j/y'], advice: 'Send COMPLETE.' } }),
  ],
};

const check = {
  ...{ id: 'chk_1', workspace_id: workspace, name: 'narrow', expectation: 'at most 2 downstream', enabled: true },
  ...{ severity: 'info', scope: { include: [], exclude: [] }, definition_version: 1, created_at: null },
  ...{ created_by: null, updated_at: null, updated_by: null },
};
const result = {
  ...{ id: 'res_1', check_id: 'chk_1', definition_version: 1, state: 'failed', severity: 'info', evaluated_at: at(1) },
  ...{ since: at(1), delivery_id: idOf(10), violations_total: 9 },
  violations: [{ relation_ref: 't.a', column: 'c', message: 'Too many.' }, { message: 'Too few.' }],
};

const connectors = [
  { id: 'con_pg', name: 'pg', kind: 'postgres', last_error: 'It is locked.', last_sync_at: null, table_count: 1 },
  { id: 'con_lake', name: 'lake', kind: 'snowflake', last_error: null, last_sync_at: at(1), table_count: 2 },
].map((one) => ({
  ...{ ...one, workspace_id: workspace, namespaces: [], default_database: null, default_schema: null, layers: [] },
  ...{ status: 'active', sample_tables: ['t.a', 't.b', 't.c', 't.d'], schema_age_seconds: null },
}));
const page = { workspace_id: workspace, next_cursor: null };

const artifact = {
  ...{ id: 'art_1', tool_run_id: 'run', workspace_id: workspace, kind: 'dbt_model', path: 'm.sql', language: 'sql' },
  ...{ status: 'accepted', version: 2, created_at: at(1), updated_at: at(2), content: 'select 1\n\n' },
  ...{
    metadata: { by: 'agent' },
    parent_artifact_id: null,
    step_id: null,
    execution_log: [{}, {}],
    preview_columns: ['a', 'b'],
    preview_rows: [[1, 2]],
  },
};

/** The answers by the end of the path; a list of deliveries has those of a state or a connector. */
function answerTo({ pathname, searchParams }: URL): unknown {
  const [state, connector] = [searchParams.get('state'), searchParams.get('connector_id')];
  const found = deliveries.filter(
    (one) => (state ?? one.state) === one.state && (connector ?? one.connector_id) === one.connector_id,
  );
  const last = pathname.split('/').at(-1) ?? '';
  if (last === 'gaps')
    return { ...page, provider_instance_id: idOf(1), items: gaps[pathname.split('/').at(-2) ?? ''] ?? [] };
  const answers: Readonly<Record<string, unknown>> = {
    health: { status: 'ok', version: '9.9.9' },
    workspaces: { items: [{ id: workspace, name: 'acme', role: 'admin', created_at: at(0) }], next_cursor: null },
    connectors: { ...page, items: connectors },
    providers: { ...page, items: feeds },
    deliveries: { ...page, items: found },
    art_1: artifact,
    checks: { agent_checks: [check], max_enabled: 10 },
    run: result,
    results: { ...page, items: [result, { ...result, violations: [] }], next_cursor: 'more' },
    ...Object.fromEntries(deliveries.map((one) => [one.delivery_id, one])),
    context: {
      user_id: 'me',
      default_workspace_id: null,
      user_email: 'me@acme.test',
      workspaces: [
        { id: workspace, name: 'acme', role: 'admin', connectors },
        { id: 'ws_x', name: 'empty', role: 'viewer', connectors: [] },
      ],
    },
  };
  return answers[last];
}

const service = createServer(({ url = '' }, response) => {
  const answer = answerTo(new URL(url, 'http://x'));
  if (answer === undefined) console.error(url);
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer ?? {}));
});
beforeAll(() => new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve)));
afterAll(() => void service.close());

it('is described by its problems, their reasons and the commands that solve them', async () => {
  const { port } = service.address() as AddressInfo;
  const env = { TRIBUTARY_URL: `http://127.0.0.1:${port}`, TRIBUTARY_TOKEN: 'dpt_x', TRIBUTARY_WORKSPACE: workspace };
  const texts: string[] = [];
  for (const command of [
    'status',
    'status --connector pg',
    'status --connector lake',
    'gaps',
    'gaps --connector pg',
    `gaps ${idOf(2)}`,
    'providers',
    'deliveries',
    'deliveries --connector pg',
    'deliveries --connector lake --state held',
    'deliveries --connector pg --state failed',
    ...deliveries.map((one) => `deliveries ${one.delivery_id}`),
    'artifacts show art_1',
    'checks list',
    'checks run',
    'checks run chk_1',
    'checks results narrow --limit 2',
    'context',
    'doctor',
  ]) {
    const { code, output, messages } = await commandLine(command.split(' '), { env });
    texts.push(`$ tributary ${command}\n${output}${messages.replace(/^(?=.)/gm, '! ')}→ ${code}\n`);
  }
  const text = texts.join('\n').replaceAll(`127.0.0.1:${port}`, 'SERVICE');
  await expect(text).toMatchFileSnapshot('./__snapshots__/unhealthy-service.txt');
});
