// Uses what no test of test/process uses: functions that schedules wake, webhooks, agents by HTTP, uploads, artifacts, and
// the commands of an operator. `npm run deploy:check` runs it with `record-calls.ts` preloaded. With the address of an
// emulator of Firehose it does so on the template of a tenant with every option.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { CreateDeliveryStreamCommand, FirehoseClient } from '@aws-sdk/client-firehose';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import * as v from 'valibot';
import { connect } from '../../cli/connect.ts';
import { bundleChangedFunctions } from '../../lib/bundle-functions.ts';
import { functionNames } from '../../lib/function-specs.ts';
import { writeCredentials } from '../../local/credentials.ts';
import { startIssuer } from '../../local/issuer/issuer.ts';
import type { LocalFunction } from '../../local/lambda/local-function.ts';
import { localStores } from '../../local/run.ts';
import { seed } from '../../local/seed/seed.ts';
import { startService } from '../../local/service.ts';
import { currentTemplate } from '../../local/template/current.ts';
import { issuerAddress, type Resource, resourcesOf, type Template } from '../../local/template/template.ts';
import { functionNamed, wired } from '../../local/template/wiring.ts';
import { CreatedToken } from '../../shared/contract/access.ts';
import { hourFolder, lakeObjectKey } from '../../shared/contract/lake.ts';
import { commandJson } from '../support/command-line.ts';
import { runEvent } from '../support/run-event.ts';
import { everyOptionTemplate } from './options.ts';
import { uploadManifest } from './uploads.ts';

const firehose = process.argv[2];

