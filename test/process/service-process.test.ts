import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { GetQueueAttributesCommand, type QueueAttributeName, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readOptions } from '../../local/options.ts';
import { startupMessage } from '../../local/startup-message.ts';
import { ImpactAnswer } from '../../shared/contract/impact.ts';
import { accessKeysOf, type LocalStores } from '../../shared/contract/stack-outputs.ts';
import { deliveryStates } from '../../shared/contract/vocabulary.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { commandLine } from '../support/command-line.ts';
import {
  failToStart,
  isListening,
  type ServiceCredentials,
  type ServiceProcess,
  startProcess,
} from '../support/service-process.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const Receipt = v.object({ delivery_id: v.string() });
const Commit = v.object({ object: v.object({ sha: v.string() }) });
const Pull = v.object({ number: v.number(), head: v.object({ sha: v.string() }) });

describe('the service in its own process', () => {
  const temporary = mkdtempSync(path.join(tmpdir(), 'data-'));
  // The service makes the folders.
  const data = path.join(temporary, 'of', 'shop');
  const options = ['--data', data, '--seed', 'sample'];
  let before: ServiceCredentials;
  let service: ServiceProcess;
  let delivery: string;

  beforeAll(async () => {
    const first = await startProcess(options);
    before = first.credentials;
    const { project_key } = shopOf(before).collection;
    await post(before, '/collect/v1/batch', {
      project_key,
      events: [{ id: 'last', type: 'track', event: 'last', user_id: 'u', timestamp: '2026-01-05T00:00:00Z' }],
    });
    const accepted = await post(before, `/api/v1/lineage?workspace_id=${shopOf(before).id}`, lastRun);
    delivery = v.parse(Receipt, accepted).delivery_id;
    await deadLetter(before.local);
    await first.end('SIGKILL');
    service = await startProcess(options);
  }, 300_000);
  afterAll(async () => {
    await service.end('SIGTERM');
    rmSync(temporary, { recursive: true });
  });

  it('leaves nothing running if it is killed', async () => {
    for (const url of [before.base_url, before.local.endpoints.dynamodb, before.local.endpoints.sqs])
      await vi.waitFor(async () => expect(await isListening(url)).toBe(false), 5_000);
  });

  it('loses nothing that it had accepted when it was killed (C-INGEST-3)', async () => {
    await projected(service.credentials, delivery);
    expect(await downstream(service.credentials, 'shop.raw.killed')).toEqual(['shop.raw.survived']);
    const ids = (await command('events.ts', ['--workspace', shopOf(before).id, '--sql', 'select id from events']))
      .trim()
      .split('\n');
    expect(ids).toContain('{"id":"last"}');
    expect(ids).toHaveLength(25);
  });

  it('tries dead letters of the last run again', async () => {
    expect(await deadLetters(service.credentials.local)).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('keeps its data from everybody else on the machine', () => {
    const entries = readdirSync(data, { recursive: true, withFileTypes: true });
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(entries.length).toBeGreaterThan(4);
    const open = entries.filter((entry) => statSync(path.join(entry.parentPath, entry.name)).mode & 0o077);
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('keeps its keys, tokens and the sample over a restart (C-ADMIN-5)', async () => {
    expect(service.credentials.workspaces).toEqual(before.workspaces);
    expect(await downstream(service.credentials, 'shop.raw.payments', 'amount_cents')).toEqual([
      'exposure.shop.weekly_revenue',
      'postgres://crm.shop.test:5432/crm.public.accounts',
      's3://shop-reports/finance/weekly',
      'shop.marts.customer_value',
      'shop.marts.orders',
      'shop.marts.revenue_daily',
      'shop.staging.stg_payments',
    ]);
  });

  it('prints at its start what the README and start.md show', async () => {
    const options = readOptions(['--data', data, '--credentials', service.file]);
    if (options === 'help') throw new Error('not asked for');
    const { credentials } = service;
    const printed = lastingLines(await startupMessage({ baseUrl: credentials.base_url, credentials }, options));
    const answers = [shownIn('README.md', 'Tributary runs on'), shownIn('docs/start.md', 'Pull request')].map(
      lastingLines,
    );
    expect(answers.map((lines) => lines.length > 3)).toEqual([true, true]);
    expect(answers.flatMap((lines) => notInOrder(lines, printed))).toEqual([]);
  });

  it('checks a pull request at the code host beside it, also after a restart (C-CODEHOST-9)', async () => {
    const text = await ran('scripts/pull-request.ts', ['--summary', '--credentials', service.file]);
    expect(text).toMatch(/^Pull request \d+ of shop\/warehouse: check “Tributary lineage” concludes neutral$/m);
    expect(text).toContain('models/marts/revenue_daily.sql:1  failure  breaking: shop.marts.revenue_daily.revenue');
    expect(text).toMatch(/^ {2}Breaks s3:\/\/shop-reports\/finance\/weekly \(revenue\)\.$/m);
    expect(text).toContain('n0 -- breaks --> n2');
  });

  it('checks a pull request by the manifest that a command sends for its commit (C-CODEHOST-9)', async () => {
    const { code_host: host } = service.credentials;
    const send = async (method: string, route: string, body?: object) => {
      const headers = { authorization: `Bearer ${host?.token}` };
      const answer = await fetch(`${host?.url}/repos/${host?.repository}${route}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return answer.json();
    };
    const { sha } = v.parse(Commit, await send('GET', '/git/ref/heads/main')).object;
    await send('POST', '/git/refs', { ref: 'refs/heads/sent', sha });
    const change = { message: 'Change', content: Buffer.from('-- changed').toString('base64'), branch: 'sent' };
    await send('PUT', '/contents/models/marts/note.sql', change);
    const { number, head } = v.parse(Pull, await send('POST', '/pulls', { title: 'Sent', head: 'sent', base: 'main' }));
    const titled = (title: string) =>
      vi.waitFor(
        async () =>
          expect(await send('GET', `/commits/${head.sha}/check-runs`)).toMatchObject({
            total_count: 1,
            check_runs: [{ status: 'completed', output: { title } }],
          }),
        { timeout: 50_000, interval: 100 },
      );
    await titled('Waiting for the manifest of this commit');
    const target = path.join(data, 'project', 'target');
    mkdirSync(target, { recursive: true });
    const manifest = readFileSync(path.join(root, 'local', 'seed', 'sample', 'manifest.json'), 'utf8');
    writeFileSync(path.join(target, 'manifest.json'), manifest.replaceAll('as revenue,', 'as revenue_eur,'));
    const event = path.join(data, 'event.json');
    writeFileSync(event, JSON.stringify({ pull_request: { number, head } }));
    const args = ['diff', 'dbt', path.dirname(target), '--upload', '--project', 'shop-dbt', '--connector', 'warehouse'];
    const { code, output } = await commandLine([...args, '--credentials', service.file], {
      env: { GITHUB_EVENT_PATH: event, GITHUB_REPOSITORY: host?.repository ?? '' },
    });
    expect([code, output]).toEqual([1, expect.stringMatching(/^1 relation breaks, and 1 relation may break\./)]);
    await titled('1 relation breaks, and 1 relation may break.');
  });

  it.each([
    [() => ['--data', data], 'Another service keeps its state in'],
    [() => ['--in-memory', '--port', new URL(service.credentials.base_url).port], 'is taken'],
    [() => ['--seed', 'other'], '--seed takes one of sample, conformance, none.'],
  ])('says why it cannot start: %#', async (refused, why) => {
    const { code, says } = await failToStart(refused());
    expect([code, says]).toEqual([1, expect.stringContaining(why)]);
  });

  it.skipIf(process.platform === 'win32')('ends with the npm that started it', async () => {
    const file = path.join(data, 'npm-credentials.json');
    const args = ['run', '--silent', 'local', '--', '--port', '0', '--in-memory', '--credentials', file];
    const npm = spawn('npm', args, { cwd: root, stdio: 'ignore' });
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), 60_000);
    const { base_url } = v.parse(v.object({ base_url: v.string() }), JSON.parse(readFileSync(file, 'utf8')));
    npm.kill('SIGTERM');
    await vi.waitFor(async () => expect(await isListening(base_url)).toBe(false), 10_000);
  });

  it('ends with all that it started if a part of it cannot start', async () => {
    const broken = { DYNOXIDE_BIN: process.platform === 'win32' ? 'nothing.exe' : '/bin/false' };
    const { code, says } = await failToStart(['--in-memory'], broken);
    expect([code, says]).toEqual([1, expect.stringContaining('The DynamoDB emulator ended while it started.')]);
  });

  const recorded = ['client-http'].filter((name) => existsSync(folderOf(name)));
  it.each(recorded)('has from %s what its complete runs say', { timeout: 300_000 }, async (name) => {
    const { headers, bodies, edges } = recordingOf(name);
    const path = `/api/v1/lineage?workspace_id=${shopOf(before).id}`;
    await inParallel(8, bodies, (body) => post(service.credentials, path, body, headers));
    await allProjected(service.credentials);
    const nodes = [...new Set(edges.flat())];
    const found = await inParallel(4, nodes, async (node) => [node, await downstream(service.credentials, node)]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(nodes.map((node) => [node, reachable(edges, node)])));
  });

  const command = (program: string, args: readonly string[]): Promise<string> =>
    ran(`cli/${program}`, [...args, '--credentials', service.file]);

  const ran = async (file: string, args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [path.join(root, file), ...args])).stdout;
});

const lastRun = {
  eventType: 'COMPLETE',
  eventTime: '2026-11-01T00:00:00Z',
  run: { runId: randomUUID() },
  job: { namespace: 'shop.test', name: 'last' },
  inputs: [{ namespace: 'postgres://warehouse.shop.test:5432', name: 'shop.raw.killed' }],
  outputs: [{ namespace: 'postgres://warehouse.shop.test:5432', name: 'shop.raw.survived' }],
  producer: 'https://shop.test',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
};

function shopOf({ workspaces: { shop } }: ServiceCredentials) {
  if (!shop) throw new Error('The sample has no workspace shop.');
  return shop;
}

async function post(
  credentials: ServiceCredentials,
  route: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const bytes = body instanceof Uint8Array ? body : JSON.stringify(body);
  const authorization = `Bearer ${shopOf(credentials).tokens['editor']}`;
  const response = await fetch(credentials.base_url + route, {
    method: 'POST',
    body: bytes,
    headers: { 'content-type': 'application/json', ...(route.startsWith('/api') && { authorization }), ...headers },
  });
  const answer: unknown = await response.json();
  expect([response.status, answer]).toEqual([expect.toBeOneOf([200, 202]), expect.anything()]);
  return answer;
}

async function get(credentials: ServiceCredentials, route: string, query: Record<string, string>): Promise<unknown> {
  const { id, tokens } = shopOf(credentials);
  const url = `${credentials.base_url}${route}?${new URLSearchParams({ workspace_id: id, ...query })}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${tokens['viewer']}` } });
  return response.json();
}

const projected = (credentials: ServiceCredentials, delivery: string): Promise<unknown> =>
  vi.waitFor(
    async () =>
      expect(await get(credentials, `/v1/lineage/deliveries/${delivery}`, {})).toMatchObject({ state: 'projected' }),
    { timeout: 50_000, interval: 100 },
  );

const allProjected = (credentials: ServiceCredentials): Promise<void> =>
  vi.waitFor(
    async () => {
      for (const state of deliveryStates.filter((one) => one !== 'projected'))
        expect(await get(credentials, '/v1/lineage/deliveries', { state, limit: '1' })).toMatchObject({ items: [] });
    },
    { timeout: 250_000, interval: 250 },
  );

/** Everything downstream of a relation, or of a column of it. */
async function downstream(credentials: ServiceCredentials, relation_ref: string, column?: string): Promise<string[]> {
  const answer = await get(credentials, '/v1/lineage/impact', {
    connector_id: shopOf(credentials).connectors['warehouse']?.id ?? '',
    relation_ref,
    direction: 'downstream',
    max_depth: '10',
    // Recordings grow older than run-time evidence is held for fresh.
    include_stale: 'true',
    ...(column && { column_ref: column }),
  });
  return v
    .parse(ImpactAnswer, answer)
    .downstream.map((item) => item.relation_ref)
    .sort();
}

/** The block of text of a document that begins so. */
function shownIn(file: string, first: string): string {
  const blocks = readFileSync(path.join(root, file), 'utf8').matchAll(/^```text\n(.*?)^```/gms);
  return [...blocks].map(([, text = '']) => text).find((text) => text.startsWith(first)) ?? '';
}

function notInOrder(lines: readonly string[], all: readonly string[]): readonly string[] {
  let at = -1;
  return lines.filter((line) => {
    at = all.indexOf(line, at + 1);
    return at < 0;
  });
}

/** Lines without what differs from run to run: addresses, places of files and numbers. */
const lastingLines = (text: string): string[] =>
  stripVTControlCharacters(text)
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/ --credentials \S+/g, '')
    .replace(/Pull request \d+/g, 'Pull request N')
    .trim()
    .split('\n')
    .map((line) => line.trim());

const folderOf = (name: string): string => path.resolve(root, '..', 'shared', 'fixtures', 'openlineage', name);

type Wire = { readonly headers: readonly (readonly [string, string])[] };
/** What the HTTP client of the test sets itself. */
const ownHeaders = ['host', 'connection', 'content-length', 'authorization', 'transfer-encoding'];

/** The exact bytes that a client sent where they were kept, its headers, and the edges that follow from its events. */
function recordingOf(name: string) {
  const read = (file: string): Buffer =>
    existsSync(path.join(folderOf(name), file))
      ? readFileSync(path.join(folderOf(name), file))
      : gunzipSync(readFileSync(path.join(folderOf(name), `${file}.gz`)));
  const events: unknown[] = JSON.parse(read('events.json').toString());
  const wire: Wire[] = JSON.parse(read('wire.json').toString());
  const raw = (index: number): string => path.join(folderOf(name), 'raw', `${String(index).padStart(4, '0')}.body`);
  const bodies = events.map((event, index) => (existsSync(raw(index)) ? readFileSync(raw(index)) : event));
  const headers = Object.fromEntries(
    wire[0]?.headers
      .map(([header, value]) => [header.toLowerCase(), value] as const)
      .filter(([header]) => !ownHeaders.includes(header)) ?? [],
  );
  return { headers, bodies, edges: edgesOf(JSON.parse(read('expected.json').toString())) };
}

type Expected = Record<'table_edges' | 'lineage_facet_edges_not_in_table_edges' | 'column_edges', string[][]>;

/** A column map names tables that the inputs do not: sources that the producer reads under another name, and its CTEs. */
function edgesOf(expected: Expected): string[][] {
  const mapped = expected.column_edges.map((ends) => ends.slice(0, 2).map((end) => end.replace(/::.*$/, '')));
  return [...expected.table_edges, ...expected.lineage_facet_edges_not_in_table_edges, ...mapped].map((edge) =>
    edge.map((end) => end.replace('|', '/')),
  );
}

function reachable(edges: readonly string[][], from: string): string[] {
  const seen = new Set([from]);
  for (const one of seen) for (const [up, down] of edges) if (up === one && down !== undefined) seen.add(down);
  seen.delete(from);
  return [...seen].sort();
}

const queueClient = (local: LocalStores) =>
  new SQSClient({ region: local.region, endpoint: local.endpoints.sqs, credentials: accessKeysOf(local) });

async function deadLetter(local: LocalStores): Promise<void> {
  const message = { QueueUrl: local.projection_dead_letter_queue_url, MessageBody: '{"version":1}' };
  await queueClient(local).send(new SendMessageCommand(message));
}

async function deadLetters(local: LocalStores): Promise<number> {
  const attributes: QueueAttributeName[] = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'];
  const { Attributes } = await queueClient(local).send(
    new GetQueueAttributesCommand({ QueueUrl: local.projection_dead_letter_queue_url, AttributeNames: attributes }),
  );
  return attributes.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
}
