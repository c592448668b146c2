// Asks its own local service what the API descriptions allow and forbid, for this many seconds: no failure, no status and
// no answer that is not described. `node scripts/fuzz-api.mjs [--seconds 100] [--seed N] [--only operationId]`
// With `--memory REQUESTS` it ends after that many requests, and also fails if the memory of the service, without its data, grows.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { dereferenced } from '../test/support/dereferenced.ts';
import { answerCheck } from '../test/support/fuzz/api/check-answer.ts';
import { operationsOf, requestsOf } from '../test/support/fuzz/api/requests.ts';
import { withLocalService } from './local-service.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string' },
    memory: { type: 'string' },
  },
});
/** The thread that holds what the service stores, which may grow. */
const data = 'objects and queues';
const mebibytes = (bytes) => Math.round((bytes / 2 ** 20) * 10) / 10;
/** What caches may still fill up by in the second half, in MiB and as a share. */
const [allowedMib, allowedShare] = [16, 0.1];

const requestsARound = 8;
const shown = 2_000;
const requests = values.memory === undefined ? Number.POSITIVE_INFINITY : Number(values.memory);
const end = values.memory === undefined ? Date.now() + Number(values.seconds) * 1_000 : Number.POSITIVE_INFINITY;
const memory = values.memory === undefined ? null : threadMeasurement(requests);

process.exitCode = await withLocalService(
  async (file, pid) => {
    const credentials = JSON.parse(readFileSync(file, 'utf8'));
    const base = String(credentials.base_url).replace(/\/$/, '');
    const descriptions = [
      ['', '/openapi.json'],
      ['/collect', '/collect/openapi.json'],
    ];
    const checked = await Promise.all(
      descriptions.map(async ([under, place]) => {
        const description = dereferenced(await (await fetch(base + place)).json());
        return { operations: operationsOf(description, under), check: answerCheck() };
      }),
    );
    const all = checked.flatMap(({ operations, check }) => operations.map((operation) => ({ operation, check })));
    const chosen = all.filter(({ operation }) => values.only === undefined || operation.id === values.only);
    const faults = await fuzz(base, await worldOf(base, credentials), chosen, pid);
    for (const fault of faults.values()) console.log(`\n${fault}`);
    console.log(`The API descriptions: ${faults.size} answers that they do not allow (seed ${values.seed}).`);
    const isFlat = memory?.isFlat() ?? true;
    if (!isFlat) console.log('The threads of the service hold more and more.');
    return faults.size === 0 && isFlat ? 0 : 1;
  },
  [],
  memory?.options,
);

/** The first request of each fault of each operation. */
async function fuzz(base, world, all, pid) {
  const faults = new Map();
  let requestCount = 0;
  const isOver = () => Date.now() >= end || requestCount >= requests;
  for (let round = 0; !isOver(); round++)
    for (const { operation, check } of all) {
      if (isOver()) break;
      const sampled = fc.sample(requestsOf(operation, world), {
        seed: Number(values.seed) + round,
        numRuns: requestsARound,
      });
      await Promise.all(
        sampled.map(async (request) => {
          const fault = await faultOf(base, operation, check, request);
          if (fault !== null)
            faults.set(
              `${operation.id} ${fault.slice(0, 60)}`,
              `${operation.method} ${request.path.slice(0, shown)} ${fault}\n${request.body?.slice(0, shown) ?? ''}`,
            );
        }),
      );
      requestCount += sampled.length;
      await memory?.after(requestCount, pid);
    }
  console.log(`${requestCount} requests to ${all.length} operations.`);
  return faults;
}

async function faultOf(base, operation, check, request) {
  const { path: place, headers, body } = request;
  const answer = await fetch(base + place, { method: operation.method, headers, ...(body !== null && { body }) });
  return check(operation, answer, await answer.text());
}

