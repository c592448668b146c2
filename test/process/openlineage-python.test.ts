import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ImpactAnswer } from '../../shared/contract/impact.ts';
import { python, pythonPackage } from '../support/python.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const scripts = path.resolve(import.meta.dirname, '..', 'fixtures', 'openlineage-python');
const senders = readFileSync(path.resolve(import.meta.dirname, '..', '..', 'docs', 'senders.md'), 'utf8');
const client = await pythonPackage('openlineage-python', '1.54.0');
if ('missing' in client) console.log(`The OpenLineage client for Python is not tried: ${client.missing}.`);

let service: ServiceProcess | undefined;
beforeAll(async () => {
  if ('folder' in client) service = await startProcess(['--in-memory', '--seed', 'conformance']);
});
afterAll(async () => {
  await service?.end('SIGTERM');
});

/** The workspace of the seed, its warehouse, and a token that may send. */
async function sender() {
  if (!service) throw new Error('nothing to try');
  const acme = service.credentials.workspaces['acme'];
  const warehouse = acme?.connectors['warehouse'];
  if (!acme || !warehouse) throw new Error('the seed has no such workspace');
  const query = {
    workspace_id: acme.id,
    name: 'python',
    expires_in_days: 1,
    scopes: ['write'],
    client_kind: 'service',
  };
  const url = service.credentials.base_url;
  const headers = { authorization: `Bearer ${acme.tokens['admin']}`, 'content-type': 'application/json' };
  const created = await fetch(`${url}/v1/auth/tokens`, { method: 'POST', headers, body: JSON.stringify(query) });
  const { token } = v.parse(v.object({ token: v.string() }), await created.json());
  return { url, acme, warehouse, token };
}

it.skipIf('missing' in client)('takes what the real Python client sends, and refuses its gzip', async () => {
  if ('missing' in client) throw new Error('nothing to try');
  const { url, acme, warehouse, token } = await sender();
  const headers = { authorization: `Bearer ${acme.tokens['viewer']}` };
  const json = async (request: string) => (await fetch(url + request, { headers })).json();
  const settings = {
    url,
    endpoint: `api/v1/lineage?connector_id=${warehouse.id}`,
    namespace: warehouse.namespaces[0],
  };
  const outcome = await python(client.folder, path.join(scripts, 'emit.py'), settings, { OPENLINEAGE_TOKEN: token });
  expect(outcome).toEqual({ plain: [202, 202, 202], gzip: 415 });

  const question = new URLSearchParams({
    workspace_id: acme.id,
    connector_id: warehouse.id,
    relation_ref: 'py_orders',
    column_ref: 'amount',
  });
  await vi.waitFor(
    async () => {
      const answer = v.parse(ImpactAnswer, await json(`/v1/lineage/impact?${question}`));
      const found = answer.downstream.map(({ relation_ref, columns }) => [relation_ref, ...columns]);
      expect(found).toEqual([['analytics.public.py_totals', 'total'], ['analytics.public.py_report']]);
    },
    { timeout: 30_000, interval: 100 },
  );
});

describe.skipIf('missing' in client)('the settings that the documents name', () => {
  const emitted = async (text: string, settings: unknown, env: Readonly<Record<string, string>>) => {
    if ('missing' in client) throw new Error('nothing to try');
    expect(text).not.toBe('');
    return python(client.folder, path.join(scripts, 'documented.py'), settings, env);
  };
  const documented = async (pattern: RegExp) => {
    const { url, token } = await sender();
    const [, text = ''] = pattern.exec(senders) ?? [];
    return text.replaceAll('https://lineage.example', url).replaceAll('dpt_…', token);
  };

  it('make the client send by openlineage.yml', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'openlineage-'));
    const text = await documented(/```yaml\n(# openlineage\.yml.+?)```/s);
    const file = path.join(folder, 'openlineage.yml');
    writeFileSync(file, text);
    expect(await emitted(text, null, { OPENLINEAGE_CONFIG: file })).toBe('http');
    rmSync(folder, { recursive: true });
  });

  it('make the client send by the transport that Airflow hands to it', async () => {
    const text = await documented(/^transport = (.+)$/m);
    expect(await emitted(text, JSON.parse(text), {})).toBe('http');
  });

  it('make the client send by the environment that dbt-ol is given', async () => {
    const text = await documented(/^ {4}export (OPENLINEAGE_URL=.+)$/m);
    const env = Object.fromEntries(text.split(' ').map((one) => one.split('=') as [string, string]));
    expect(Object.keys(env)).toEqual(['OPENLINEAGE_URL', 'OPENLINEAGE_API_KEY', 'OPENLINEAGE_NAMESPACE']);
    expect(await emitted(text, null, env)).toBe('http');
  });
});
