import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { bundleFunctions } from '../lib/bundle-functions.ts';
import { bundleFolder, functionSpecs } from '../lib/function-specs.ts';
import { heapOptions } from '../lib/functions.ts';
import { startIssuer } from '../local/issuer/issuer.ts';
import { seedWorkspace } from '../local/seed/workspace.ts';
import { dynamodb } from '../shared/adapters/aws.ts';
import { registry } from '../shared/adapters/dynamodb/registry/registry.ts';
import { systemClock } from '../shared/domain/base/time/timestamp.ts';
import { startStoresProcess } from './support/stores.ts';

// One JSON line for each function that users wait for: the size of its bundle, and the time from a fresh process to its
// first answer, over embedded stores on this machine. Lambda adds the download of the bundle and the start of its sandbox.
const runs = 5;
const names = ['collect', 'ingest', 'queries', 'diff', 'export'] as const;
type Name = (typeof names)[number];
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
type Timed = v.InferOutput<typeof Timed>;

await bundleFunctions(names);
const stores = await startStoresProcess();
const issuer = await startIssuer(null);
const operator = {
  registry: registry({ client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' }),
  clock: systemClock,
  randomBytes,
  actor: 'bench',
};
try {
  const workspace = await seedWorkspace({ operator, issuer }, { ...shop, connectors: { warehouse } });
  const requestOf = requestsOf(workspace);
  for (const name of names) {
    const times: Timed[] = [];
    for (let run = 0; run < runs; run++) times.push(await answer(name, requestOf[name]()));
    print(name, times);
  }
} finally {
  stores.stop();
  await issuer.stop();
}

/** Requests of the API, with the least that each answers. */
function requestsOf({ id: workspace_id, tokens, connectors, collection }: Awaited<ReturnType<typeof seedWorkspace>>) {
  const token = tokens['admin'];
  const own = { workspace_id, connector_id: connectors['warehouse']?.id ?? '' };
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const event = () => ({ id: randomUUID(), type: 'track', event: 'e', user_id: 'u', timestamp: ago(0) });
  const run = () => ({
    eventType: 'COMPLETE',
    eventTime: ago(0),
    run: { runId: randomUUID() },
    job: { namespace: 'bench', name: 'job' },
    inputs: [{ namespace: 'postgres://w', name: 'w.s.a' }],
    outputs: [{ namespace: 'postgres://w', name: 'w.s.b' }],
    producer: 'https://bench.test',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  });
  const get = (place: string, query: Query) => request('GET', `/v1/lineage/${place}`, { query, token });
  return {
    collect: () =>
      request('POST', '/collect/v1/batch', { body: { project_key: collection['project_key'], events: [event()] } }),
    ingest: () => request('POST', '/api/v1/lineage', { query: own, body: run(), token }),
    queries: () => get('impact', { ...own, relation_ref: 'w.s.b', direction: 'upstream' }),
    diff: () => get('diff', { ...own, from: ago(2), to: ago(1) }),
    export: () => get('export', { workspace_id, output: 'ndjson' }),
  };
}

type Query = Readonly<Record<string, string>>;
type Request = { readonly query?: Query; readonly body?: object; readonly token?: string | undefined };

/** A request as API Gateway hands it to a function. */
function request(httpMethod: string, place: string, { query = {}, body, token }: Request) {
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const multiple = (one: Query) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, [value]]));
  return {
    httpMethod,
    path: place,
    resource: place,
    headers,
    multiValueHeaders: multiple(headers),
    queryStringParameters: query,
    multiValueQueryStringParameters: multiple(query),
    pathParameters: null,
    body: body ? Buffer.from(JSON.stringify(body)).toString('base64') : null,
    isBase64Encoded: body !== undefined,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '127.0.0.1' } },
  };
}

async function answer(name: Name, event: object): Promise<Timed> {
  const program = path.join(import.meta.dirname, 'support', 'cold-process.mjs');
  const bundle = path.join(bundleFolder(name), 'index.mjs');
  const env = {
    ...process.env,
    // Without source maps, whose time ADR 17 names apart.
    NODE_OPTIONS: heapOptions(functionSpecs[name]).join(' '),
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

function print(name: Name, times: readonly Timed[]): void {
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

function kib(bytes: number): number {
  return Math.round(bytes / 1024);
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0);
}
