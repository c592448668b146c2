import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { build } from 'esbuild';
import * as v from 'valibot';
import { bundleFolder, bundleFunctions, bundleOptions } from '../lib/bundle-functions.ts';
import { type FunctionName, functionNames, pageFunction } from '../lib/function-specs.ts';
import { startIssuer } from '../local/issuer/issuer.ts';
import { seedWorkspace } from '../local/seed/workspace.ts';
import { dynamodb, sqs } from '../shared/adapters/aws.ts';
import { registry } from '../shared/adapters/dynamodb/registry.ts';
import { agentCheckRoutes } from '../shared/contract/routes/agent-checks.ts';
import { codehostAppRoutes } from '../shared/contract/routes/codehost-apps.ts';
import { policyRoutes } from '../shared/contract/routes/policy.ts';
import { webhookRoutes } from '../shared/contract/routes/webhooks.ts';
import { systemClock } from '../shared/domain/time/clock.ts';
import { startStoresProcess } from './support/stores.ts';

// One JSON line a function, and before them one of `floor`, a function that asks the table once and does nothing else: the size of its bundle, and the time from a fresh process to its first answer, over
// embedded stores on this machine. Lambda adds the download of the bundle and the start of its sandbox. All functions,
// or those that are named (a projector is asked about what an `ingest` before it took in): `node bench/cold-start.ts [FUNCTION...]`.
const runs = 5;
const named = process.argv.slice(2);
const wanted = functionNames.filter((name) => named.length === 0 || named.includes(name));
const shop = { name: 'shop', allowedOrigin: 'https://shop.test', linkedProjects: {} };
const warehouse = {
  kind: 'postgres',
  namespaces: ['postgres://w'],
  default_database: 'w',
  default_schema: 's',
} as const;
const Timed = v.object({
  loadedMs: v.number(),
  answeredMs: v.number(),
  processorMs: v.number(),
  answer: v.nullish(v.looseObject({ statusCode: v.optional(v.number()), body: v.optional(v.string()) })),
});

