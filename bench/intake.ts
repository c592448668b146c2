import { randomBytes, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { registry } from '../shared/adapters/dynamodb/registry.ts';
import type { ConnectorId } from '../shared/contract/ids.ts';
import { createConnector } from '../shared/domain/access/connectors.ts';
import { createWorkspace } from '../shared/domain/access/workspaces.ts';
import { inParallel } from '../shared/domain/concurrency/in-parallel.ts';
import type { Derivation } from '../shared/domain/graph/derivation.ts';
import { acceptOpenLineage } from '../shared/domain/ingest/accept-openlineage.ts';
import { projectDelivery } from '../shared/domain/projection/project-delivery.ts';
import { systemClock } from '../shared/domain/time/clock.ts';
import { projectorPorts } from '../shared/runtime/composition/workers.ts';
import { loadComplete } from './support/complete-snapshot.ts';
import { rounded, startMeteredTable, type Usage } from './support/metered-table.ts';
import { countRequestKinds } from './support/request-kinds.ts';
import { namespace, runEvents } from './support/run-events.ts';

// What taking lineage in costs, one JSON line a figure: events accepted and projected, and snapshots loaded.
const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '500' },
    edges: { type: 'string', default: '3000,100000' },
    ledger: { type: 'boolean', default: false },
  },
});
const { table, usageOf, stop } = await startMeteredTable();
// Only now: the runtime reads its environment when it is loaded.
const { ingestPorts } = await import('../shared/runtime/composition/intake.ts');
const lines = values.ledger ? countRequestKinds(table.client) : null;
const operator = { registry: registry(table), clock: systemClock, randomBytes, actor: 'bench' };
const workspace = (await createWorkspace(operator, { name: 'bench' })).record.id;
const warehouse = { name: 'warehouse', kind: 'postgres' as const, namespaces: [namespace] };
const connector = (await createConnector(operator, workspace, warehouse)).record.id;
const [intake, worker] = [ingestPorts(), projectorPorts()];

try {
  await measureEvents(1, 0);
  await measureEvents(1, 1);
  await measureEvents(100, 2);
  for (const edges of values.edges.split(',').filter(Boolean).map(Number)) await measureSnapshots(edges);
} finally {
  stop();
}

type Figures = Readonly<Record<string, unknown>>;

async function measureEvents(batch: number, round: number): Promise<void> {
  const events = runEvents(Number(values.jobs), round);
  const bodies = Array.from({ length: Math.ceil(events.length / batch) }, (_, i) =>
    new TextEncoder().encode(JSON.stringify(batch === 1 ? events[i] : events.slice(i * batch, (i + 1) * batch))),
  );
  const thousands = events.length / 1000;
  const each = ({ seconds, cpu_seconds, requests, read_units, write_units }: Usage) => ({
    events_per_second: Math.round(events.length / seconds),
    cpu_seconds_per_1000: rounded(cpu_seconds / thousands),
    requests_per_event: rounded(requests / events.length),
    read_units_per_event: rounded(read_units / events.length),
    write_units_per_event: rounded(write_units / events.length),
  });
  const parse = await usageOf(async () => {
    for (const body of bodies) JSON.parse(new TextDecoder().decode(body));
  });
  const ids: Awaited<ReturnType<typeof acceptOpenLineage>>[] = [];
  const accepted = await usageOf(async () => {
    ids.push(...(await inParallel(8, bodies, (bytes) => accept(bytes, batch > 1))));
  });
  lines?.();
  const projected = await usageOf(async () => {
    // As the queue hands them out, ten at once.
    for (let i = 0; i < ids.length; i += 10)
      await inParallel(10, ids.slice(i, i + 10), ({ delivery_id }) => {
        const message = { version: 1, workspace_id: workspace, delivery_id } as Parameters<typeof projectDelivery>[1];
        return projectDelivery(worker, message, { receiveCount: 1 });
      });
  });
  const kilobytes = bodies.reduce((sum, { length }) => sum + length, 0) / events.length / 1000;
  const labels = { events: events.length, batch, round, kb_per_event: rounded(kilobytes) };
  print({ ...labels, parse_cpu_seconds_per_1000: rounded(parse.cpu_seconds / thousands) });
  print({ ...labels, step: 'accept', ...each(accepted) });
  print({ ...labels, step: 'project', ...each(projected) });
  for (const [what, { requests, refused, units, items }] of lines?.() ?? [])
    print({
      batch,
      round,
      what,
      requests_per_event: rounded(requests / events.length),
      items_per_event: rounded(items / events.length),
      units_per_event: rounded(units / events.length),
      refused_per_event: rounded(refused / events.length),
    });
}

function accept(bytes: Uint8Array, isBatch: boolean) {
  return acceptOpenLineage(intake, {
    workspace,
    kind: isBatch ? 'openlineage_batch' : 'openlineage_event',
    connectorId: connector,
    providerKey: null,
    idempotencyKey: null,
    payload: { bytes, contentType: 'application/json', contentEncoding: null },
  });
}

async function measureSnapshots(edges: number): Promise<void> {
  const scope = { scopeKey: `bench:${edges}`, providerInstanceId: randomUUID() };
  const derivations = models(edges, 0);
  const steps: Readonly<Record<string, readonly Derivation[]>> = {
    first: derivations,
    unchanged: derivations,
    changed_by_a_percent: [...derivations.slice(Math.ceil(derivations.length / 100)), ...models(edges / 100, edges)],
    emptied: [],
  };
  for (const [step, said] of Object.entries(steps)) {
    const figures = await usageOf(() => loadComplete({ table, worker, workspace }, { ...scope, derivations: said }));
    print({ snapshot_edges: edges, step, ...figures, write_units_per_edge: rounded(figures.write_units / edges) });
  }
}

/** Models of three inputs each, with two columns: a chain that branches. */
function models(edges: number, from: number): Derivation[] {
  const relation = (i: number) => ({
    kind: 'relation' as const,
    connectorId: connector as ConnectorId,
    ref: `db.m.t${i}`,
  });
  return Array.from({ length: Math.ceil(edges / 3) }, (_, i) => {
    const inputs = [1, 2, 3].map((step) => relation(from + Math.max(0, i - step * 7)));
    return {
      output: relation(from + i + 1),
      inputs,
      columns: inputs.flatMap((input) => ['a', 'b'].map((column) => mapping(input, column))),
      unresolved: [],
      producer: { namespace: 'bench', name: `model_${from + i}` },
      statementKind: null,
      principal: null,
      location: '',
    };
  });
}

function mapping(input: Derivation['output'], column: string) {
  const way = { type: 'DIRECT' as const, subtype: 'IDENTITY', masking: false };
  return { input, inputColumn: column, outputColumn: column, ...way };
}

function print(figures: Figures): void {
  process.stdout.write(`${JSON.stringify({ bench: 'intake', ...figures })}\n`);
}
