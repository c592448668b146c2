import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packPackage } from '../../scripts/release/packages.mjs';
import crm from '../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import shop from '../fixtures/dbt/shop-manifest.json' with { type: 'json' };
import sqlmesh from '../fixtures/sqlmesh/crm-export.json' with { type: 'json' };
import { type CommandRun, commandJson, commandLine } from '../support/command-line.ts';
import { writeInfoSchema } from '../support/dbt-info-schema.ts';
import { runEvent } from '../support/run-event.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { logIn } from '../support/signing-in.ts';

let service: ServiceProcess;
let folder: string;
beforeAll(async () => {
  service = await startProcess(['--in-memory', '--seed', 'conformance']);
  folder = mkdtempSync(path.join(tmpdir(), 'command-line-'));
  writeManifest('shop', shop);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.end('SIGTERM');
});

const place = ['--workspace', 'acme', '--connector', 'warehouse'];
const acme = (): string[] => ['--credentials', service.file, ...place];
const tributary = (...args: string[]): Promise<CommandRun> => commandLine([...args, ...acme()], { folder });
const json = (...args: string[]) => commandJson([...args, ...acme()], { folder });

function writeManifest(project: string, manifest: object): void {
  mkdirSync(path.join(folder, project, 'target'), { recursive: true });
  writeFileSync(path.join(folder, project, 'target', 'manifest.json'), JSON.stringify(manifest));
}

type Candidate = { readonly connector_name: string };

function written(name: string, content: string | Uint8Array): string {
  writeFileSync(path.join(folder, name), content);
  return name;
}

describe('a push to the wrong connector', () => {
  it('is refused with both kinds, and sent with --force (C-DECLARED-18)', async () => {
    writeManifest('ducks', { ...crm, metadata: { ...crm.metadata, adapter_type: 'duckdb', project_name: 'ducks' } });
    const refused = await tributary('push', 'dbt', 'ducks', '--partial');
    expect(refused.code).toBe(2);
    expect(refused.messages).toContain('The dbt project is of duckdb, and the connector is of kind postgres.');
    expect(refused.messages).toContain('--force');
    const { receipt } = await json('push', 'dbt', 'ducks', '--partial', '--force');
    expect(receipt).toMatchObject({ accepted: true, duplicate: false });
    const admin = (...args: string[]) => commandLine(['admin', ...args, '--credentials', service.file], { folder });
    const dry = await admin('scopes', 'forget', 'acme', receipt.scope_key);
    expect([dry.code, dry.output]).toEqual([0, expect.stringMatching(/^dry_run: true$[\s\S]*--yes/m)]);
    expect((await json('impact', 'crm.core.stg_accounts')).has_lineage).toBe(true);
    const done = await admin('scopes', 'forget', 'acme', receipt.scope_key, '--yes', '--json');
    expect(JSON.parse(done.output)).toMatchObject({ dry_run: false, already_forgotten: false, kind: 'snapshots' });
    expect((await tributary('impact', 'crm.core.stg_accounts')).code).toBe(3);
    expect((await admin('scopes', 'forget', 'acme', 'nope', '--yes')).code).toBe(3);
  });

  it('offers to forget what is disabled or unlinked, and forgets the runs of a job (C-FORGET-2)', async () => {
    const admin = (...args: string[]) => commandJson(['admin', ...args, '--credentials', service.file], { folder });
    await admin('linked-projects', 'link', 'acme', 'gone');
    expect((await admin('linked-projects', 'unlink', 'acme', 'gone')).next).toContain(
      'admin scopes list acme all --q gone',
    );
    const event = runEvent('postgres://warehouse.acme.test:5432', ['crm.x.a'], ['crm.x.b'], { job: 'wrong' });
    await json('push', 'openlineage', written('wrong.json', JSON.stringify([event])));
    const [scope] = await admin('scopes', 'list', 'acme', 'all', '--q', 'jobs/wrong');
    expect(scope).toMatchObject({ kind: 'runs', edges: 1, runs: 1 });
    await admin('scopes', 'forget-job', 'acme', 'all', '--job', 'jobs/wrong');
    expect((await json('impact', 'crm.x.a')).has_lineage).toBe(true);
    const forgotten = await admin('scopes', 'forget-job', 'acme', 'all', '--job', 'jobs/wrong', '--yes');
    expect(forgotten).toMatchObject([{ kind: 'runs', dry_run: false, edges: 1 }]);
    const gone = await tributary('impact', 'crm.x.a');
    expect([gone.code, gone.output]).toEqual([3, expect.stringContaining('There is no evidence of it as of')]);
    const [feed] = (await json('providers')).items;
    const disabled = await tributary('providers', 'disable', feed.id);
    expect([disabled.code, disabled.messages]).toEqual([0, expect.stringContaining('To forget what it reported, run')]);
    await tributary('providers', 'resume', feed.id);
  });
});

