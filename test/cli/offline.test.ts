import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandJson, commandLine } from '../support/command-line.ts';
import { runEvent } from '../support/run-event.ts';
import { inSql, shopManifest } from '../support/shop-project.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'offline-'));
  write('base', shopManifest());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(project: string, manifest: object): void {
  mkdirSync(path.join(folder, project, 'target'), { recursive: true });
  writeFileSync(path.join(folder, project, 'target', 'manifest.json'), JSON.stringify(manifest));
}

const changed = (change: Parameters<typeof shopManifest>[0]) => write('.', shopManifest(change));
const diff = (...options: string[]) => commandLine(['diff', 'dbt', '.', ...options], { folder });
const select = (...options: string[]) =>
  diff('--base', 'base', '--fail-on', 'none', '--select', ...options).then(({ output }) => output.trim());

describe('the selector of the models to build (C-FILES-3)', () => {
  it('names the changed model and what its rows reach, as dbt or as files take it', async () => {
    changed((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate', 'o.amount + r.rate'));
    const selected = await select();
    expect(selected).toMatch(/(^| )(fqn:shop\.\S*)?orders( |$)/);
    expect(selected).not.toContain('stg_orders');
    expect((await select('--as', 'state')).split('\n')).toHaveLength(selected.split(' ').length);
  });

  it('is empty if statements are only written otherwise', async () => {
    changed((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate', 'o.amount  *  r.rate'));
    expect(await select()).toBe('');
  });

  it('names a new model that reads nothing', async () => {
    changed((nodes) => {
      nodes['model.shop.fresh'] = {
        ...structuredClone(nodes['model.shop.orders']),
        ...{ name: 'fresh', alias: 'fresh', relation_name: '"crm"."core"."fresh"', fqn: ['shop', 'fresh'] },
        ...{ compiled_code: 'select 1 as a', depends_on: { nodes: [] } },
      } as unknown as (typeof nodes)[string];
    });
    expect(await select()).toContain('fresh');
  });

  it('refuses to answer if nothing was compared', async () => {
    changed((_, manifest) => {
      manifest.metadata = { ...manifest.metadata, project_name: 'another' } as typeof manifest.metadata;
    });
    const { code, output, messages } = await diff('--base', 'base', '--select');
    expect([code, output]).toEqual([3, '']);
    expect(messages).toContain('state:modified+');
  });
});

describe('a base that cannot be compared', () => {
  it('is of another project, which is named', async () => {
    changed((_, manifest) => {
      manifest.metadata = { ...manifest.metadata, project_name: 'another' } as typeof manifest.metadata;
    });
    const { code, output } = await diff('--base', 'base');
    expect([code, output]).toEqual([
      3,
      expect.stringContaining('The base is of another project than the branch: shop.'),
    ]);
  });

  it('has no compiled SQL', async () => {
    changed(undefined);
    const parsed = shopManifest((nodes) => {
      for (const node of Object.values(nodes)) delete node.compiled_code;
    });
    write('parsed', parsed);
    expect((await diff('--base', 'parsed')).output).toContain('The base has no compiled SQL.');
  });
});

describe('a base beside a service that cannot be asked (C-FILES-5)', () => {
  const limitsOf = async (env: Readonly<Record<string, string>>, ...options: string[]) => {
    changed((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate', 'o.amount + r.rate'));
    const args = ['diff', 'dbt', '.', '--base', 'base', '--format', 'json', ...options];
    const { code, output } = await commandLine(args, { folder, env });
    return { code, codes: JSON.parse(output).claim.limits.map((one: { code: string }) => one.code) };
  };
  const unreachable = { TRIBUTARY_URL: 'http://127.0.0.1:9', TRIBUTARY_TOKEN: 'any' };

  it('says so in a limit, and ends as the comparison does', async () => {
    const alone = await limitsOf({});
    expect(alone.codes).not.toContain('service_not_asked');
    for (const env of [unreachable, { TRIBUTARY_URL: 'http://127.0.0.1:9' }])
      expect(await limitsOf(env)).toEqual({ code: alone.code, codes: [...alone.codes, 'service_not_asked'] });
    expect(await limitsOf(unreachable, '--offline')).toEqual(alone);
  });

  it('says what to do about it', async () => {
    const { output } = await commandLine(['diff', 'dbt', 'base', '--base', 'base'], {
      folder,
      env: { TRIBUTARY_URL: 'http://127.0.0.1:9' },
    });
    expect(output).toContain('Not signed in to http://127.0.0.1:9. Sign in with tributary login, or give a token');
  });
});

describe('what nothing known reads (C-FILES-4)', () => {
  it('names columns without readers, and what is open about others', async () => {
    const { items } = await commandJson(['unused', '--columns', '--manifest', 'base'], { folder });
    const found = (ref: string, column: string | null) =>
      items.find((one: { relation_ref: string; column: string }) => one.relation_ref === ref && one.column === column);
    expect(items.length).toBeGreaterThan(0);
    for (const { unused, open_reasons } of items) expect(unused).toBe(open_reasons.length === 0);
    expect(found('crm.core.stg_orders', 'order_id')).toBeUndefined();
    expect(found('crm.core.stg_orders', 'note')).toBeDefined();
  });
});

describe('the artifacts of a commit (C-FILES-2)', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder, encoding: 'utf8' });
  const compile = 'mkdir -p target && cp manifest.json target/manifest.json';
  let commit: string;
  beforeAll(() => {
    git('init', '--quiet', '--initial-branch', 'main');
    writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(shopManifest()));
    git('add', 'manifest.json');
    git('commit', '--quiet', '--message', 'base');
    commit = git('rev-parse', 'HEAD').trim();
    changed((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', ''));
  });

  it('are made by a command in a work tree that is gone afterwards', async () => {
    const report = await diff('--base-ref', 'main', '--compile', compile);
    expect([report.code, report.output]).toEqual([1, expect.stringContaining('crm.core.orders · gross')]);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('are taken from where CI stores those of each commit', async () => {
    const stored = path.join(folder, 'artifacts', commit);
    mkdirSync(stored, { recursive: true });
    writeFileSync(path.join(stored, 'manifest.json'), JSON.stringify(shopManifest()));
    expect(await diff('--base-ref', 'main', '--artifacts', 'artifacts')).toMatchObject({ code: 1 });
  });

  it.each([
    [['--base-ref', 'main'], '--compile "dbt deps && dbt compile"'],
    [['--base-ref', 'nowhere'], 'git fetch origin nowhere'],
    [['--base-ref', 'main', '--compile', 'exit 7'], 'failed with 7'],
    [['--base-ref', 'main', '--base', 'base'], 'either --base or --base-ref'],
    [['--compile', 'true'], '--base-ref'],
  ])('that are missing end the command with a hint: %j', async (options, says) => {
    const { code, output, messages } = await diff(...options);
    expect([code, output, messages]).toEqual([2, '', expect.stringContaining(says)]);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });
});

it('answers from a manifest with what runs observed, and from events of several files as one feed', async () => {
  write('base', shopManifest());
  const begun = runEvent('postgres://db:5432', ['crm.core.orders'], []);
  const [start, end] = [
    { ...begun, eventType: 'START' },
    { ...begun, inputs: [], outputs: [{ namespace: 'postgres://db:5432', name: 'crm.ops.report' }] },
  ];
  for (const [name, event] of Object.entries({ start, end }))
    writeFileSync(path.join(folder, `${name}.ndjson`), `${JSON.stringify(event)}\n`);
  const asked = ['impact', 'crm.core.orders', '--manifest', 'base', '--openlineage', 'start.ndjson'];
  const refsOf = async (args: readonly string[]) => {
    const { downstream } = v.parse(
      v.object({ downstream: v.array(v.object({ relation_ref: v.string() })) }),
      await commandJson([...args], { folder }),
    );
    return downstream.map(({ relation_ref }) => relation_ref);
  };
  expect(await refsOf(asked)).not.toContain('crm.ops.report');
  expect(await refsOf([...asked, '--openlineage', 'end.ndjson'])).toContain('crm.ops.report');
});

it('names what looks like a relation of the answer and is another one', async () => {
  const [main, replica] = ['postgres://db:5432', 'postgres://replica:5432'];
  const events = [
    runEvent(main, ['crm.raw.a'], ['crm.core.b'], { job: 'writes' }),
    runEvent(replica, ['crm.core.b'], ['crm.core.report'], { job: 'reads' }),
  ];
  writeFileSync(path.join(folder, 'replica.json'), JSON.stringify(events));
  const { output } = await commandLine(['impact', 'crm.core.b', '--offline', '--openlineage', 'replica.json'], {
    folder,
  });
  expect(output).toContain(
    '1 other name looks like a relation here: what uses it is not counted (postgres://replica:5432/crm.core.b).',
  );
});

it('dates a declared edge by its event, and keeps a list of columns beside a newer part of one', async () => {
  const namespace = 'postgres://db:5432';
  const [t, u] = ['crm.x.t', 'crm.x.u'].map((name) => ({ namespace, name }));
  const facet = { _producer: 'urn:test', _schemaURL: 'urn:test' };
  const schema = { ...facet, fields: ['a', 'b'].map((name) => ({ name, type: 'int' })) };
  const fields = { a: { inputFields: [{ ...u, field: 'a' }] } };
  const { run, eventType, ...job } = runEvent(namespace, ['crm.x.u'], [], { at: '2026-02-02T00:00:00Z' });
  const declared = { ...job, outputs: [{ ...t, facets: { columnLineage: { ...facet, fields } } }] };
  const described = {
    ...runEvent(namespace, [], [], { at: '2026-01-01T00:00:00Z' }),
    outputs: [{ ...t, facets: { schema } }],
  };
  const events = [{ ...declared, schemaURL: job.schemaURL.replace('RunEvent', 'JobEvent') }, described];
  writeFileSync(path.join(folder, 'declared.json'), JSON.stringify(events));
  const { evidence } = await commandJson(['explain', 'crm.x.u', 'crm.x.t', '--openlineage', 'declared.json'], {
    folder,
  });
  expect([run, eventType, evidence]).toMatchObject([
    {},
    'COMPLETE',
    [{ observed_at: '2026-02-02T00:00:00.000Z', columns_unresolved: [{ column: 'b' }] }],
  ]);
});

it('reads events from standard input, files as PowerShell writes them, and names what it cannot read', async () => {
  const text = JSON.stringify(runEvent('postgres://db:5432', ['crm.raw.a'], ['crm.core.b']));
  const asked = (file: string) => ['impact', 'crm.raw.a', '--offline', '--openlineage', file];
  const program = path.resolve(import.meta.dirname, '../../cli/tributary.ts');
  expect(execFileSync(process.execPath, [program, ...asked('-')], { input: text, encoding: 'utf8' })).toContain(
    'crm.core.b',
  );
  writeFileSync(path.join(folder, 'utf16.json'), Buffer.from(`\ufeff${text}`, 'utf16le'));
  expect((await commandLine(asked('utf16.json'), { folder })).output).toContain('crm.core.b');
  const mixed = [text, JSON.stringify({ ...JSON.parse(text), eventTime: '2026-11-28T10:00:00' })].join('\n');
  writeFileSync(path.join(folder, 'mixed.ndjson'), mixed);
  const { messages } = await commandLine(asked('mixed.ndjson'), { folder });
  expect(messages).toContain('mixed.ndjson, line 2, was not read. /eventTime: needs a time zone');
  writeFileSync(path.join(folder, 'nan.json'), text.replace('{', '{"facets":{"size":NaN},'));
  expect((await commandLine(asked('nan.json'), { folder })).messages).toContain('/facets/size must not be NaN');
});

it('reads the events that Marquez lists, which have null for inputs or outputs that were not sent', async () => {
  const { inputs, ...end } = runEvent('postgres://db:5432', ['crm.raw.a'], ['crm.core.b']);
  const start = { ...end, eventType: 'START', inputs, outputs: null };
  const listed = { events: [{ ...end, inputs: null }, start], totalCount: 2 };
  writeFileSync(path.join(folder, 'marquez.json'), JSON.stringify(listed));
  const { output, messages } = await commandLine(
    ['impact', 'crm.raw.a', '--offline', '--openlineage', 'marquez.json'],
    { folder },
  );
  expect([output, messages]).toEqual([expect.stringContaining('crm.core.b'), '']);
});

describe('files that are not what their option says', () => {
  const env = { TRIBUTARY_URL: 'http://127.0.0.1:9', TRIBUTARY_TOKEN: 'any' };

  it.each([
    ['--openlineage', [], /^file\.json holds no OpenLineage event\./],
    ['--manifest', {}, /^file\.json is not a dbt manifest: /],
  ])('are refused by name, and no service answers instead: %s', async (option, content, says) => {
    writeFileSync(path.join(folder, 'file.json'), JSON.stringify(content));
    const { code, output, messages } = await commandLine(['impact', 'a.b.c', option, 'file.json'], { folder, env });
    expect([code, output, messages]).toEqual([2, '', expect.stringMatching(says)]);
  });
});

it('reads a file of the file sink of DataHub as a push does', async () => {
  const [a, b] = ['a', 'b'].map((name) => `urn:li:dataset:(urn:li:dataPlatform:kafka,${name},PROD)`);
  const aspect = { json: { upstreams: [{ dataset: a, type: 'TRANSFORMED' }] } };
  const change = { entityType: 'dataset', entityUrn: b, aspectName: 'upstreamLineage', changeType: 'UPSERT', aspect };
  writeFileSync(path.join(folder, 'sink.json'), JSON.stringify([change]));
  const { downstream } = await commandJson(['impact', String(a), '--datahub', 'sink.json'], { folder });
  expect(downstream).toMatchObject([{ relation_ref: b }]);
  const { output } = await commandLine(['unused', '--datahub', 'sink.json'], { folder });
  expect(output).toBe('No relation belongs to connector files yet.\n');
});

it('does not deny a column of a relation whose columns are known in part', async () => {
  write('base', shopManifest());
  const { code, messages } = await commandLine(
    ['impact', 'crm.core.scores', '--column', 'nope', '--manifest', 'base'],
    { folder },
  );
  expect([code, messages]).toEqual([3, expect.stringContaining('No source names a column "nope" of crm.core.scores.')]);
});

it('takes a default that only a newer dbt writes for no change', async () => {
  write('base', shopManifest());
  changed((nodes) => {
    for (const node of Object.values(nodes)) {
      const { config = {} } = node as { readonly config?: object };
      Object.assign(node, { config: { ...config, lookback: 1, delimiter: ',' } });
    }
  });
  expect((await diff('--base', 'base')).output).toMatch(/^Nothing known breaks\. Nothing changes\./);
});

it('reads no half of an export: the answer is that of the files, and says that the connection was cut', async () => {
  write('base', shopManifest());
  const cut = createServer(({ url = '' }, response) => {
    if (url.startsWith('/v1/connectors'))
      return response.end(JSON.stringify({ workspace_id: 'ws_a', items: [], next_cursor: null }));
    response.write('{"eventTime": "2026');
    return setImmediate(() => response.destroy());
  });
  await new Promise<void>((resolve) => void cut.listen(0, '127.0.0.1', resolve));
  const { port } = cut.address() as AddressInfo;
  const env = { TRIBUTARY_URL: `http://127.0.0.1:${port}`, TRIBUTARY_TOKEN: 'any', TRIBUTARY_WORKSPACE: 'ws_a' };
  try {
    const { code, output } = await commandLine(['impact', 'crm.core.orders', '--manifest', 'base'], { folder, env });
    expect([code, output]).toEqual([0, expect.stringContaining('cannot be reached: the connection was cut.')]);
    const exported = await commandLine(['export', '--output', 'graph.ndjson'], { folder, env });
    expect([exported.code, exported.messages]).toEqual([5, expect.stringContaining('the connection was cut')]);
  } finally {
    cut.close();
  }
});

it('sends the manifest to the service if it compares with files', async () => {
  changed(() => {});
  const asked: string[] = [];
  const service = createServer(({ url = '' }, response) => {
    asked.push(url.split('?')[0] ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const env = {
    ...{ TRIBUTARY_URL: `http://127.0.0.1:${port}`, TRIBUTARY_TOKEN: 'any' },
    ...{ TRIBUTARY_WORKSPACE: 'ws_a', TRIBUTARY_CONNECTOR: 'con_a' },
  };
  const place = ['--repository', 'acme/warehouse', '--commit', 'a'.repeat(40), '--pull-request', '1'];
  try {
    await commandLine(['diff', 'dbt', '.', '--base', 'base', '--upload', ...place], { folder, env });
    expect(asked).toContain('/v1/codehost/manifests');
  } finally {
    service.close();
  }
});

it('says if the folder of a base is no repository', async () => {
  const { code, messages } = await commandLine(['diff', 'dbt', '--base-ref', 'main'], { folder: tmpdir() });
  expect([code, messages]).toEqual([2, expect.stringContaining('Git finds no repository there')]);
});