/** What requests may name, by the names of their fields: records of one workspace, created for it. */
async function worldOf(base, { workspaces: { acme } }) {
  const { id, tokens, connectors, linked_projects: linked, collection } = acme;
  const known = {
    workspace_id: [id],
    connector_id: [connectors.warehouse.id, connectors.duck.id],
    project_key: [collection.project_key],
    api_key: [collection.project_key],
    project_id: [linked.dbt, linked.sqlmesh],
    relation_ref: ['analytics.public.a', 'analytics.public.b', 'b'],
    upstream: ['analytics.public.a'],
    downstream: ['analytics.public.b'],
    column_ref: ['x', 'amount'],
    as_of: [new Date().toISOString()],
    from: [new Date(Date.now() - 86_400_000).toISOString()],
    user_id: ['user-1'],
  };
  const dataset = (name) => ({
    namespace: connectors.warehouse.namespaces[0],
    name: `analytics.public.${name}`,
  });
  const event = {
    eventTime: new Date().toISOString(),
    producer: 'https://fuzz.test',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent',
    job: { namespace: 'fuzz', name: 'job' },
    inputs: [dataset('a')],
    outputs: [dataset('b')],
  };
  const ask = async (place, method = 'GET', body = undefined) => {
    const answer = await fetch(base + place, {
      method,
      headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const { delivery_id } = await ask(
    `/api/v1/lineage?workspace_id=${id}&connector_id=${connectors.warehouse.id}`,
    'POST',
    event,
  );
  known['delivery_id'] = [delivery_id];
  known['provider_instance_id'] = (await ask(`/v1/lineage/providers?workspace_id=${id}`))['items'].map((one) => one.id);
  const create = async (name, place, body) => {
    known[name] = [(await ask(place, 'POST', { workspace_id: id, ...body }))['id'] ?? 'none'];
  };
  await create('check_id', '/v1/agent/checks', {
    name: 'n',
    scope: {},
    expectation: 'no stale edge',
    severity: 'info',
    enabled: true,
  });
  await create('artifact_id', '/v1/agent/artifacts', { kind: 'sql', title: 't', content: 'select 1' });
  await create('access_request_id', '/v1/access/requests', {
    connector_id: connectors.warehouse.id,
    role: 'editor',
    reason: 'r',
  });
  return { known, tokens: [tokens.admin, tokens.admin, tokens.admin, tokens.editor, tokens.viewer] };
}

/** What threads still hold after their garbage is collected, measured at each of `parts` equal parts of a count of requests. `options` are those of a service; `isFlat` is about the second half. */
function threadMeasurement(requests, parts = 6) {
  const folder = mkdtempSync(path.join(tmpdir(), 'threads-'));
  const file = path.join(folder, 'held.jsonl');
  const found = [];
  return {
    options: {
      first: ['--expose-gc', '--import', new URL('./memory-of-threads.mjs', import.meta.url).href],
      variables: { MEMORY_OF_THREADS: file },
    },
    after: async (count, pid) => {
      if (count < ((found.length + 1) * requests) / parts) return;
      const threads = await heldBy(pid, file);
      const held = [...threads].reduce((sum, [name, bytes]) => sum + (name === data ? 0 : bytes), 0);
      found.push({ threads, held });
      const line = {
        bench: 'service-memory',
        requests: count,
        held_mib: mebibytes(held),
        data_mib: mebibytes(threads.get(data) ?? 0),
      };
      console.log(JSON.stringify(line));
    },
    isFlat: () => {
      rmSync(folder, { recursive: true });
      const [half, last] = [found[Math.floor(parts / 2) - 1], found.at(-1)];
      if (half === undefined || last === undefined) return false;
      const grown = last.held - half.held;
      const of = [...last.threads].map(([name, bytes]) => ({
        name,
        mib: mebibytes(bytes - (half.threads.get(name) ?? 0)),
      }));
      const most = of.sort((a, b) => b.mib - a.mib).slice(0, 5);
      console.log(JSON.stringify({ bench: 'service-memory', grown_mib: mebibytes(grown), most }));
      return grown <= allowedMib * 2 ** 20 + allowedShare * half.held;
    },
  };
}

/** The bytes that the threads of each name hold. */
async function heldBy(pid, file) {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  // A busy thread answers later.
  for (let [before, same] = ['', 0]; same < 5; await setTimeout(400)) {
    same = before === read() && before !== '' ? same + 1 : 0;
    before = read();
  }
  const held = new Map();
  for (const line of read().trim().split('\n')) {
    const { name, bytes } = JSON.parse(line);
    held.set(name, (held.get(name) ?? 0) + bytes);
  }
  return held;
}