describe('a first session with a dbt project', () => {
  it('links the project, pushes it complete, waits, and answers the receipt and the delivery (C-ADMIN-6)', async () => {
    const { receipt, delivery } = await json('push', 'dbt', 'shop');
    expect(receipt).toMatchObject({ accepted: true, duplicate: false, completeness: 'complete' });
    expect(receipt.scope_key).toMatch(/dbt-project:shop$/);
    expect(delivery).toMatchObject({ delivery_id: receipt.delivery_id, state: 'projected', invalid_item_count: 0 });
  });

  it('goes to the connector that has the project, if none is named', async () => {
    const push = (name: string) =>
      commandLine(['push', 'dbt', name, '--credentials', service.file, '--workspace', 'acme'], { folder });
    expect(await push('shop')).toMatchObject({
      code: 0,
      messages: expect.stringContaining('connector warehouse, from the earlier pushes of dbt-project:shop'),
    });
    writeManifest('new', { ...shop, metadata: { ...shop.metadata, project_name: 'new' } });
    expect(await push('new')).toMatchObject({ code: 3, messages: expect.stringContaining('Which connector?') });
  });

  it('sends every push under a new key, and a given key unchanged (C-INGEST-16)', async () => {
    const names = { a: shop, b: { ...shop, nodes: {} } };
    for (const [name, manifest] of Object.entries(names)) writeManifest(`shop-${name}`, manifest);
    const push = (name: string, ...more: string[]) =>
      tributary('push', 'dbt', `shop-${name}`, '--project', 'acme-dbt', ...more);
    for (const name of ['a', 'b', 'a']) expect((await push(name)).output).not.toContain('already sent');
    const nodes = async () => (await json('search', 'stg_orders')).items.length;
    expect(await nodes()).toBeGreaterThan(0);
    expect((await push('a', '--key', 'twice')).code).toBe(0);
    expect(await push('a', '--key', 'twice')).toMatchObject({
      code: 0,
      output: expect.stringContaining('no later snapshot'),
    });
    await push('b');
    const stale = await push('a', '--key', 'twice');
    expect(stale).toMatchObject({ code: 1, output: expect.stringContaining('a later snapshot has replaced') });
    expect(stale.messages).toContain('push it without --key');
    await push('a');
  });

  it('answers in every format what a change of the pushed model may break', async () => {
    const answer = await json('impact', 'raw.orders', '--direction', 'downstream');
    expect(answer.root.relation_ref).toBe('crm.raw.orders');
    const found = answer.downstream.map(({ relation_ref }: { relation_ref: string }) => relation_ref);
    expect(found).toContain('crm.core.customers');
    const inFormat = async (format: string) => (await tributary('impact', 'raw.orders', '--format', format)).output;
    expect(await inFormat('table')).toContain('crm.core.customers');
    expect(await inFormat('csv')).toMatch(/^downstream,1,crm\.core\.stg_orders,/m);
    expect(await inFormat('mermaid')).toMatch(/^flowchart LR\n {2}n0\["crm\.raw\.orders"\]\n/);
    expect(await inFormat('dot')).toMatch(/^digraph impact \{[\s\S]* -> [\s\S]*\}\n$/);
    expect(JSON.parse(await inFormat('json')).root).toEqual(answer.root);
  });

  it('finds relations by the words of their names', async () => {
    const found = (await json('search', 'raw', 'ord')).items.map((one: { relation_ref: string }) => one.relation_ref);
    expect(found).toContain('crm.raw.orders');
    const holding = (await json('search', '--columns', 'crm', 'customer_')).items;
    expect(holding).toContainEqual(
      expect.objectContaining({ relation_ref: 'crm.core.orders', columns: expect.arrayContaining(['customer_id']) }),
    );
    const none = /^No relation matches this column\. The nearest names: .*\bcustomer_id\b/;
    expect((await tributary('search', '--columns', 'custmr_id')).output).toMatch(none);
    const near = await tributary('impact', 'crm.raw.ordrs');
    expect([near.code, near.messages]).toEqual([3, expect.stringContaining('  crm.raw.orders\n')]);
  });

  it('explains an edge by the statement that makes it', async () => {
    const { output } = await tributary('explain', 'crm.raw.orders', 'crm.core.stg_orders');
    expect(output).toContain('crm.raw.orders → crm.core.stg_orders  active');
    expect(output).toMatch(/select/i);
  });

  it('compares a branch with the live lineage, and fails if it breaks something', async () => {
    const stg = { ...shop.nodes['model.shop.stg_orders'], compiled_code: 'select id from crm.raw.orders' };
    writeManifest('branch', { ...shop, nodes: { ...shop.nodes, 'model.shop.stg_orders': stg } });
    const same = await tributary('diff', 'dbt', 'shop');
    expect([same.code, same.output]).toEqual([0, expect.stringMatching(/^Nothing known breaks\. Nothing changes\.\n/)]);
    const broken = await tributary('diff', 'dbt', 'branch', '--format', 'markdown');
    expect(broken.code).toBe(1);
    expect(broken.output).toMatch(/^### Lineage\n\n\*\*2 relations break, /);
    expect((await tributary('diff', 'dbt', 'branch', '--fail-on', 'none')).code).toBe(0);
  });

  it('shows what a branch filters otherwise, as both versions write it (C-DIFF-6)', async () => {
    const sql = shop.nodes['model.shop.stg_orders'].compiled_code.replace('amount > 0', 'amount > 100');
    const stg = { ...shop.nodes['model.shop.stg_orders'], compiled_code: sql };
    writeManifest('filtered', { ...shop, nodes: { ...shop.nodes, 'model.shop.stg_orders': stg } });
    const { code, output } = await tributary('diff', 'dbt', 'filtered', '--fail-on', 'risky');
    expect(code).toBe(1);
    expect(output).toContain('(filter changed: amount > 0 is now amount > 100)');
    expect(output).toContain('may break crm.core.customers');
    const markdown = (await tributary('diff', 'dbt', 'filtered', '--format', 'markdown')).output;
    expect(markdown).toContain('| filter changed: `amount > 0` is now `amount > 100` |');
  });

  it('exits with 3 if nothing was compared, says why first, and goes on if nothing is to fail (C-DIFF-8)', async () => {
    const uncompiled = Object.fromEntries(
      Object.entries(shop.nodes).map(([id, node]) => [id, { ...node, compiled_code: null }]),
    );
    writeManifest('uncompiled', { ...shop, nodes: uncompiled });
    const parsed = await tributary('diff', 'dbt', 'uncompiled');
    expect([parsed.code, parsed.output]).toEqual([
      3,
      'Not evaluated: it is not known what breaks.\n  The manifest is not compiled. Run `dbt compile` and try again.\n',
    ]);
    expect((await tributary('diff', 'dbt', 'uncompiled', '--fail-on', 'none')).code).toBe(0);
    const markdown = (await tributary('diff', 'dbt', 'uncompiled', '--format', 'markdown')).output;
    expect(markdown.split('\n').slice(-2)[0]).toBe('The manifest is not compiled. Run `dbt compile` and try again.');
    const other = await tributary('diff', 'dbt', 'shop', '--project', 'shopp');
    expect([other.code, other.output]).toEqual([
      3,
      expect.stringMatching(/The project shopp was never pushed to this connector.* Pushed projects: .*\bshop\b/),
    ]);
  });

  it('names the kind of a missing resource, and the file that cannot be written', async () => {
    const removed = await tributary('tokens', 'revoke', 'pat_nope');
    expect([removed.code, removed.messages]).toEqual([3, expect.stringContaining('There is no such token.')]);
    const refused = await tributary('export', '--output', 'nowhere/graph.ndjson');
    expect(refused).toMatchObject({ code: 2, output: '' });
    expect(refused.messages).toMatch(/^nowhere\/graph\.ndjson cannot be written: /);
  });

  it('exports the graph as events and as a table of edges', async () => {
    const jobs = (events: { job: unknown }[]) => events.map(({ job }) => job);
    const { output } = await tributary('export');
    const lines = jobs(
      output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    expect(lines.length).toBeGreaterThan(2);
    expect(jobs(JSON.parse((await tributary('export', '--json')).output))).toEqual(lines);
    const written = await tributary('export', '--json', '--output', 'graph.ndjson');
    expect(JSON.parse(written.output)).toEqual({ output: 'graph.ndjson' });
    const { code, messages } = await tributary('export', '--format', 'csv', '--output', 'edges.csv');
    expect([code, messages]).toEqual([0, expect.stringMatching(/^\d+ lines are in edges\.csv\n$/)]);
    expect(readFileSync(path.join(folder, 'edges.csv'), 'utf8')).toMatch(/raw\.orders,,.*core\.stg_orders,,,$/m);
  });
});

describe('what is pushed', () => {
  it('is refused if no model is compiled, unless --allow-uncompiled is passed', async () => {
    const nodes = Object.fromEntries(
      Object.entries(crm.nodes).map(([id, node]) => [id, { ...node, compiled_code: undefined }]),
    );
    writeManifest('parsed', { ...crm, nodes });
    const refused = await tributary('push', 'dbt', 'parsed');
    expect(refused).toMatchObject({ code: 2, output: '' });
    expect(refused.messages).toContain('dbt compile');
    const sent = await tributary('push', 'dbt', 'parsed', '--allow-uncompiled', '--project', 'acme-dbt');
    expect(sent.code).toBe(0);
    expect(sent.messages).toContain('15 of 15 models and snapshots are not compiled');
    expect(sent.output).toContain('15 × compiled_code_unavailable');
  });

  it('is refused if most models are not compiled, because the project would lose their columns', async () => {
    const [first, ...others] = Object.entries(crm.nodes).filter(([, node]) => node.resource_type === 'model');
    const left = others.map(([id, node]) => [id, { ...node, compiled_code: undefined }]);
    writeManifest('selected', { ...crm, nodes: { ...crm.nodes, ...Object.fromEntries([first ?? [], ...left]) } });
    const refused = await tributary('push', 'dbt', 'selected');
    expect(refused).toMatchObject({ code: 2, output: '', messages: expect.stringContaining('--allow-uncompiled') });
  });

  it('has the columns that dbt 2 found in its static analysis, if the statement is not understood (C-DBT-7)', async () => {
    const [orders, source] = ['model.fusion.orders', 'source.fusion.raw.orders'];
    const node = {
      resource_type: 'model',
      database: 'crm',
      schema: 'fusion',
      alias: 'orders',
      depends_on: { nodes: [source] },
    };
    writeManifest('fusion', {
      metadata: { ...crm.metadata, project_name: 'fusion', dbt_version: '2.0.9' },
      nodes: { [orders]: { ...node, compiled_code: 'select what is this', config: { materialized: 'table' } } },
      sources: { [source]: { database: 'crm', schema: 'raw', identifier: 'orders', name: 'orders' } },
    });
    const edge = { parent_node_unique_id: source, child_node_unique_id: orders };
    await writeInfoSchema(path.join(folder, 'fusion', 'target'), {
      column_lineage: [{ ...edge, parent_column_name: 'amount', child_column_name: 'cents', evolution: 'mod' }],
      node_columns: [{ node_unique_id: orders, column_name: 'cents', column_index: 0, data_type_inferred: 'bigint' }],
    });
    expect((await json('push', 'dbt', 'fusion', '--partial')).delivery.unresolved).toEqual([]);
    const { upstream } = await json('impact', 'crm.fusion.orders', '--column', 'cents', '--direction', 'upstream');
    expect(upstream).toMatchObject([{ relation_ref: 'crm.raw.orders', columns: ['amount'] }]);
  });

  it('is reported as empty if it has nothing that becomes a relation', async () => {
    writeManifest('nothing', { ...crm, nodes: {}, exposures: {} });
    const sent = await tributary('push', 'dbt', 'nothing', '--partial', '--project', 'acme-dbt');
    expect([sent.code, sent.messages]).toEqual([0, 'The manifest has no model, seed or snapshot.\n']);
  });

  it('warns that a complete document without an item takes back what was sent before', async () => {
    const before = 'sent as complete, it takes back what was sent before.';
    const export_ = await tributary('push', 'datahub', written('nothing.json', '[]'), '--source', 'nothing');
    expect([export_.code, export_.messages]).toEqual([0, expect.stringContaining(`no entry: ${before}`)]);
    const project = written('no-models.json', JSON.stringify({ ...sqlmesh, models: [], external_models: [] }));
    const sent = await tributary('push', 'sqlmesh', project, '--project', 'acme-empty');
    expect([sent.code, sent.messages]).toEqual([0, expect.stringContaining(`no model: ${before}`)]);
  });

  it('says that a partial push takes the entries that can be read', async () => {
    const file = written('malformed.json', JSON.stringify([{ upstreamUrn: 'x', downstreamUrn: 'y' }]));
    const refused = await tributary('push', 'datahub', file, '--source', 'malformed');
    expect([refused.code, refused.messages]).toEqual([2, expect.stringContaining('--partial')]);
    expect((await tributary('push', 'datahub', file, '--partial')).code).toBe(0);
  });

  it('names the place where a file is missing or no JSON', async () => {
    expect((await tributary('push', 'dbt', 'nowhere')).messages).toContain('no nowhere/target/manifest.json');
    expect((await tributary('push', 'sqlmesh', 'nowhere.json')).messages).toContain('no file nowhere.json');
    const broken = await tributary('push', 'openlineage', written('broken.ndjson', '{"a":1}\n{"b":\n'));
    expect(broken).toMatchObject({ code: 2, output: '' });
    expect(broken.messages).toContain('broken.ndjson, line 2');
    for (const [file, text] of [
      ['twice.json', '[{"run":{"facets":{"a":1,"a":1}}}]'],
      ['twice.ndjson', '{"run":{}}\n{"run":{"facets":{"a":1,"a":1}}}\n'],
    ] as const) {
      const twice = await tributary('push', 'openlineage', written(file, text));
      expect(twice).toMatchObject({ code: 2, output: '' });
      expect(twice.messages).toMatch(/twice\.(json names \/0|ndjson, line 2, names )\/run\/facets\/a twice/);
    }
  });

  it('may be a SQLMesh project or a DataHub export, packed or not', async () => {
    const file = written('sqlmesh.json.gz', gzipSync(JSON.stringify(sqlmesh)));
    const pushed = await json('push', 'sqlmesh', file, '--project', 'acme-sqlmesh');
    expect(pushed.delivery.state).toBe('projected');
    const again = ['--project', 'acme-sqlmesh', '--credentials', service.file, '--workspace', 'acme'];
    const from = 'connector warehouse, from the earlier pushes of sqlmesh-project:acme-sqlmesh:prod';
    for (const command of [
      ['push', 'sqlmesh', file],
      ['diff', 'sqlmesh', file],
    ])
      expect(await commandLine([...command, ...again], { folder })).toMatchObject({
        code: 0,
        messages: expect.stringContaining(from),
      });
    expect(await tributary('diff', 'sqlmesh', written('text.json', '"x"'))).toMatchObject({
      code: 2,
      messages: expect.stringContaining('text.json is not an export of a SQLMesh project.'),
    });
    const catalog = written('datahub.json', readFileSync('test/fixtures/datahub/crm-catalog.json', 'utf8'));
    expect((await tributary('push', 'datahub', catalog)).messages).toContain('--source');
    expect((await json('push', 'datahub', catalog, '--source', 'nightly', '--partial')).delivery.state).toBe(
      'projected',
    );
  });

  it('may be OpenLineage events; invalid ones are quarantined and reported', async () => {
    const event = runEvent('postgres://warehouse.acme.test:5432', ['a.b.c1'], ['a.b.c2']);
    const good = written('good.ndjson', `${JSON.stringify(event)}\n\n${JSON.stringify(event)}\n`);
    expect(await json('push', 'openlineage', good)).toMatchObject({ items: 2, quarantined: 0 });
    const bad = written('bad.json', JSON.stringify([event, { nonsense: randomUUID() }]));
    const { code, output } = await tributary('push', 'openlineage', bad);
    expect(code).toBe(1);
    expect(output).toMatch(/quarantined {2}item 1: /);
  });

  it('sends the events before and after one that is too large, and lists the sent ones', async () => {
    const event = (job: string, plan = '') => ({
      ...runEvent('postgres://warehouse.acme.test:5432', ['crm.big.a'], [`crm.big.${job}`], { job }),
      ...(plan && { producer: `https://x.test/${plan}` }),
    });
    const events = [event('one'), event('two', 'y'.repeat(9_000_000)), event('three')];
    const lines = written('large.ndjson', events.map((one) => JSON.stringify(one)).join('\n'));
    const { code, messages } = await tributary('push', 'openlineage', lines);
    expect(code).toBe(1);
    expect(messages).toMatch(/large\.ndjson, line 2: not sent\. The event has 9\d{6} bytes/);
    expect(messages).toContain('spark.openlineage.facets.spark.logicalPlan.disabled=true');
    expect(messages).toContain('Sent: large.ndjson, lines 1, 3.');
    const { downstream } = await json('impact', 'crm.big.a');
    expect(downstream.map((one: { relation_ref: string }) => one.relation_ref).toSorted()).toEqual([
      'crm.big.one',
      'crm.big.three',
    ]);
    const array = written('large.json', JSON.stringify(events.slice(1)));
    expect((await tributary('push', 'openlineage', array, '--no-wait')).messages).toContain(
      'large.json, event 1: not sent',
    );
  });

  it('may be a file of DataHub’s file sink; what states no lineage is counted', async () => {
    const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,${name},PROD)`;
    const change = (aspectName: string, value: object) => ({
      ...{ entityType: 'dataset', entityUrn: urn('crm.sink.b'), changeType: 'UPSERT', aspectName },
      aspect: { json: value },
    });
    const upstream = { dataset: urn('crm.sink.a'), type: 'TRANSFORMED' };
    const sink = [change('upstreamLineage', { upstreams: [upstream] }), change('datasetProperties', {})];
    const file = written('sink.json', JSON.stringify(sink));
    const pushed = await tributary('push', 'datahub', file, '--source', 'sink');
    expect(pushed).toMatchObject({ code: 0, messages: expect.stringContaining('1 × datasetProperties') });
    expect((await json('impact', 'crm.sink.a')).downstream).toMatchObject([{ relation_ref: 'crm.sink.b' }]);
    expect((await json('impact', urn('crm.sink.a'), '--datahub', file)).downstream).toHaveLength(1);
    const answer = written('graphql.json', JSON.stringify({ data: { searchAcrossLineage: {} } }));
    const refused = await tributary('push', 'datahub', answer, '--partial');
    expect(refused).toMatchObject({ code: 2, messages: expect.stringContaining('response of a GraphQL query') });
  });

  it('fails with the reason if no event had an effect (C-DELIVERY-14, C-DELIVERY-15)', async () => {
    const unowned = runEvent("postgres://nobody's.test:5432", ['a.b.c'], ['a.b.d']);
    const old = runEvent('postgres://warehouse.acme.test:5432', ['a.b.o1'], ['a.b.o2'], { at: '2020-01-01T00:00:00Z' });
    const pushed = (name: string, ...events: object[]) =>
      tributary('push', 'openlineage', written(name, JSON.stringify(events)));
    const nobodys = await pushed('unowned.json', unowned);
    expect(nobodys.code).toBe(1);
    expect(nobodys.output).toContain("unresolved   2 × unowned_namespace: postgres://nobody's.test:5432");
    expect(nobodys.messages).toContain(
      "tributary admin connectors update acme CONNECTOR --add-namespace 'postgres://nobody'\\''s.test:5432'",
    );
    const late = await pushed('old.json', old);
    expect([late.code, late.output]).toEqual([1, expect.stringMatching(/ignored {6}1 × too_old\n {15}The events/)]);
    const current = runEvent('postgres://warehouse.acme.test:5432', ['a.b.o1'], ['a.b.o3']);
    expect((await pushed('mixed.json', old, current, { ...unowned, run: current.run })).code).toBe(0);
  });

  it('is uploaded to storage if it is too large for a request', async () => {
    const padding = Array.from({ length: 120_000 }, () => randomUUID()).join(' ');
    const stg = { ...shop.nodes['model.shop.stg_orders'], description: padding };
    writeManifest('large', { ...shop, nodes: { ...shop.nodes, 'model.shop.stg_orders': stg } });
    const { delivery } = await json('push', 'dbt', 'large', '--partial');
    expect(delivery.state).toBe('projected');
  });
});

describe('what cannot be done', () => {
  const cases: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ['an unknown command', ['bogus'], 2, /unknown command 'bogus'/],
    ['a misspelt command', ['impct', 'x'], 2, /Did you mean impact/],
    ['an unknown option', ['impact', 'x', '--deep'], 2, /unknown option '--deep'/],
    ['a value that is not allowed', ['impact', 'x', '--direction', 'sideways'], 2, /upstream, downstream, both/],
    ['a number that is not allowed', ['impact', 'x', '--depth', '99'], 2, /from 1 to 10/],
    ['a relation that is not there', ['impact', 'shop.raw.nope'], 3, /no relation "shop\.raw\.nope"/],
    ['a name with control characters', ['impact', 'shop.\u001b[2J'], 3, /"shop\.\\u001b\[2J"/],
    ['an edge of a relation that is not there', ['explain', 'crm.raw.orders', 'x.y.z'], 3, /no relation "x\.y\.z"/],
    ['an edge that nothing says', ['explain', 'crm.core.customers', 'crm.raw.orders'], 3, /There is no evidence/],
    ['a delivery that is not there', ['deliveries', randomUUID()], 3, /no such delivery/],
    ['a comparison of nothing', ['diff'], 2, /diff dbt/],
  ];
  it.each(cases)('says so of %s', async (_, args, code, says) => {
    const { messages, ...run } = await tributary(...args);
    expect(run).toEqual({ code, output: '' });
    expect(messages).toMatch(says);
    expect(messages).not.toMatch(/\n\s+at /);
  });

  it('prints the answer of an unknown relation as JSON, and still does not call it done', async () => {
    const { code, output, messages } = await tributary('impact', 'crm.raw.ordrs', '--json');
    expect(code).toBe(3);
    const { lineage_resolution } = JSON.parse(output);
    expect(lineage_resolution).toMatchObject({ method: 'unresolved', fallback_reason: 'not_in_graph' });
    expect(lineage_resolution.candidates.length).toBeGreaterThan(0);
    expect(messages).toMatch(/The nearest names:\n/);
    for (const name of lineage_resolution.candidates) expect(messages).toContain(name);
  });

  it('searches every connector if none is chosen, and lists the relations of an ambiguous name', async () => {
    const events = ['postgres://warehouse.acme.test:5432', 'duckdb://acme'].map((namespace, i) =>
      runEvent(namespace, [`twins.main.source${i}`], ['twins.main.twin', 'shop.main.twin'].slice(i, i + 1)),
    );
    await json('push', 'openlineage', written('twins.json', JSON.stringify(events)));
    const ask = (...args: string[]) =>
      commandLine([...args, '--credentials', service.file, '--workspace', 'acme'], { folder });
    expect((await ask('explain', 'crm.raw.orders', 'crm.core.stg_orders')).code).toBe(0);
    const says = async (...args: string[]) => {
      const { code, messages } = await ask(...args);
      expect(code).toBe(3);
      return messages;
    };
    expect(await says('impact', 'shop.raw.nope')).toMatch(/no relation "shop\.raw\.nope" in connectors .*warehouse/);
    expect(await says('impact', 'crm.raw.orders', '--column', 'nope')).toMatch(
      /No source names a column "nope" of crm\.raw\.orders\./,
    );
    expect(await says('explain', 'crm.raw.orders', 'x.y.z')).toMatch(/no relation "x\.y\.z" in connectors/);
    const several = await says('impact', 'twin');
    expect(several).toContain('--connector');
    expect(several).toMatch(/ {2}duck \(con_\w+\): shop\.main\.twin, 1 upstream, 0 downstream\n/);
    expect(several).toMatch(/ {2}warehouse \(con_\w+\): twins\.main\.twin, 1 upstream, 0 downstream\n/);
  });

  it('never picks one of several connectors that know the same name (C-IDENTITY-17)', async () => {
    const events = ['postgres://warehouse.acme.test:5432', 'duckdb://acme'].map((namespace) =>
      runEvent(namespace, ['shop.main.same'], ['shop.main.same_reader']),
    );
    await json('push', 'openlineage', written('same.json', JSON.stringify(events)));
    const ask = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      commandLine([...args, '--credentials', service.file, '--workspace', 'acme'], { folder, env });
    for (const args of [
      ['impact', 'shop.main.same'],
      ['explain', 'shop.main.same', 'shop.main.same_reader'],
    ]) {
      const { code, output, messages } = await ask([...args, '--json']);
      expect([code, JSON.parse(output).detail.code]).toEqual([3, 'ambiguous_relation']);
      const owners = JSON.parse(output).detail.candidates.map((one: Candidate) => one.connector_name);
      expect([...new Set(owners)]).toEqual(['duck', 'warehouse']);
      expect(messages).toContain('Choose one with --connector:');
    }
    const chosen = await ask(['impact', 'shop.main.same', '--connector', 'duck']);
    expect([chosen.code, chosen.messages]).toEqual([0, '']);
    const narrowed = await ask(['impact', 'shop.main.same', '--json'], { TRIBUTARY_CONNECTOR: 'duck' });
    expect([narrowed.code, narrowed.messages]).toEqual([
      0,
      'This covers only connector duck, from TRIBUTARY_CONNECTOR.\n',
    ]);
    expect(JSON.parse(narrowed.output).root.relation_ref).toBe('shop.main.same');
    const missing = await ask(['impact', 'crm.raw.orders'], { TRIBUTARY_CONNECTOR: 'duck' });
    expect([missing.code, missing.messages]).toEqual([3, expect.stringContaining('duck, from TRIBUTARY_CONNECTOR')]);
  });

  it('says how many entries a connector leaves out that was not typed (C-IDENTITY-17)', async () => {
    const env = { TRIBUTARY_CONNECTOR: 'duck' };
    const ask = (...args: string[]) =>
      commandLine([...args, '--credentials', service.file, '--workspace', 'acme'], { folder, env });
    for (const [args, says] of [
      [['deliveries'], /^[1-9]\d* of the newest \d+ deliveries left out/m],
      [['gaps', '--status', 'all'], /^This covers only connector duck, from TRIBUTARY_CONNECTOR\.$/m],
      [['status'], /^Left out, of other connectors or none: [1-9]\d* feeds?[,.]/m],
    ] as const) {
      const { code, messages } = await ask(...args);
      expect([code, messages]).toEqual([0, expect.stringMatching(says)]);
      expect(messages).toContain('connector duck, from TRIBUTARY_CONNECTOR');
    }
  });

  it('names the workspaces that there are, if one is unknown or several may be meant', async () => {
    const ask = (...args: string[]) => commandLine(['impact', 'x', '--credentials', service.file, ...args], { folder });
    const unknown = await ask('--workspace', 'acm');
    expect([unknown.code, unknown.messages]).toEqual([3, expect.stringMatching(/no workspace "acm"[\s\S]*acme/)]);
    const ambiguous = await ask();
    expect([ambiguous.code, ambiguous.messages]).toEqual([3, expect.stringMatching(/acme, globex, initech/)]);
  });

  it('finds a workspace that an operator made, once a user of the credentials file is a member', async () => {
    const ask = () => commandLine(['providers', '--workspace', 'made', '--credentials', service.file], { folder });
    const admin = (...args: string[]) => commandJson(['admin', ...args, '--credentials', service.file], { folder });
    await admin('workspaces', 'create', 'made');
    const before = await ask();
    expect([before.code, before.messages]).toEqual([
      3,
      expect.stringContaining('tributary admin members add made acme-admin --role admin'),
    ]);
    await admin('members', 'add', 'made', 'globex-viewer', '--role', 'viewer');
    expect(await ask()).toMatchObject({ code: 0, output: expect.stringContaining('Nothing has sent evidence yet') });
  });

  it('has different exit codes for a forbidden request and an unreachable service', async () => {
    const { base_url, workspaces, outsider } = service.credentials;
    const id = workspaces['acme']?.id ?? '';
    const ask = (...args: string[]) =>
      commandLine(['impact', 'x', '--workspace', id, '--connector', 'con_1', ...args], { folder });
    const none = await ask('--url', base_url);
    expect([none.code, none.messages]).toEqual([4, expect.stringContaining('Not signed in')]);
    const wrong = await ask('--url', base_url, '--token', 'dpt_wrong');
    expect([wrong.code, wrong.messages]).toEqual([4, expect.stringContaining('tributary login')]);
    const foreign = await ask('--url', base_url, '--token', outsider.token);
    expect([foreign.code, foreign.messages]).toEqual([4, expect.stringContaining('role viewer')]);
    const closed = await closedPort();
    const removed = await ask('--url', closed, '--token', 'x');
    expect([removed.code, removed.messages]).toEqual([5, expect.stringContaining(`${closed} cannot be reached`)]);
  });

  it('gives no token of one service to another', async () => {
    const received: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    const { code } = await tributary('providers', '--url', await listening(other));
    other.close();
    expect([code, received]).toEqual([4, []]);
  });
});

async function listening(server: Server): Promise<string> {
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  const url = await listening(server);
  await new Promise((done) => server.close(done));
  return url;
}

describe('settings', () => {
  it('come from options, then the environment, then the profile', async () => {
    const { base_url, workspaces } = service.credentials;
    const acmeOf = workspaces['acme'];
    const profiles = { work: { url: base_url, token: acmeOf?.tokens['viewer'], workspace: acmeOf?.id } };
    mkdirSync(path.join(folder, 'tributary'), { recursive: true });
    written(path.join('tributary', 'config.json'), JSON.stringify({ profiles }));
    const env = { XDG_CONFIG_HOME: folder };
    const byProfile = await commandJson(['providers', '--profile', 'work'], { folder, env });
    expect(byProfile.workspace_id).toBe(acmeOf?.id);
    const elsewhere = { ...env, TRIBUTARY_WORKSPACE: workspaces['globex']?.id ?? '' };
    expect(await commandLine(['providers', '--profile', 'work'], { folder, env: elsewhere })).toMatchObject({
      code: 4,
    });
    const missing = await commandLine(['providers', '--profile', 'home'], { folder, env });
    expect([missing.code, missing.messages]).toEqual([2, expect.stringContaining('work')]);
    const beside = await commandLine(['providers', '--profile', 'home', ...acme()], { folder, env });
    expect([beside.code, beside.messages]).toEqual([2, expect.stringContaining('There is no profile "home".')]);
  });

  it('may lie in the clone that the command runs from, for operators too', async () => {
    const checkout = path.join(folder, 'clone');
    mkdirSync(path.join(checkout, '.local'), { recursive: true });
    writeFileSync(path.join(checkout, '.local', 'credentials.json'), readFileSync(service.file));
    const args = ['admin', 'connectors', 'list', 'acme'];
    expect((await commandLine(args, { folder })).code).toBe(2);
    expect(await commandLine(args, { folder, checkout })).toMatchObject({
      code: 0,
      output: expect.stringContaining('warehouse'),
    });
    expect((await commandLine(['providers', ...place], { folder, checkout })).code).toBe(0);
    const { base_url, workspaces } = service.credentials;
    const sender = ['--url', `${base_url}/api/v1/lineage/`, '--token', workspaces['acme']?.tokens['admin'] ?? ''];
    expect((await commandLine(['providers', '--workspace', 'acme', ...sender], { folder })).code).toBe(0);
  });

  it('may lie in the folder, as a local service writes them', async () => {
    mkdirSync(path.join(folder, '.local'), { recursive: true });
    written(path.join('.local', 'credentials.json'), readFileSync(service.file, 'utf8'));
    expect((await commandLine(['providers', '--workspace', 'acme'], { folder })).code).toBe(0);
    rmSync(path.join(folder, '.local'), { recursive: true });
  });
});

describe('what runs a workspace', () => {
  it('makes a token, lists and revokes it; without the required scope it names that scope', async () => {
    const created = await json('tokens', 'create', 'reader', '--scope', 'read', '--client-kind', 'ci');
    expect(created).toMatchObject({ name: 'reader', scopes: ['read'], client_kind: 'ci' });
    const { base_url, workspaces } = service.credentials;
    const env = {
      TRIBUTARY_URL: base_url,
      TRIBUTARY_TOKEN: created.token,
      TRIBUTARY_WORKSPACE: workspaces['acme']?.id ?? '',
    };
    expect((await commandLine(['providers'], { folder, env })).code).toBe(0);
    const refused = await commandLine(['push', 'openlineage', 'good.ndjson'], { folder, env });
    expect([refused.code, refused.messages]).toEqual([4, expect.stringContaining('scope write')]);
    expect((await tributary('tokens', 'list')).output).toContain(created.id);
    expect((await tributary('tokens', 'revoke', created.id)).code).toBe(0);
    expect((await commandLine(['providers'], { folder, env })).code).toBe(4);
  });

  it('pauses and resumes a feed; a push to a paused one is found wanting', async () => {
    const { items } = await json('providers');
    const feed = items.find((one: { provider_type: string }) => one.provider_type === 'dbt_manifest');
    expect((await json('providers', 'pause', feed.id)).status).toBe('paused');
    writeManifest('again', { ...shop, metadata: { ...shop.metadata, generated_at: '2026-02-02T00:00:00Z' } });
    const skipped = await tributary('push', 'dbt', 'again');
    expect([skipped.code, skipped.output]).toEqual([1, 'Nothing was accepted: provider paused.\n']);
    expect((await json('providers', 'resume', feed.id)).status).toBe('active');
  });

  it('previews, reads and writes the policy of a connector, and names the rule that a file breaks (C-POLICY-15)', async () => {
    const policy = await json('policy', 'get');
    const file = written('policy.json', JSON.stringify({ ...policy, expected_revision: policy.revision }));
    expect((await json('policy', 'put', file)).revision).toBe(policy.revision + 1);
    const hiding = { ...policy, filters: { ...policy.filters, schema_scope: { include: [], exclude: ['crm.raw'] } } };
    const preview = written('hiding.json', JSON.stringify(hiding));
    expect(await json('policy', 'preview', preview)).toMatchObject({
      revision: policy.revision + 1,
      shown: 0,
      items: expect.arrayContaining([expect.objectContaining({ change: 'hidden', upstream: 'crm.raw.orders' })]),
    });
    expect((await tributary('policy', 'preview', file)).output).toMatch(/^0 would be hidden, 0 shown/);
    expect((await json('policy', 'get')).revision).toBe(policy.revision + 1);
    const refused = await tributary('policy', 'put', written('bad-policy.json', '{"schema_scope":{}}'));
    expect([refused.code, refused.messages]).toEqual([2, expect.stringContaining('/filters/principals is required')]);
    const text = await tributary('policy', 'put', written('no-policy.json', '"x"'));
    expect([text.code, text.messages]).toEqual([2, expect.stringContaining('no-policy.json is not a policy.')]);
  });

  it('reads and writes the tracking plan of a project, and names the place that a file has wrong (C-PLAN-1)', async () => {
    const admin = (...args: string[]) => commandJson(['admin', ...args, '--credentials', service.file], { folder });
    await admin('projects', 'create', 'acme', 'planned', '--environment', 'prod');
    const { key: project_key } = await admin('project-keys', 'create', 'acme', 'planned', 'k', '--environment', 'prod');
    expect(await json('plan', 'get', 'planned')).toMatchObject({ tracking_plan: null, violations: {} });
    const tracking_plan = { mode: 'warn', additional_events: true, events: { Order: { required: ['total'] } } };
    const file = written('plan.json', JSON.stringify(tracking_plan));
    expect(await json('plan', 'put', 'planned', file)).toMatchObject({ tracking_plan });
    const event = { id: 'e', type: 'track', event: 'Order', user_id: 'u', timestamp: '2026-11-21T10:00:00Z' };
    const body = JSON.stringify({ project_key, events: [event] });
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await fetch(`${service.credentials.base_url}/collect/v1/batch`, {
      method: 'POST',
      headers,
      body,
    });
    expect(status).toBe(202);
    await expect
      .poll(async () => (await tributary('plan', 'get', 'planned')).output, { timeout: 20_000 })
      .toMatch(
        /^mode warn; other events are allowed; 1 event: Order\n\n.*\nOrder: \/properties\/total is required +1\n/,
      );
    const wrong = written('wrong-plan.json', JSON.stringify({ ...tracking_plan, events: { Order: { pattern: 'x' } } }));
    const refused = await tributary('plan', 'put', 'planned', wrong);
    expect([refused.code, refused.messages]).toEqual([
      2,
      expect.stringContaining('/tracking_plan/events/Order/pattern'),
    ]);
    expect(await json('plan', 'remove', 'planned')).toMatchObject({ tracking_plan: null });
  });

  it('lists deliveries and gaps, as JSON lines as well', async () => {
    const lines = (await tributary('deliveries', '--state', 'projected', '--json-lines')).output.trim().split('\n');
    const deliveries = lines.map((line) => JSON.parse(line));
    expect(deliveries.map(({ state }) => state)).toContain('projected');
    const payload = await tributary('deliveries', 'payload', deliveries[0].delivery_id);
    expect([payload.code, typeof JSON.parse(payload.output)]).toEqual([0, 'object']);
    expect((await tributary('gaps')).code).toBe(0);
  });
});

describe('what is expected, and what is allowed', () => {
  it('runs checks, and exits with an error if one fails', async () => {
    const { base_url, workspaces } = service.credentials;
    const { id = '', tokens = {} } = workspaces['acme'] ?? {};
    const expecting = (name: string, expectation: string) =>
      fetch(`${base_url}/v1/agent/checks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens['admin']}` },
        body: JSON.stringify({ workspace_id: id, name, expectation }),
      });
    await expecting('orders are read', 'path from crm.raw.orders to crm.core.customers');
    await expecting('orders are not read', 'no path from crm.raw.orders to crm.core.customers');
    const list = (await tributary('checks', 'list')).output;
    expect(list).toMatch(
      /^CHECK +STATE +SEVERITY +NAME +EXPECTS\n(?:chk_\S+ +on +\S+ +orders are (?:not )?read +.*\n){2}2 of/,
    );
    expect((await json('checks', 'run', 'orders are read')).items).toMatchObject([{ state: 'passed' }]);
    const failed = await tributary('checks', 'run');
    expect([failed.code, failed.output]).toEqual([1, expect.stringMatching(/^failed +orders are not read$/m)]);
    expect((await json('checks', 'results', 'orders are not read')).items[0]).toMatchObject({ state: 'failed' });
    expect((await tributary('checks', 'run', 'nope')).code).toBe(3);
  });

  it('says which link of the access is whole', async () => {
    const { code, output } = await tributary('access', 'diagnose', '--action', 'admin');
    expect([code, output]).toEqual([0, expect.stringMatching(/^ok /m)]);
    expect((await json('access', 'requests')).items).toEqual([]);
  });

  it('reports for every link of the chain whether it holds or is broken', async () => {
    const whole = await json('doctor');
    expect(whole.ok).toBe(true);
    const broken = await tributary('doctor', '--token', 'dpt_wrong');
    expect([broken.code, broken.output]).toEqual([4, expect.stringMatching(/^broken +token/m)]);
    expect((await json('status')).service).toMatchObject({ status: 'ok' });
  });
});

describe('what agents leave behind', () => {
  it('says who asks, and which connectors there are', async () => {
    const { workspaces } = await json('context');
    expect(workspaces[0].connectors.map(({ name }: { name: string }) => name)).toContain('warehouse');
    expect((await tributary('context')).output).toMatch(/^You are acme-admin[\s\S]*\n {2}warehouse +postgres +active/);
  });

  it('creates, changes, accepts and deletes checks, and reports an expectation that is no rule', async () => {
    const created = await json(
      'checks',
      'create',
      'typed',
      '--expect',
      'no stale edge',
      '--include',
      'core.*',
      '--disable',
    );
    expect(created).toMatchObject({
      enabled: false,
      scope: { include: ['core.*'], exclude: [] },
      definition_version: 1,
    });
    const patched = await tributary(
      'checks',
      'update',
      'typed',
      '--expect',
      'no stail edge',
      '--exclude',
      'x',
      '--json',
    );
    expect(JSON.parse(patched.output)).toMatchObject({ scope: { include: ['core.*'], exclude: ['x'] } });
    expect(patched.messages).toContain('Character 4');
    const unchecked = await tributary('checks', 'run', 'typed');
    expect([unchecked.code, unchecked.output]).toEqual([
      1,
      expect.stringMatching(/^not_evaluated +typed\n.*no stale edge/),
    ]);
    expect((await json('checks', 'accept', 'typed')).definition_version).toBe(2);
    await json('checks', 'create', 'typed', '--expect', 'no stale edge', '--disable');
    expect((await tributary('checks', 'delete', 'typed')).messages).toContain('2 checks are called "typed"');
    expect((await tributary('checks', 'delete', created.id)).output).toBe('Deleted the check typed.\n');
    expect((await tributary('checks', 'delete', 'typd')).messages).toMatch(/There are: typed/);
  });

  it('keeps artifacts, and compares one with its parent', async () => {
    const file = written('customers.sql', "select 1 as one from {{ ref('stg_orders') }}\n");
    const options = ['--kind', 'dbt_model', '--path', 'models/customers.sql', '--proposed'];
    const { id } = await json('artifacts', 'create', file, ...options);
    const diff = await tributary('artifacts', 'diff', id);
    expect(diff.output).toMatch(/^--- \/dev\/null\n\+\+\+ models\/customers\.sql[\s\S]*\+select 1 as one/);
    expect((await tributary('artifacts', 'accept', id)).output).toContain(
      'is version 1 of models/customers.sql, accepted',
    );
    expect((await tributary('artifacts', 'reject', id)).code).toBe(2);
    expect((await tributary('artifacts', 'show', id)).output).toMatch(/\n\nselect 1 as one from/);
    expect((await tributary('artifacts', 'list', '--status', 'accepted')).output).toContain(id);
    expect((await json('artifacts', 'supersede', id)).status).toBe('superseded');
  });

  it('remembers corrections once they are approved', async () => {
    const { items } = await json(
      'memory',
      'generate',
      'raw.orders.id is the key of the shop. Nothing else.',
      '--limit',
      '1',
    );
    expect(items).toMatchObject([{ target_key: 'crm.raw.orders.id', memory_type: 'definition' }]);
    const [{ id }] = items;
    expect((await tributary('memory', 'candidates')).output).toContain(id);
    const memory = await json('memory', 'approve', id, '--tag', 'keys', '--title', 'the key');
    expect(memory).toMatchObject({ status: 'approved', tags: ['keys'], title: 'the key' });
    expect((await tributary('memory', 'dismiss', id)).messages).toContain('already been decided');
    expect((await json('memory', 'search', 'key', '--target', 'crm.raw.orders.id')).items).toHaveLength(1);
    expect((await json('memory', 'supersede', memory.approved_memory_id)).status).toBe('superseded');
    expect((await tributary('memory', 'search', 'key')).output).toBe('No matching memories.\n');
  });

  it('asks for a role, and decides', async () => {
    const response = await json('access', 'request', '--role', 'editor', '--reason', 'I load data');
    expect((await tributary('access', 'requests', '--state', 'pending')).output).toContain(response.id);
    expect(await json('access', 'deny', response.id, '--reason', 'not now')).toMatchObject({
      decision_reason: 'not now',
    });
    const { tokens = {} } = service.credentials.workspaces['acme'] ?? {};
    // Nobody approves their own request.
    const editor = ['--token', tokens['editor'] ?? ''];
    const byEditor = await json('access', 'request', '--role', 'admin', '--reason', 'now', ...editor);
    expect(await json('access', 'approve', byEditor.id, '--role', 'editor')).toMatchObject({ granted_role: 'editor' });
    const viewer = ['--token', tokens['viewer'] ?? ''];
    const refused = await tributary('access', 'diagnose', '--action', 'write', ...viewer);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('access request --role editor')]);
  });
});

describe('a sign-in', () => {
  /** What a person does in the browser: chooses whom to be, and is taken back. */
  const being = (user: string) => async (page: string) => {
    const key = new URL(service.credentials.sign_in_url).searchParams.get('key') ?? '';
    const chosen = await fetch(page, { method: 'POST', body: new URLSearchParams({ user, key }), redirect: 'manual' });
    await fetch(chosen.headers.get('location') ?? '');
    return '';
  };
  const login = (user: string, ...args: string[]) =>
    logIn(['--url', service.credentials.base_url, '--port', '0', ...args], being(user));

  it('needs only the address of the service, and keeps a token of this machine only for its owner (C-ACCESS-10, C-AGENT-2)', async () => {
    const { code, output, messages, kept, mode } = await login('acme-admin', '--scope', 'read', '--json');
    expect([code, messages]).toEqual([0, expect.stringMatching(/^Open \S+\n$/)]);
    const { expires_at } = kept;
    expect(JSON.parse(output)).toEqual({ profile: 'default', user_id: 'acme-admin', expires_at });
    expect([kept.token.slice(0, 4), mode]).toEqual(['dpt_', '600']);
    const { items } = await json('tokens', 'list');
    const built = items.find(({ device }: { device: object | null }) => device !== null);
    expect(built).toMatchObject({ name: `tributary on ${hostname()}`, scopes: ['read'], expires_at });
  });

  it('keeps the session of who may have no token, and says why', async () => {
    const { code, output, messages, kept } = await login('acme-viewer', '--json');
    expect([code, kept.token.slice(0, 3)]).toEqual([0, 'eyJ']);
    expect(JSON.parse(output)).toEqual({ profile: 'default', user_id: 'acme-viewer', expires_at: kept.expires_at });
    expect(messages).toContain('No long-lived token was created');
  });
});

describe('the help', () => {
  it('is printed if it is requested, and is a usage error without a topic', async () => {
    expect(await commandLine(['--help'])).toMatchObject({ code: 0, output: expect.stringContaining('push') });
    expect(await commandLine([])).toMatchObject({ code: 2, output: '' });
    expect((await commandLine(['--version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('only the package of the command line', () => {
  const execute = promisify(execFile);
  let place: string;
  beforeAll(async () => {
    place = path.join(folder, 'empty');
    mkdirSync(place);
    await packPackage('cli', place);
    const [tarball = ''] = readdirSync(place);
    writeFileSync(path.join(place, 'package.json'), '{}');
    await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: place });
    rmSync(path.join(place, tarball));
  });
  const packed = (...args: string[]) => execute('npx', ['--no-install', 'tributary', ...args], { cwd: place });

  it('brings everything along, the parser of SQL too', () => {
    const files = readdirSync(path.join(place, 'node_modules'), { recursive: true, withFileTypes: true });
    const bytes = files.filter((one) => one.isFile()).map((one) => statSync(path.join(one.parentPath, one.name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(27_000_000);
    expect(readdirSync(path.join(place, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@tributary-lineage',
    ]);
  });

  it('asks the service, and runs it as an operator', async () => {
    const { stdout } = await packed('impact', 'raw.orders', '--json', ...acme());
    expect(JSON.parse(stdout).root.relation_ref).toBe('crm.raw.orders');
    const listed = await packed('admin', 'workspaces', 'list', '--json', '--credentials', service.file);
    expect(JSON.parse(listed.stdout).map(({ name }: { name: string }) => name)).toContain('acme');
    const rebuild = packed('admin', 'rebuild', '--workspace', 'acme', '--credentials', service.file);
    await expect(rebuild).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('checkout') });
  });

  it.each(['bash', 'zsh', 'fish'])('completes its commands in %s', async (shell) => {
    expect((await packed('completion', shell)).stdout).toContain('tributary complete --');
  });

  it('completes the typed command line', async () => {
    expect((await packed('complete', '--', 'imp')).stdout).toMatch(/^impact\t/m);
    expect((await packed('complete', '--', 'impact', '--direction', '')).stdout).toMatch(/^upstream/m);
    expect((await packed('complete', '--', 'admin', 'work')).stdout).toMatch(/^workspaces\t/m);
  });
});
