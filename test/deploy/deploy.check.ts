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
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect } from '../../cli/connect.ts';
import { type Credentials, type Seeded, writeCredentials } from '../../local/credentials.ts';
import { type DevelopmentIssuer, startIssuer } from '../../local/issuer/issuer.ts';
import { ImpactAnswer } from '../../shared/contract/impact.ts';
import { queueNames, stackNames } from '../../shared/contract/stack-outputs.ts';
import { Account, nothing } from './account.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { failures } from './conformance.ts';
import { emulatorFaults, notRun } from './deviations.ts';
import { runs } from './run.ts';
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

  it('is as it was after the same deployment', async () => {
    expect(await deploy('--app', assembly('check'))).toContain('(no changes)');
  });

  it('takes up a changed setting of a function', async () => {
    await fromApp('check', { ...own(), settings: { COLLECTION_ENABLED: 'false' } });
    const answer = await post('/collect/v1/batch', batch(randomUUID()));
    expect(answer).toMatchObject({ status: 503, json: { detail: { code: 'collection_disabled' } } });
  });
});

/** What the operator's command answers for a tenant. */
const adminOf = async (tenant: string, ...args: readonly string[]): Promise<unknown> =>
  JSON.parse(
    await runs(cloud.environment, ['node', 'cli/tributary.ts', 'admin', ...args, '--tenant', tenant, '--json']),
  );

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
