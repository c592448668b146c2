import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect } from '../../cli/connect.ts';
import { storedLines } from '../../cli/events/stored-lines.ts';
import { type Credentials, type Seeded, writeCredentials } from '../../local/credentials.ts';
import { type DevelopmentIssuer, startIssuer } from '../../local/issuer/issuer.ts';
import { ImpactAnswer } from '../../shared/contract/impact.ts';
import { queueNames, stackNames } from '../../shared/contract/stack-outputs.ts';
import { commandJson } from '../support/command-line.ts';
import { gathered } from '../support/gathered.ts';
import { Account, nothing } from './account.ts';
import { copyLikeANight } from './backups.ts';
import { problemsOf, readCalls, recorderOf } from './calls.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { failures } from './conformance.ts';
import { emulatorFaults, notRun } from './deviations.ts';
import { refusals, refusedWithoutOption, steps, synthesize } from './options.ts';
import { run, runs } from './run.ts';
import { setUp } from './tenant.ts';
import { uploadManifest } from './uploads.ts';

const program = process.env['CLOUD_EMULATOR'] ?? '';
const conformance = path.resolve(import.meta.dirname, '../../../shared/conformance');
const Outputs = v.record(v.string(), v.looseObject({ ApiUrl: v.optional(v.string()) }));

let cloud: Cloud;
let account: Account;
let issuer: DevelopmentIssuer;
let seeded: Seeded;
let baseUrl: string;

beforeAll(async () => {
  [cloud, issuer] = await Promise.all([startCloud(program), startIssuer(null)]);
  Object.assign(process.env, cloud.environment);
  account = new Account(cloud.endpoint);
  await mkdir(callsFolder());
});
afterAll(() => Promise.all([cloud?.stop(), issuer?.stop()]));

const tenants = () => path.join(cloud.folder, 'tenants');
const writeTenant = async (name: string, file: unknown) => {
  await mkdir(tenants(), { recursive: true });
  await writeFile(path.join(tenants(), `${name}.json`), JSON.stringify(file));
};
const own = () => ({
  issuer: { issuer: issuer.issuer, audience: issuer.audience, jwksUrl: issuer.jwksUrl },
  protected: false,
});
const callsFolder = () => path.join(cloud.folder, 'calls');
const outputsFile = () => path.join(cloud.folder, 'outputs.json');
const assembly = (tenant: string) => path.join(cloud.folder, `assembly-${tenant}`);

/** Deploys, and answers what the CDK printed. */
const deploy = (...args: readonly string[]) =>
  runs(cloud.environment, [
    'cdk',
    'deploy',
    '--all',
    '--require-approval',
    'never',
    '--ci',
    '-O',
    outputsFile(),
    ...args,
  ]);
/** The same from the bundles of the deployment before. */
const fromOptions = async (tenant: string, file: unknown, ...options: readonly string[]) => {
  await writeTenant(tenant, file);
  synthesize(tenant, tenants(), assembly(tenant));
  return deploy('--app', assembly(tenant), ...options);
};
const fromApp = async (tenant: string, file: unknown) => {
  await writeTenant(tenant, file);
  return deploy('-c', `tenant=${tenant}`, '-c', `tenants=${tenants()}`, '-o', assembly(tenant));
};

async function urlOf(tenant: string): Promise<string> {
  const outputs = v.parse(Outputs, JSON.parse(await readFile(outputsFile(), 'utf8')));
  return account.reachable(outputs[stackNames(tenant).service]?.ApiUrl ?? '');
}

const shop = () => {
  const acme = seeded.workspaces['acme'];
  if (!acme) throw new Error('The workspace was not made.');
  return acme;
};