await bundleFunctions(wanted);
const floor = path.join(import.meta.dirname, 'support', 'cold-floor.ts');
await build({ ...bundleOptions([], bundleFolder('floor')), entryPoints: { index: floor } });
const stores = await startStoresProcess();
const issuer = await startIssuer(null);
const operator = {
  registry: registry({ client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' }),
  clock: systemClock,
  randomBytes,
  actor: 'bench',
};
async function measure(): Promise<void> {
  const workspace = await seedWorkspace({ operator, issuer }, { ...shop, connectors: { warehouse } });
  const token = workspace.tokens['admin'] ?? '';
  const connector = workspace.connectors['warehouse']?.id ?? '';
  const asked = { workspace_id: workspace.id, connector_id: connector };
  let delivery = '';
  const projected = () => records(JSON.stringify({ version: 1, workspace_id: workspace.id, delivery_id: delivery }));

  const questions: Readonly<Record<Exclude<FunctionName, typeof pageFunction | 'canary'>, () => unknown>> = {
    collect: () => request('POST', '/collect/v1/batch', {}, batchOf(workspace.collection['project_key']), null),
    ingest: () => request('POST', '/api/v1/lineage', asked, runOf(randomUUID()), token),
    uploads: () => request('POST', '/v1/uploads', {}, uploadOf(workspace.id), token),
    queries: () =>
      request('GET', '/v1/lineage/impact', { ...asked, relation_ref: 'w.s.b', direction: 'upstream' }, null, token),
    diff: () => request('GET', '/v1/lineage/diff', { ...asked, from: minutesAgo(2), to: minutesAgo(1) }, null, token),
    export: () => request('GET', '/v1/lineage/export', { workspace_id: workspace.id, output: 'ndjson' }, null, token),
    agent: () => request('GET', agentCheckRoutes.listChecks.path, { workspace_id: workspace.id }, null, token),
    policy: () => ({
      ...request('GET', policyRoutes.getPolicy.path, { workspace_id: workspace.id }, null, token),
      pathParameters: { connector_id: connector },
    }),
    access: () => request('GET', '/v1/auth/tokens', { workspace_id: workspace.id }, null, token),
    codehost: () => request('GET', codehostAppRoutes.listAppConfigs.path, { workspace_id: workspace.id }, null, token),
    webhooks: () => request('GET', webhookRoutes.listWebhooks.path, { workspace_id: workspace.id }, null, token),
    system: () => request('GET', '/openapi.json', {}, null, null),
    mcp: () => request('POST', '/mcp', {}, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, token),
    'store-events': async () => records(await acceptedBatch()),
    compactor: () => ({}),
    projector: projected,
    'document-projector': projected,
    notifier: () => records(JSON.stringify(unheard(workspace.id))),
    'pull-requests': () =>
      records(
        JSON.stringify({
          version: 1,
          kind: 'webhook',
          workspace_id: workspace.id,
          config_id: 'none',
          delivery_id: 'none',
          event: 'ping',
        }),
      ),
    sweep: () => ({ task: 'due' }),
  };

  print('floor', await answers('floor', () => ({})));
  for (const name of wanted) {
    // One reads its files from beside its code, the other waits for the rest.
    if (name === pageFunction || name === 'canary') continue;
    const times = await answers(name, questions[name]);
    for (const { answer } of times) {
      const { delivery_id } = v.parse(v.object({ delivery_id: v.optional(v.string()) }), bodyOf(answer?.body));
      if (delivery_id) delivery = delivery_id;
    }
    print(name, times);
  }
}

async function answers(name: string, question: () => unknown): Promise<Timed[]> {
  const times = [];
  for (let run = 0; run < runs; run++) times.push(await answer(name, await question()));
  return times;
}

type Timed = v.InferOutput<typeof Timed>;

async function answer(name: string, event: unknown): Promise<Timed> {
  const program = path.join(import.meta.dirname, 'support', 'cold-process.mjs');
  const bundle = path.join(bundleFolder(name), 'index.mjs');
  const env = {
    ...process.env,
    POWERTOOLS_METRICS_DISABLED: 'true',
    COLLECTION_SINK: 'lake',
    OIDC_ISSUER: issuer.issuer,
    OIDC_AUDIENCE: issuer.audience,
    OIDC_JWKS_URL: issuer.jwksUrl,
    OIDC_DISCOVERY_URL: issuer.jwksUrl,
  };
  // What it logs comes before.
  const { stdout } = await promisify(execFile)(process.execPath, [program, bundle, JSON.stringify(event)], { env });
  const timed = v.parse(Timed, JSON.parse(stdout.slice(stdout.lastIndexOf('\n'))));
  const { statusCode = 200 } = timed.answer ?? {};
  if (statusCode >= 300) throw new Error(`${name} answered ${statusCode}: ${timed.answer?.body}`);
  return timed;
}

function print(name: string, times: readonly Timed[]): void {
  const bundle = readFileSync(path.join(bundleFolder(name), 'index.mjs'));
  const figures = {
    bench: 'cold-start',
    function: name,
    bundle_kib: kib(bundle.length),
    gzip_kib: kib(gzipSync(bundle).length),
    loaded_ms: median(times.map(({ loadedMs }) => loadedMs)),
    first_answer_ms: median(times.map(({ answeredMs }) => answeredMs)),
    // Of the whole process: what else the machine does weighs on this one less.
    processor_ms: median(times.map(({ processorMs }) => processorMs)),
    runs,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

const kib = (bytes: number): number => Math.round(bytes / 1024);
const median = (values: readonly number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0);
const bodyOf = (body: string | undefined): unknown => (body?.startsWith('{') ? JSON.parse(body) : {});
/** A notification that no webhook asked for. */
const unheard = (workspace_id: string) => ({
  version: 1,
  kind: 'tell_webhooks',
  workspace_id,
  notification: { id: 'bench', type: 'gap.opened', occurred_at: minutesAgo(0), summary: 'A gap.', data: {} },
});
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

function request(
  httpMethod: string,
  place: string,
  query: Readonly<Record<string, string>>,
  body: unknown,
  token: string | null,
) {
  const headers = {
    ...(token && { Authorization: [`Bearer ${token}`] }),
    ...(body !== null && { 'Content-Type': ['application/json'] }),
  };
  return {
    httpMethod,
    path: place,
    resource: place,
    headers: Object.fromEntries(Object.entries(headers).map(([name, [value]]) => [name, value])),
    multiValueHeaders: headers,
    queryStringParameters: query,
    multiValueQueryStringParameters: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
    pathParameters: null,
    body: body === null ? null : Buffer.from(JSON.stringify(body)).toString('base64'),
    isBase64Encoded: body !== null,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '127.0.0.1' } },
  };
}

const batchOf = (project_key: string | undefined) => ({
  project_key,
  events: [{ id: randomUUID(), type: 'track', event: 'e', user_id: 'u', timestamp: minutesAgo(0) }],
});

const runOf = (runId: string) => ({
  eventType: 'COMPLETE',
  eventTime: minutesAgo(0),
  run: { runId },
  job: { namespace: 'bench', name: 'job' },
  inputs: [{ namespace: 'postgres://w', name: 'w.s.a' }],
  outputs: [{ namespace: 'postgres://w', name: 'w.s.b' }],
  producer: 'https://bench.test',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
});

const uploadOf = (workspace_id: string) => ({
  workspace_id,
  kind: 'openlineage_event',
  content_length: 5_000_000,
  sha256: '0'.repeat(64),
});

/** The message of a batch that the function collect accepted. */
async function acceptedBatch(): Promise<string> {
  const queue = { QueueUrl: process.env['EVENTS_QUEUE_URL'], WaitTimeSeconds: 1 };
  const { Messages: [message] = [] } = await sqs().send(new ReceiveMessageCommand(queue));
  return message?.Body ?? '';
}

const records = (body: string) => ({
  Records: [{ messageId: randomUUID(), body, attributes: { ApproximateReceiveCount: '1' }, messageAttributes: {} }],
});

try {
  await measure();
} finally {
  stores.stop();
  await issuer.stop();
}
