import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ImpactAnswer } from '../../shared/contract/impact.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const day = 86_400_000;
const folder = mkdtempSync(path.join(tmpdir(), 'clock-'));
const offset = path.join(folder, 'offset');
const namespace = 'postgres://warehouse.acme.test:5432';

const Receipt = v.object({ delivery_id: v.string() });
const Health = v.object({ status: v.string() });
const Counts = v.object({ items: v.array(v.looseObject({ accepted: v.number() })) });

// Windows has no such signal for a running process.
describe.skipIf(process.platform === 'win32')('the local service under a clock that jumps', () => {
  let service: ServiceProcess;
  let token = '';
  let steps = 0;
  /** The time of the service, and the times at which it received events. */
  const now = () => Date.now() + Number(readFileSync(offset, 'utf8'));
  const received: number[] = [];

  beforeAll(async () => {
    const preload = new URL('../support/shifted-clock.mjs', import.meta.url);
    preload.searchParams.set('file', offset);
    process.env['PRELOADED'] = preload.href;
    writeFileSync(offset, '0');
    await start();
    // A session may have been signed in a time that is the future after a jump: it is refused, and a token is not.
    const session = acme().tokens['admin'] ?? '';
    const body = { workspace_id: acme().id, name: 'clock', expires_in_days: 30, scopes: ['read', 'write', 'admin'] };
    const created = await ask('POST', '/v1/auth/tokens', body, session);
    token = v.parse(v.object({ token: v.string() }), created).token;
  }, 300_000);
  afterAll(async () => {
    delete process.env['PRELOADED'];
    await service.end('SIGTERM');
    rmSync(folder, { recursive: true });
  });

  const start = async () => {
    service = await startProcess(['--data', path.join(folder, 'data'), '--seed', 'conformance']);
  };
  const acme = () => {
    const { acme: found } = service.credentials.workspaces;
    if (!found) throw new Error('The seed has no workspace acme.');
    return found;
  };
  const connector = () => acme().connectors['warehouse']?.id ?? '';

  async function ask(method: string, route: string, body: unknown, authorization = token): Promise<unknown> {
    const response = await fetch(service.credentials.base_url.replace(/\/$/, '') + route, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${authorization}` },
      ...(body !== null && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    expect([200, 201, 202], `${method} ${route} ${JSON.stringify(answer)}`).toContain(response.status);
    return answer;
  }

  /** Sets the clock of the running service, from which moment on every thread of it has that time. */
  async function setClock(days: number): Promise<void> {
    writeFileSync(offset, String(days * day));
    process.kill(service.pid, 'SIGUSR2');
    await vi.waitFor(async () => {
      const { headers } = await fetch(new URL('/health', service.credentials.base_url));
      const ahead = Date.parse(headers.get('date') ?? '') - Date.now();
      expect(Math.abs(ahead - days * day)).toBeLessThan(3_600_000);
    }, 20_000);
  }

  const upstreamOf = async (relation_ref: string): Promise<string[]> => {
    const query = new URLSearchParams({ workspace_id: acme().id, connector_id: connector(), relation_ref });
    const { upstream } = v.parse(ImpactAnswer, await ask('GET', `/v1/lineage/impact?${query}`, null));
    return upstream.map((one) => one.relation_ref).sort();
  };

  /** A run, a whole project that replaces the one before, and an event: each is taken in, and answered about. */
  async function works(): Promise<void> {
    const step = ++steps;
    const name = (of: string) => `analytics.public.${of}`;
    const dataset = (of: string) => ({
      namespace: acme().connectors['warehouse']?.namespaces[0] ?? namespace,
      name: name(of),
    });
    const query = new URLSearchParams({ workspace_id: acme().id, connector_id: connector() });
    const run = {
      eventType: 'COMPLETE',
      eventTime: new Date().toISOString(),
      run: { runId: randomUUID() },
      job: { namespace: 'clock', name: `step ${step}` },
      inputs: [dataset(`from_${step}`)],
      outputs: [dataset('gathered')],
      producer: 'https://acme.test',
      schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    };
    const sent = [
      await ask('POST', `/api/v1/lineage?${query}`, run),
      await ask('POST', '/v1/lineage/dbt/manifest', project(step)),
    ];
    for (const { delivery_id } of sent.map((one) => v.parse(Receipt, one)))
      await vi.waitFor(
        async () =>
          expect(
            await ask('GET', `/v1/lineage/deliveries/${delivery_id}?workspace_id=${acme().id}`, null),
          ).toMatchObject({ state: 'projected' }),
        { timeout: 60_000, interval: 200 },
      );
    const all = Array.from({ length: step }, (_, i) => name(`from_${i + 1}`));
    expect(await upstreamOf(name('gathered'))).toEqual(all.sort());
    // Only the newest snapshot counts, whatever the clock said when it came.
    expect(await upstreamOf('analytics.public.built')).toEqual([`analytics.public.model_${step}`]);
    await collects(step);
  }

  const project = (step: number) => {
    const model = (alias: string, nodes: readonly string[]) => ({
      resource_type: 'model',
      database: 'analytics',
      schema: 'public',
      alias,
      depends_on: { nodes },
    });
    const first = `model.acme.model_${step}`;
    return {
      workspace_id: acme().id,
      connector_id: connector(),
      project_id: acme().linked_projects['dbt'],
      completeness: 'complete',
      source_event_key: `step ${step}`,
      manifest: {
        metadata: { adapter_type: 'postgres', project_name: 'acme' },
        sources: {},
        nodes: { [first]: model(`model_${step}`, []), 'model.acme.built': model('built', [first]) },
      },
    };
  };

  /** An event is stored and counted. Counts are of the last days: those of days that are to come again are not among them. */
  async function collects(step: number): Promise<void> {
    const { project_key = '', project_id = '', server_key = '' } = acme().collection;
    const event = {
      id: `step ${step}`,
      type: 'track',
      event: 'step',
      user_id: 'u',
      timestamp: new Date().toISOString(),
    };
    await ask('POST', '/collect/v1/batch', { project_key, events: [event] }, server_key);
    received.push(now());
    await vi.waitFor(
      async () => {
        const found = await ask('GET', `/v1/collection-projects/${project_id}/counts?workspace_id=${acme().id}`, null);
        const { items } = v.parse(Counts, found);
        expect(items.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(
          received.filter((at) => at <= now()).length,
        );
      },
      { timeout: 60_000, interval: 200 },
    );
  }

  it('projects and answers before the clock jumps', works, 180_000);

  it('starts on its earlier data when the clock jumps a day ahead, and continues', async () => {
    await service.end('SIGTERM');
    writeFileSync(offset, String(day));
    await start();
    await works();
  }, 300_000);

  it('goes on when the clock jumps another day ahead while it runs', async () => {
    await setClock(2);
    await works();
  }, 180_000);

  it('goes on when the clock is set back by two days while it runs', async () => {
    await setClock(0);
    expect(v.parse(Health, await ask('GET', '/health', null)).status).toBe('ok');
    await works();
  }, 180_000);

  it('starts again at the machine’s time', async () => {
    await service.end('SIGTERM');
    await start();
    await works();
  }, 300_000);
});