/** The template of every option, whose functions reach the emulated stream, which has the name of the resource. */
async function withStream(template: Template, address: string): Promise<Template> {
  const client = new FirehoseClient({
    region: 'us-east-1',
    endpoint: address,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  for (const [DeliveryStreamName] of resourcesOf(template, 'AWS::KinesisFirehose::DeliveryStream'))
    await client.send(new CreateDeliveryStreamCommand({ DeliveryStreamName, DeliveryStreamType: 'DirectPut' }));
  const reached = resourcesOf(template, 'AWS::Lambda::Function').map(([id, resource]): [string, Resource] => {
    const { Variables } = Object(resource.Properties['Environment']);
    const Environment = { Variables: { ...Variables, AWS_ENDPOINT_URL_FIREHOSE: address } };
    return [id, { ...resource, Properties: { ...resource.Properties, Environment } }];
  });
  const all = Object.entries({ ...template.Resources, ...Object.fromEntries(reached) });
  // A laptop has no events of Athena and AWS Backup.
  const resources = all.filter(([, { Properties }]) => Properties['EventPattern'] === undefined);
  return { ...template, Resources: Object.fromEntries(resources) };
}

const running = new AsyncDisposableStack();
const folder = await mkdtemp(path.join(tmpdir(), 'flows-'));
running.defer(() => rm(folder, { recursive: true }));
const issuer = await startIssuer(null);
running.defer(issuer.stop);
await bundleChangedFunctions(functionNames);
const service = await startService({
  port: 0,
  folder: null,
  template: async () => ({
    ...(firehose === undefined ? await currentTemplate() : await withStream(await everyOptionTemplate(), firehose)),
    Parameters: { [issuerAddress]: { Type: 'String', Default: issuer.baseUrl } },
  }),
  environment: { WEBHOOK_ALLOWED_HOSTS: 'hooks.invalid' },
  log: (line) => console.error(line),
});
running.defer(service.stop);
const local = localStores(service);
const seeded = await seed({ folder: null, seed: 'conformance' }, local, issuer);
const credentials = path.join(folder, 'credentials.json');
await writeCredentials(credentials, { base_url: service.baseUrl, ...seeded, local });
const acme = seeded.workspaces['acme'];
if (acme === undefined) throw new Error('The seed has no workspace acme.');
const shop = acme;
const workspace_id = acme.id;
const admin = acme.tokens['admin'] ?? '';

async function send(method: string, place: string, body?: object, token = admin): Promise<unknown> {
  const response = await fetch(service.baseUrl + place, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${place} answered ${response.status}: ${text}`);
  return text;
}
const json = async (...args: Parameters<typeof send>): Promise<unknown> => JSON.parse(String(await send(...args)));
const Named = v.object({ id: v.string() });

async function callApi(): Promise<void> {
  const scopes = ['read', 'write', 'admin'];
  const made = await json('POST', '/v1/auth/tokens', { workspace_id, name: 'flows', scopes, expires_in_days: 1 });
  const { token } = v.parse(CreatedToken, made);
  await send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, token);
  await send('GET', '/');
  const { project_id, project_key } = shop.collection;
  const event = { id: 'flows', type: 'track', event: 'bought', user_id: 'u', timestamp: new Date().toISOString() };
  await send('POST', '/collect/v1/batch', { project_key, events: [event] }, '');
  await send('GET', `/v1/collection-projects/${project_id}/counts?workspace_id=${workspace_id}`);
  const post = async (place: string, body: unknown) => ({ status: 202, json: await json('POST', place, Object(body)) });
  const { delivery_id } = v.parse(v.object({ delivery_id: v.string() }), (await uploadManifest(post, shop)).json);
  await send('GET', `/v1/lineage/deliveries/${delivery_id}/payload?workspace_id=${workspace_id}`);
  const artifact = {
    workspace_id,
    tool_run_id: 'flows',
    kind: 'sql',
    path: 'flows.sql',
    content: `select 1 -- ${'x'.repeat(400_000)}`,
  };
  const { id } = v.parse(Named, await json('POST', '/v1/agent/artifacts', artifact));
  await send('GET', `/v1/agent/artifacts/${id}?workspace_id=${workspace_id}`);
}

/** The receiver does not exist: what is noted is that it cannot be reached. */
async function callWebhooks(): Promise<void> {
  const wanted = { workspace_id, url: 'https://hooks.invalid/', events: ['delivery.failed'] };
  const { id } = v.parse(Named, await json('POST', '/v1/webhooks', wanted));
  await send('PATCH', `/v1/webhooks/${id}`, { workspace_id, rotate_secret: true });
  await send('POST', `/v1/webhooks/${id}/test`, { workspace_id });
}

/** An hour of the lake that is over, and so is compacted. */
async function fillLake(): Promise<void> {
  const { s3, names } = await connect({ credentials });
  const received_at = new Date(Date.now() - 5 * 3_600_000).toISOString();
  const { project_id, environment } = shop.collection;
  const partition = `workspace=${workspace_id}/project=${project_id}/environment=${environment}/${hourFolder(received_at)}`;
  for (const runId of ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']) {
    const row = { id: runId, type: 'track', event: 'bought', workspace_id, project_id, received_at, trusted: false };
    const Body = gzipSync(`${JSON.stringify(row)}\n`);
    await s3.send(new PutObjectCommand({ Bucket: names.lake_bucket, Key: lakeObjectKey({ partition, runId }), Body }));
  }
}

const Rule = v.object({ Targets: v.array(v.object({ Arn: v.string(), Input: v.string() })) });

async function wakeAll(): Promise<void> {
  const invoke = async (one: LocalFunction | undefined, event: unknown) =>
    // A laptop serves no public address for the canary: it fails after its keys are read.
    one?.invoke(event).catch(({ message }: Error) => console.error(message));
  for (const { properties } of wired(service.wiring, 'AWS::Events::Rule', Rule))
    for (const { Arn, Input } of properties.Targets)
      await invoke(service.functions.get(functionNamed(Arn)), JSON.parse(Input));
  // A laptop has no schedule for it.
  await invoke(
    [...service.functions.values()].find(({ name }) => name === 'canary'),
    {},
  );
}

/** In another process: what is recorded of this one's threads is by functions. */
async function operate(): Promise<void> {
  const program = path.join(import.meta.dirname, 'operator.ts');
  const [status] = await once(
    spawn(process.execPath, [...process.execArgv, program, credentials], { stdio: 'inherit' }),
    'close',
  );
  if (status !== 0) throw new Error(`The commands of the operator ended with ${status}.`);
}

try {
  await commandJson(['admin', 'canary', 'prepare', '--credentials', credentials]);
  await send(
    'POST',
    `/api/v1/lineage?workspace_id=${workspace_id}`,
    runEvent('duckdb://acme', ['shop.main.a'], ['shop.main.b']),
  );
  await callApi();
  await callWebhooks();
  await fillLake();
  await wakeAll();
  await setTimeout(2_000);
  await operate();
} finally {
  await running.disposeAsync();
}
