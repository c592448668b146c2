import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checks, unsettled } from '../../scripts/first-account/checks.ts';
import { canaryRound } from '../../shared/client/canary-round.ts';
import { commandJson, commandLine } from '../support/command-line.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startProcess(['--in-memory', '--seed', 'conformance']);
  const { local } = service.credentials;
  vi.stubEnv('TABLE_NAME', local.table);
  vi.stubEnv('API_URL', `${service.credentials.base_url}/`);
  vi.stubEnv('AWS_REGION', local.region);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', local.endpoints.dynamodb);
  vi.stubEnv('AWS_ACCESS_KEY_ID', local.access_key_id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', local.secret_access_key);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service.end('SIGTERM');
});

const canary = (...args: string[]) => ['admin', 'canary', ...args, '--credentials', service.file];
const round = () => commandJson(canary('run', '--url', service.credentials.base_url));
const waiting = () => ({ url: service.credentials.base_url, newId: randomUUID, timeIsUp: () => false });

/** A round of the function. */
async function invoked(): Promise<void> {
  const { handler } = await import('../../functions/canary/handler.ts');
  const context = { awsRequestId: 'request', functionName: 'canary', getRemainingTimeInMillis: () => 60_000 };
  await handler({}, context as unknown as Context);
}

async function keysNow() {
  const { readCanaryKeys } = await import('../../shared/adapters/dynamodb/registry/canary-keys.ts');
  const { table } = await import('../../shared/runtime/composition/stores.ts');
  const keys = await readCanaryKeys(table());
  if (keys === null) throw new Error('The canary has no keys.');
  return keys;
}

describe('the canary', () => {
  it('does not run without keys, and names the command that creates them', async () => {
    await expect(invoked()).rejects.toThrow('canary_without_keys');
    const { code, messages } = await commandLine(canary('run', '--url', service.credentials.base_url));
    expect([code, messages]).toEqual([
      expect.toSatisfy((one: number) => one !== 0),
      expect.stringContaining('prepare'),
    ]);
  });

  it('sends, waits and asks in its own workspace, again and again', async () => {
    await commandJson(canary('prepare'));
    for (let at = 0; at < 2; at++) expect((await round()).milliseconds).toBeGreaterThan(0);
  });

  it('ends its function without an error if its round succeeds', async () => {
    await invoked();
  });

  it('gets new keys by the same command, which revokes the previous ones', async () => {
    const before = await keysNow();
    await commandJson(canary('prepare'));
    expect(await keysNow()).toMatchObject({ workspace_id: before.workspace_id, connector_id: before.connector_id });
    await expect(canaryRound(before, waiting())).rejects.toThrow();
    await round();
  });

  it('fails with the name of the step if an event is accepted and not stored', async () => {
    const keys = await keysNow();
    const elsewhere = service.credentials.workspaces['acme'];
    const lost = { ...keys, project_key: elsewhere?.collection['project_key'] ?? '' };
    let requested = 0;
    const briefly = { ...waiting(), timeIsUp: () => requested++ > 3 };
    await expect(canaryRound(lost, briefly)).rejects.toMatchObject({ code: 'canary_event_not_stored' });
  });

  it('lets the checks of a first account hold, except for what a laptop takes and an account does not', async () => {
    const args = ['scripts/first-account.ts', '--url', service.credentials.base_url, '--credentials', service.file];
    const { stdout, code } = await promisify(execFile)(process.execPath, args).catch((error) => error);
    const says = (verdict: string) =>
      [...stdout.matchAll(new RegExp(`^${verdict} +(.+)$`, 'gm'))].map(([, check]) => check);
    expect(says('FAILS'), stdout).toEqual([
      expect.stringContaining('one of 7 MiB'),
      expect.stringContaining('the announced bytes and no others'),
    ]);
    expect(code).toBe(1);
    expect(says('holds')).toHaveLength(Object.keys(checks).length - 2);
    expect(says('unknown')).toEqual(Object.keys(unsettled));
  });

  it('opens nothing but its own workspace', async () => {
    const { token } = await keysNow();
    const { base_url, workspaces } = service.credentials;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${base_url}/v1/lineage/providers?workspace_id=${workspaces['acme']?.id}`, { headers });
    expect([403, 404]).toContain(answer.status);
  });
});