async function post(place: string, body: unknown, token?: string) {
  const response = await fetch(baseUrl + place, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

const batch = (id: string) => ({
  project_key: shop().collection['project_key'],
  events: [{ id, type: 'track', event: 'bought', user_id: 'u', timestamp: '2026-01-01T00:00:00Z' }],
});

describe('a deployment without a tenant', () => {
  it.each([[[]], [['--all']]])('deploys nothing with %j, and says what to name', async (options) => {
    const deploying = ['cdk', 'deploy', '--require-approval', 'never', '--ci', ...options];
    await expect(runs(cloud.environment, deploying)).rejects.toThrow(
      /Name the tenant: -c tenant=NAME\. tenants has .*main\b.*tributary-account/,
    );
  });
});

describe('a tenant', () => {
  it('is deployed', async () => {
    await runs(cloud.environment, ['cdk', 'bootstrap', '--ci', 'aws://000000000000/us-east-1'], cloud.folder);
    await runs(cloud.environment, ['cdk', 'deploy', 'tributary-account', '--require-approval', 'never', '--ci']);
    const printed = await fromApp('check', own());
    for (const stack of Object.values(stackNames('check'))) expect(printed).toContain(stack);
    baseUrl = await urlOf('check');
  });

  it('is set up by its operator', async () => {
    seeded = await setUp({ tenant: 'check', issuer, baseUrl });
    const listed = await runs(cloud.environment, [
      ...['node', 'cli/tributary.ts', 'admin', 'workspaces', 'list', '--tenant', 'check', '--json'],
    ]);
    expect(JSON.parse(listed)).toHaveLength(3);
  });

  it('stores events that are sent to its API', async () => {
    const id = randomUUID();
    const { status, json } = await post('/collect/v1/batch', batch(id));
    expect([status, json]).toEqual([202, expect.objectContaining({ status: 'accepted', received: 1 })]);
    const reading = ['node', 'cli/events.ts', '--tenant', 'check', '--workspace', shop().id];
    await vi.waitFor(async () => expect(await runs(cloud.environment, reading)).toContain(id), 240_000);
  });

  it('answers from the lineage that is sent to its API', async () => {
    const dataset = (name: string) => ({ namespace: 'duckdb://acme', name: `shop.main.${name}` });
    const token = shop().tokens['editor'];
    const { status } = await post(
      `/api/v1/lineage?workspace_id=${shop().id}`,
      {
        eventTime: new Date().toISOString(),
        eventType: 'COMPLETE',
        producer: 'https://example.test/producer',
        schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
        run: { runId: randomUUID() },
        job: { namespace: 'jobs', name: 'load' },
        inputs: [dataset('orders')],
        outputs: [dataset('revenue')],
      },
      token,
    );
    expect(status).toBe(202);
    await vi.waitFor(async () => expect(await impactOf('orders')).toEqual(['shop.main.revenue']), 240_000);
  });

  it('takes a large body by an upload, and no other bytes than those announced', async () => {
    expect(await uploadManifest(post, shop())).toMatchObject({
      other: 400,
      stored: 200,
      status: 202,
      json: { models: 2, duplicate: false },
    });
  });

  it.skipIf(!existsSync(conformance))('keeps the contract, except for the faults of the emulator', async () => {
    const file = path.join(cloud.folder, 'credentials.json');
    await writeCredentials(file, { base_url: baseUrl, ...seeded } satisfies Omit<Credentials, 'local'>);
    const failed = await failures(conformance, ['collection', 'openlineage', 'declared'], {
      credentials: file,
      without: Object.keys(notRun),
    });
    expect(failed.toSorted()).toEqual(Object.keys(emulatorFaults).toSorted());
  });

  it('is watched by a canary, which sends, waits and asks', async () => {
    await adminOf('check', 'canary', 'prepare');
    const round = await adminOf('check', 'canary', 'run', '--url', baseUrl);
    expect(round).toEqual({ milliseconds: expect.any(Number) });
  });

  it('tells its operator whom its alarms write to', async () => {
    const topic = expect.stringMatching(/^arn:aws:sns:/);
    expect(await adminOf('check', 'status')).toMatchObject({ topic, subscriptions: expect.any(Array) });
  });

  it('does not change if the same version is deployed again', async () => {
    expect(await deploy('--app', assembly('check'))).toContain('(no changes)');
  });

  it('takes up a changed setting of a function', async () => {
    await fromApp('check', { ...own(), settings: { COLLECTION_ENABLED: 'false' } });
    const answer = await post('/collect/v1/batch', batch(randomUUID()));
    expect(answer).toMatchObject({ status: 503, json: { detail: { code: 'collection_disabled' } } });
  });

  describe('whose options change one after another', () => {
    let before: Awaited<ReturnType<typeof dataOf>>;
    const file: Record<string, unknown> = {};
    beforeAll(async () => {
      Object.assign(file, own());
      before = await dataOf(shop().id);
      expect(before).toMatchObject({ graph: { relations: expect.toSatisfy((count: number) => count > 0) } });
      expect(before.events.length).toBeGreaterThan(0);
    });
    afterEach(async () => expect(await dataOf(shop().id)).toEqual(before));

    it.each(steps)('has the same graph and events with $name', async ({ name, change, options = [] }) => {
      Object.assign(file, await change(cloud.endpoint, own()));
      if (name === refusedWithoutOption.before)
        await expect(fromOptions('check', file)).rejects.toThrow(refusedWithoutOption.reason);
      const printed = await fromOptions('check', file, ...options);
      expect((printed.match(/\(no changes\)/g) ?? []).length).toBeLessThan(2);
    });

    it('refuses to lose the stream of events, and says at which export', async () => {
      await expect(fromOptions('check', { ...file, iceberg: undefined })).rejects.toThrow('Cannot delete export');
    });

    it.each(refusals)('refuses %j before anything is deployed, and says what to do', async (change, words) => {
      await expect(fromOptions('check', { ...file, ...change })).rejects.toThrow(words);
    });
  });
});

/** What the operator's command answers for a tenant. Its calls are recorded. */
async function adminOf(tenant: string, ...args: readonly string[]): Promise<unknown> {
  const words = args.slice(0, args[0] === 'canary' ? 2 : 1);
  const command = ['node', '--import', recorderOf(callsFolder()), 'cli/tributary.ts', 'admin', ...args];
  const environment = { ...cloud.environment, CALLER: ['admin', ...words].join(' ') };
  return JSON.parse(await runs(environment, [...command, '--tenant', tenant, '--json']));
}

/** What a tenant's stores hold of the workspace `acme`: the hash of its graph, and its events. */
async function dataOf(workspace: string) {
  const { s3, names } = await connect({ tenant: 'check' });
  const events = await gathered(storedLines({ client: s3, name: names.lake_bucket }, workspace));
  return { graph: await commandJson(['admin', 'hash', '--workspace', 'acme', '--tenant', 'check']), events };
}

async function impactOf(table: string): Promise<unknown> {
  const query = new URLSearchParams({
    workspace_id: shop().id,
    connector_id: shop().connectors['duck']?.id ?? '',
    relation_ref: `main.${table}`,
  });
  const headers = { authorization: `Bearer ${shop().tokens['viewer']}` };
  const response = await fetch(`${baseUrl}/v1/lineage/impact?${query}`, { headers });
  const { downstream } = v.parse(ImpactAnswer, await response.json());
  return downstream.map(({ relation_ref }) => relation_ref);
}

/** Resources with data. */
const retained = { ...nothing, tables: 2, buckets: 3, queues: 2 * queueNames.length, userPools: 1 };

describe('a second tenant', () => {
  it('lives beside the first, with stores and its own users', async () => {
    await fromApp('other', { protected: false });
    const pat = seeded.workspaces['initech']?.tokens['pat'];
    const { status } = await fetch(`${await urlOf('other')}/v1/lineage/providers?workspace_id=${shop().id}`, {
      headers: { authorization: `Bearer ${pat}` },
    });
    expect(status).toBe(401);
    expect(await impactOf('orders')).toEqual(['shop.main.revenue']);
    const checking = ['node', '--import', recorderOf(callsFolder()), 'scripts/first-account.ts'];
    const environment = { ...cloud.environment, CALLER: 'first-account' };
    const { output } = await run(environment, [...checking, '--tenant', 'other', '--url', await urlOf('other')]);
    expect(output).toMatch(/^quota +\d+ functions at once[\s\S]*The canary has no keys/);
  });

  it('says what the first said, once the copies of a night are restored into it from the vault', async () => {
    await copyLikeANight('check');
    const restoring = ['restore', '--from', 'check', '--vault'];
    const shown = v.parse(v.array(v.object({ store: v.string() })), await adminOf('other', ...restoring));
    expect(shown.map(({ store }) => store)).toEqual(['table', 'raw_bucket', 'lake_bucket']);
    expect(await adminOf('other', 'workspaces', 'list')).toEqual([]);
    const { raw_bucket: Bucket } = (await connect({ tenant: 'other' })).names;
    const s3 = new S3Client({ forcePathStyle: true });
    const interrupted = { Bucket, Key: 'raw/interrupted' };
    await s3.send(new PutObjectCommand({ ...interrupted, Body: 'x' }));
    await expect(adminOf('other', ...restoring, '--yes')).rejects.toThrow('objects in its raw bucket');
    await s3.send(new DeleteObjectCommand(interrupted));
    await adminOf('other', ...restoring, '--yes');
    const live = await adminOf('check', 'hash', '--workspace', 'acme');
    expect(await adminOf('other', 'hash', '--workspace', 'acme')).toEqual(live);
    const verified = await adminOf('other', 'rebuild', '--workspace', 'acme', '--verify');
    expect(verified).toMatchObject({ equal: true, live });
  });

  it('is off-boarded: shown first, then all of it is deleted, and the first tenant stays', async () => {
    const held = await account.left('other');
    const shown = await adminOf('other', 'offboard');
    expect(shown).toContainEqual(expect.objectContaining({ what: 'AWS::DynamoDB::Table', outcome: 'is deleted' }));
    expect(await account.left('other')).toEqual(held);
    // The service's stack is gone already when the call is repeated.
    await runs(cloud.environment, [
      'cdk',
      'destroy',
      '--force',
      '--app',
      assembly('other'),
      stackNames('other').service,
    ]);
    await adminOf('other', 'offboard', '--yes');
    expect(await account.left('other')).toEqual(nothing);
    expect(await impactOf('orders')).toEqual(['shop.main.revenue']);
    await fromOptions('other', { protected: true });
    await expect(adminOf('other', 'offboard', '--yes')).rejects.toThrow('is protected');
    await fromOptions('other', { protected: false });
  });

  it('says what the first said, once its tables and buckets are restored into it', async () => {
    const before = await adminOf('check', 'hash', '--workspace', 'acme');
    const raw = { Bucket: (await connect({ tenant: 'check' })).names.raw_bucket, Prefix: 'raw/' };
    const { Contents: stored = [] } = await new S3Client({ forcePathStyle: true }).send(new ListObjectsV2Command(raw));
    const at = new Date(Date.now() + 1_000).toISOString();
    await vi.waitUntil(() => Date.now() > Date.parse(at) + 1_000, 10_000);
    const [lost, spoilt] = stored.map(({ Key = '' }) => ({ Bucket: raw.Bucket, Key }));
    if (!lost || !spoilt) throw new Error('Fewer than two payloads were kept.');
    await new S3Client({ forcePathStyle: true }).send(new DeleteObjectCommand(lost));
    await new S3Client({ forcePathStyle: true }).send(new PutObjectCommand({ ...spoilt, Body: 'spoilt' }));
    const restored = await adminOf('other', 'restore', '--from', 'check', '--at', at);
    expect(restored).toMatchObject({
      graphs: expect.arrayContaining([expect.objectContaining({ workspace: shop().id })]),
    });
    expect(await adminOf('other', 'hash', '--workspace', 'acme')).toEqual(before);
    expect(before).toMatchObject({ relations: expect.toSatisfy((count: number) => count > 0) });
    // What was restored is what the restored payloads say, with all that the contract's tests had sent.
    const verified = await adminOf('other', 'rebuild', '--workspace', 'acme', '--verify');
    expect(verified).toMatchObject({ equal: true, live: before });
    // Payloads that were deleted or overwritten since are there as they were.
    const { raw_bucket: Bucket } = (await connect({ tenant: 'other' })).names;
    for (const { Key } of [lost, spoilt]) {
      const { Body } = await new S3Client({ forcePathStyle: true }).send(new GetObjectCommand({ Bucket, Key }));
      expect(['', 'spoilt']).not.toContain(await Body?.transformToString());
    }
  });

  it('is not restored into again, being in use', async () => {
    await expect(adminOf('other', 'restore', '--from', 'check')).rejects.toThrow('has workspaces');
  });

  it('leaves what holds data, and the first tenant, when it is destroyed', async () => {
    await runs(cloud.environment, ['cdk', 'destroy', '--force', '--app', assembly('other'), '--all']);
    expect(await account.left('other')).toEqual(retained);
    expect(await impactOf('orders')).toEqual(['shop.main.revenue']);
  });
});

describe('the first tenant', () => {
  it('leaves what holds data when it is destroyed', async () => {
    await runs(cloud.environment, ['cdk', 'destroy', '--force', '--app', assembly('check'), '--all']);
    expect(await account.left('check')).toEqual(retained);
  });
});

it('has commands of the operator make no call that the models of AWS refuse', () => {
  const calls = readCalls(callsFolder());
  const operations = new Set(calls.map(({ caller, operation }) => `${caller}: ${operation}`));
  for (const one of [
    ...[
      'first-account: GetAccountSettings',
      'admin canary run: GetItem',
      'admin offboard: DescribeBackupVault',
      'admin offboard: UpdateStack',
    ],
    ...['admin offboard: DeleteObjects', 'admin restore: CopyObject', 'admin restore: StartRestoreJob'],
    ...['admin restore: RestoreTableToPointInTime', 'admin restore: ListRecoveryPointsByResource'],
  ])
    expect(operations).toContain(one);
  expect(problemsOf(calls)).toEqual([]);
});
