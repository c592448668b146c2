import path from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ImpactAnswer } from '../../shared/contract/impact.ts';
import { python, pythonPackage } from '../support/python.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const script = path.resolve(import.meta.dirname, '..', 'fixtures', 'openlineage-python', 'emit.py');
const client = await pythonPackage('openlineage-python', '1.54.0');
if ('missing' in client) console.log(`The OpenLineage client for Python is not tried: ${client.missing}.`);

let service: ServiceProcess | undefined;
beforeAll(async () => {
  if ('folder' in client) service = await startProcess(['--in-memory', '--seed', 'conformance']);
});
afterAll(async () => {
  await service?.end('SIGTERM');
});

it.skipIf('missing' in client)('takes what the real Python client sends, and refuses its gzip', async () => {
  if (!service || 'missing' in client) throw new Error('nothing to try');
  const { base_url: url, workspaces } = service.credentials;
  const acme = workspaces['acme'];
  const warehouse = acme?.connectors['warehouse'];
  if (!acme || !warehouse) throw new Error('the seed has no such workspace');
  const json = async (request: string, init?: RequestInit, token = acme.tokens['viewer']) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return (await fetch(`${url}${request}`, { ...init, headers })).json();
  };
  const asked = {
    workspace_id: acme.id,
    name: 'python',
    expires_in_days: 1,
    scopes: ['write'],
    client_kind: 'service',
  };
  const body = JSON.stringify(asked);
  const made = await json('/v1/auth/tokens', { method: 'POST', body }, acme.tokens['admin']);
  const settings = {
    url,
    endpoint: `api/v1/lineage?connector_id=${warehouse.id}`,
    namespace: warehouse.namespaces[0],
  };
  const { token } = v.parse(v.object({ token: v.string() }), made);
  const outcome = await python(client.folder, script, settings, { OPENLINEAGE_TOKEN: token });
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
