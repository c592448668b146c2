import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import * as v from 'valibot';
import { bundleFunctions, bundleOptions } from '../lib/bundle-functions.ts';
import { bundleFolder, type FunctionName, functionNames, functionSpecs, pageFunction } from '../lib/function-specs.ts';
import { heapOptions } from '../lib/functions.ts';
import { startIssuer } from '../local/issuer/issuer.ts';
import { seedWorkspace } from '../local/seed/workspace.ts';
import { dynamodb } from '../shared/adapters/aws.ts';
import { registry } from '../shared/adapters/dynamodb/registry/registry.ts';
import { systemClock } from '../shared/domain/base/time/timestamp.ts';
import { questionsOf } from './support/function-questions.ts';
import { startStoresProcess } from './support/stores.ts';

// One JSON line a function, and before them one of `floor`, a function that asks the table once and does nothing else:
// the size of its bundle, and the time from a fresh process to its first answer, over embedded stores on this machine.
// Lambda adds the download of the bundle and the start of its sandbox. All functions, or those that are named (a
// projector is asked about what an `ingest` before it accepted): `node bench/cold-start.ts [FUNCTION...]`.
const runs = 5;
const named = process.argv.slice(2);
const target = functionNames.filter((name) => named.length === 0 || named.includes(name));
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

await bundleFunctions(target);
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
  let delivery = '';
  const questions = questionsOf(workspace, () => delivery);
  print('floor', await answers('floor', () => ({})));
  for (const name of target) {
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

async function answers(name: FunctionName | 'floor', question: () => unknown): Promise<Timed[]> {
  const times = [];
  for (let run = 0; run < runs; run++) times.push(await answer(name, await question()));
  return times;
}

type Timed = v.InferOutput<typeof Timed>;

async function answer(name: FunctionName | 'floor', event: unknown): Promise<Timed> {
  const program = path.join(import.meta.dirname, 'support', 'cold-process.mjs');
  const bundle = path.join(bundleFolder(name), 'index.mjs');
  const env = {
    ...process.env,
    // Without source maps, whose time ADR 17 names apart.
    NODE_OPTIONS: name === 'floor' ? '' : heapOptions(functionSpecs[name]).join(' '),
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

try {
  await measure();
} finally {
  stores.stop();
  await issuer.stop();
}
