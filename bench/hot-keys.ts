import './support/quiet.ts';
import { parseArgs } from 'node:util';
import { accessReader } from '../shared/adapters/dynamodb/registry/registry-readers.ts';
import { inParallel } from '../shared/domain/base/concurrency.ts';
import { systemClock } from '../shared/domain/base/time/timestamp.ts';
import { askImpact } from '../shared/domain/lineage/queries/impact/ask-impact.ts';
import { openGraph } from '../shared/domain/lineage/traversal/open-graph.ts';
import { archivePayloads } from '../shared/domain/operations/sweep/archive-payloads.ts';
import { resendDue } from '../shared/domain/operations/sweep/resend-due.ts';
import { createWorkspace } from '../shared/domain/workspaces/access/workspaces.ts';
import { startBenchWorkspace } from './support/bench-graph.ts';
import { cpuMsOf, printerOf, rounded } from './support/figures.ts';
import { countKeyUnits, type KeyUnits, kindOf } from './support/key-units.ts';
import { acceptEvents, impactQuestion, projectAccepted } from './support/openlineage-work.ts';
import { runEvents } from './support/run-events.ts';

// Which items and partitions one workspace's work meets, and by how many units each time: the most for every kind of
// key. One JSON line a figure. Batches of ten messages come from this many workers, each with its own process cache.
const { values } = parseArgs({
  options: { events: { type: 'string', default: '400' }, workers: { type: 'string', default: '4' } },
});
const { stores, table, operator, workspace, connector, record, namespace } = await startBenchWorkspace();
// Only now: the runtime reads its environment when it is loaded.
const { ingestPorts } = await import('../shared/runtime/composition/intake.ts');
const { projectorPorts, sweepPorts } = await import('../shared/runtime/composition/workers.ts');
const { queriesPorts } = await import('../shared/runtime/composition/queries.ts');
const used = countKeyUnits(table.client);
const place = { workspace, connector };
const print = printerOf('hot-keys');
const workers = Array.from({ length: Number(values.workers) }, () => projectorPorts());

try {
  await measureEvents('ordinary', 0, (event) => event);
  await measureEvents('known jobs', 1, (event) => event);
  await measureEvents('one popular input', 2, readingPopular);
  await measureAnswers();
  await measureUpkeep(3 * Number(values.events));
  await measureSweep(40);
} finally {
  stores.stop();
}

async function measureEvents(what: string, round: number, change: (event: object) => object): Promise<void> {
  const bodies = runEvents(Number(values.events) / 2, round).map((event) => JSON.stringify(change(event)));
  const intake = ingestPorts();
  used();
  const receipts = await inParallel(8, bodies, (body) => acceptEvents(intake, place, Buffer.from(body)));
  print({ what, step: 'accept', ...hottest(bodies.length) });
  const batches = Array.from({ length: Math.ceil(receipts.length / 10) }, (_, i) =>
    receipts.slice(i * 10, i * 10 + 10),
  );
  await inParallel(workers.length, batches, async (batch, i) => {
    const worker = workers[i % workers.length] ?? projectorPorts();
    await inParallel(10, batch, (receipt) => projectAccepted(worker, workspace, receipt));
  });
  print({ what, step: 'project', ...hottest(bodies.length) });
}

/** Every job reads one table beside its own. */
function readingPopular(event: object): object {
  const { inputs } = event as { readonly inputs: readonly { readonly facets: object }[] };
  const [first] = inputs;
  return { ...event, inputs: [{ ...first, namespace, name: 'db.public.popular' }, ...inputs] };
}

/** What a request of a token reads before anything else, and the answer about a relation. */
async function measureAnswers(): Promise<void> {
  const requested = 50;
  const access = accessReader(table);
  const ports = queriesPorts();
  used();
  for (let n = 0; n < requested; n++) {
    await access.membership(workspace, 'usr_bench' as Parameters<typeof access.membership>[1]);
    await askImpact(await openGraph(ports, workspace, new Date()), record, impactQuestion(place, n));
  }
  print({ what: 'impact', step: 'answer', ...hottest(requested) });
}

/** What the sweep takes of each delivery that has ended: one look whether it was sent, and the archive of its payload. */
async function measureUpkeep(deliveries: number): Promise<void> {
  const sweep = sweepPorts();
  const inHours = (hours: number) => new Date(systemClock.now().getTime() + hours * 3_600_000);
  const tasks = {
    due: () => resendDue(sweep, inHours(1)),
    archive: () => archivePayloads(sweep, { now: inHours(2), timeIsUp: () => false }),
  };
  for (const [step, task] of Object.entries(tasks)) {
    used();
    const cpu_ms = rounded((await cpuMsOf(task)) / deliveries, 3);
    print({ what: 'ended deliveries', step, cpu_ms, ...hottest(deliveries) });
  }
}

/** What each minute's look for what is due takes for every workspace, whether or not it has something. */
async function measureSweep(workspaces: number): Promise<void> {
  for (let n = 0; n < workspaces; n++) await createWorkspace(operator, { name: `idle ${n}` });
  const due = sweepPorts();
  const look = () => resendDue(due, systemClock.now());
  await look();
  used();
  const cpu_ms = rounded((await cpuMsOf(look)) / workspaces, 3);
  print({ what: 'idle workspaces', step: 'sweep', cpu_ms, ...hottest(workspaces) });
}

/** Of each kind of item and of partition the one with most units, by one event or answer. */
function hottest(count: number) {
  const { read, write } = used();
  const most = (units: ReadonlyMap<string, number>) => {
    const kinds = new Map<string, number>();
    for (const [key, sum] of units) kinds.set(kindOf(key), Math.max(kinds.get(kindOf(key)) ?? 0, sum / count));
    const ranked = [...kinds].sort(([, a], [, b]) => b - a).slice(0, 6);
    return Object.fromEntries(ranked.map(([kind, share]) => [kind, rounded(share, 3)]));
  };
  const all = ({ partitions, indexes }: KeyUnits) =>
    rounded([...partitions.values(), ...indexes.values()].reduce((sum, units) => sum + units, 0) / count, 3);
  return {
    count,
    write_units: all(write),
    read_units: all(read),
    write_items: most(write.items),
    write_partitions: most(write.partitions),
    read_partitions: most(read.partitions),
  };
}
