import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, nodeId, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { type Micros, type ParentRun, parentRun, runOrder, runToken } from '../../shared/domain/lineage/graph/order.ts';
import type { ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { resolveDataset } from '../../shared/domain/lineage/names/resolve-dataset.ts';
import { edgesOf } from '../../shared/domain/lineage/projection/edges.ts';
import { observeRun } from '../../shared/domain/lineage/projection/observe-run.ts';
import { contributionOf } from '../../shared/domain/lineage/sources/openlineage/contribution.ts';
import { runOf } from '../../shared/domain/lineage/sources/openlineage/run.ts';
import type { RunRecord, RunRecords } from '../../shared/domain/lineage/sources/openlineage/run-store.ts';
import { validateEvent } from '../../shared/domain/lineage/sources/openlineage/validate.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { readDetails } from '../support/read-details.ts';
import { runs } from '../support/runs.ts';
import { Crash, unsteadyClient } from '../support/unsteady-client.ts';

const stores = provideStores();

const resolve = (dataset: Parameters<typeof resolveDataset>[1]) => resolveDataset([], dataset);
const namespace = 'free';
const names = ['a', 'b', 'c', 'd'];
const urn = (name: string) => urnOf({ kind: 'dataset', namespace, name });
const datasets = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });

const runEvent = fc.record({
  job: fc.constantFrom('one', 'one', 'one', 'two'),
  run: fc.constantFrom(1, 2, 3),
  eventType: fc.constantFrom('START', 'RUNNING', 'COMPLETE', 'COMPLETE', 'FAIL'),
  minute: fc.nat(5),
  inputs: datasets,
  outputs: datasets,
  /** The source that a columnLineage facet of the outputs names; null: no facet. */
  mapped: fc.option(fc.constantFrom(...names), { nil: null }),
  field: fc.constantFrom('x', 'y'),
  deaths: fc.array(fc.record({ at: fc.nat(20), when: fc.constantFrom('before' as const, 'after' as const) }), {
    maxLength: 1,
  }),
  redelivered: fc.boolean(),
  isBegun: fc.boolean(),
});
type Sent = typeof runEvent extends fc.Arbitrary<infer T> ? T : never;

const facet = { _producer: 'https://e.test/p', _schemaURL: 'https://e.test/s.json' };
const wire = ({ job, run, eventType, minute, inputs, outputs, mapped, field }: Sent) => ({
  eventTime: `2026-11-01T10:0${minute}:00Z`,
  eventType,
  producer: 'https://e.test/p',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  run: { runId: `0190c6f2-7d2c-7b8e-9f5a-00000000000${run}` },
  job: { namespace: 'jobs', name: job },
  inputs: inputs.map((name) => ({ namespace, name })),
  outputs: outputs.map((name) => ({
    namespace,
    name,
    ...(mapped && {
      facets: {
        columnLineage: { ...facet, fields: { x: { inputFields: [{ namespace, name: mapped, field }] } } },
      },
    }),
  })),
});

function recordsOf(sent: Sent): RunRecords {
  const validation = validateEvent(wire(sent));
  if (!validation.valid || validation.kind !== 'RunEvent') throw new Error('the test made an invalid event');
  const { at, digest, content } = contributionOf(validation.event, resolve);
  return new Map([[digest, { content, first: at, last: at }]]);
}

const scopeOf = (job: string): ScopeIdentity => ({
  scope: scopeId(`runs:${job}`),
  scopeKey: `runs:${job}`,
  kind: 'observed',
  providerType: 'openlineage',
  providerInstanceId: 'p',
});

const earlier = (a: Micros, b: Micros) => ([a, b].sort() as [Micros, Micros])[0];
const later = (a: Micros, b: Micros) => ([a, b].sort() as [Micros, Micros])[1];

/**
 * Every edge that some run states once all of its events are known, with the span of its observations and the columns
 * that the newest of these runs maps, or all of them if one run is the parent of all.
 */
function oracle(events: readonly Sent[], parent?: ParentRun): { spans: string[]; columns: string[] } {
  const columns = new Map<string, { order: string; columns: readonly string[] }>();
  const runs = Map.groupBy(events, ({ job, run }) => `${job} ${run}`);
  const spans = new Map<string, string[]>();
  for (const [name, own] of runs) {
    const record = new Map<string, RunRecord>();
    for (const [digest, { content, first: at }] of own.flatMap((one) => [...recordsOf(one)])) {
      const known = record.get(digest);
      const [first, last] = [known?.first ?? at, known?.last ?? at];
      record.set(digest, { content, first: earlier(first, at), last: later(last, at) });
    }
    const { observed, derivations } = runOf(record, '');
    if (!observed) continue;
    const [job, run = ''] = name.split(' ');
    const order = runOrder(observed.last, runToken(run), record.values());
    const context = { deliveryId: '', observedAt: '', unmappedIsUnknown: true };
    for (const { from, to, detail } of edgesOf(derivations, context)) {
      const key = `${job}: ${from.at(-1)}${to.at(-1)}`;
      const known = columns.get(key);
      const mapped = detail.columns.map((one) => JSON.stringify(one));
      const others = parent ? (known?.columns ?? []) : [];
      if (!known || known.order < order || parent)
        columns.set(key, { order, columns: [...new Set([...others, ...mapped])].sort() });
      spans.set(key, [...(spans.get(key) ?? []), observed.first, observed.last]);
    }
  }
  return {
    spans: [...spans].map(([key, times]) => `${key} ${times.sort()[0]} ${times.at(-1)}`).sort(),
    columns: [...columns].map(([key, one]) => `${key} [${one.columns}]`).sort(),
  };
}

/** The stored state of every possible edge, observed or not: retracted edges leave nothing. */
async function storedColumns(workspace: WorkspaceId): Promise<string[]> {
  const pairs = names.flatMap((from) => names.map((to) => ({ from: nodeIdOf(from), to: nodeIdOf(to) })));
  const requested = ['one', 'two'].flatMap((job) => pairs.map((pair) => ({ ...pair, scope: scopeOf(job).scope })));
  const found = await readDetails(graphPorts(stores.client), graphOf(workspace, 0), requested);
  return found
    .map(({ from, to, scope, detail }) => {
      const job = ['one', 'two'].find((one) => scopeOf(one).scope === scope);
      const mapped = detail.columns.map((one) => JSON.stringify(one)).sort();
      return `${job}: ${nameOf(from)}${nameOf(to)} [${mapped}]`;
    })
    .sort();
}

async function observedEdges(workspace: WorkspaceId, side: 'out' | 'in'): Promise<string[]> {
  const ports = graphPorts(stores.client);
  const nodes = await ports.pages.nodes(
    graphOf(workspace, 0),
    names.map((name) => nodeIdOf(name)),
  );
  return nodes
    .flatMap(({ pages: { [side]: page } }) =>
      page.claims.flatMap((claim) => {
        if (claim.kind !== 'observed') return [];
        const job = ['one', 'two'].find((one) => scopeOf(one).scope === claim.scope);
        const [here, there] = [nameOf(page.node), nameOf(claim.other)];
        return [`${job}: ${side === 'out' ? `${here}${there}` : `${there}${here}`} ${claim.first} ${claim.last}`];
      }),
    )
    .sort();
}

const nodeIdOf = (name: string) => nodeId(urn(name));
const nameOf = (id: string) => names.find((name) => nodeIdOf(name) === id);

const observe = (ports: ReturnType<typeof graphPorts>, workspace: WorkspaceId, sent: Sent, parent?: ParentRun) =>
  observeRun(ports, {
    graph: graphOf(workspace, 0),
    scope: scopeOf(sent.job),
    schemaScope: scopeOf(sent.job),
    job: { namespace: 'jobs', name: sent.job },
    runId: String(sent.run),
    parentRun: parent,
    records: recordsOf(sent),
    deliveryId: 'd',
    isBegun: sent.isBegun,
    expiresAt: 4_000_000_000,
    location: '',
  });

it.each<[1 | 2, 1 | 2]>([
  [1, 2],
  [2, 1],
])(
  'keeps what the newest of several other runs says of an edge that a run withdraws, in any order of reading (runs %i, %i)',
  async (older, newer) => {
    const event: Sent = {
      ...{
        job: 'one',
        run: older,
        minute: 0,
        eventType: 'COMPLETE',
        inputs: ['c'],
        outputs: ['a'],
        mapped: null,
        field: 'x',
      },
      ...{ deaths: [], redelivered: false, isBegun: false },
    };
    const sent: Sent[] = [
      event,
      { ...event, run: newer, minute: 2, mapped: 'c' },
      { ...event, run: 3, minute: 3, inputs: [], mapped: 'c' },
      // The input is named now, and it is another one.
      { ...event, run: 3, minute: 4, eventType: 'RUNNING', inputs: ['a'], outputs: [] },
    ];
    const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
    for (const one of sent) await observe(graphPorts(stores.client), workspace, one);
    const { spans, columns } = oracle(sent);
    expect(columns).toEqual([
      'one: aa []',
      'one: ca [{"inputColumn":"x","outputColumn":"x","type":"DIRECT","subtype":null,"masking":false}]',
    ]);
    for (const side of ['out', 'in'] as const) expect(await observedEdges(workspace, side)).toEqual(spans);
    expect(await storedColumns(workspace)).toEqual(columns);
  },
);

it('observes what the runs mean once all their events are known, however they arrive, interleave, die and repeat (C-OPENLINEAGE-8, C-OPENLINEAGE-12)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(runEvent, { minLength: 1, maxLength: 6 }),
      fc.option(fc.constant(parentRun('p')), { nil: undefined }),
      fc.scheduler(),
      async (events, parent, scheduler) => {
        const workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
        const work = async (sent: Sent) => {
          for (const death of [...sent.deaths, null, ...(sent.redelivered ? [null] : [])]) {
            const dies = (request: number) => (death?.at === request ? death.when : null);
            const ports = graphPorts(unsteadyClient(stores.client, scheduler, dies));
            await observe(ports, workspace, sent, parent).catch((error) => {
              if (!(error instanceof Crash)) throw error;
            });
          }
        };
        await scheduler.waitFor(Promise.all(events.map(work)));
        const { spans, columns } = oracle(events, parent);
        expect(await observedEdges(workspace, 'out')).toEqual(spans);
        expect(await observedEdges(workspace, 'in')).toEqual(spans);
        expect(await storedColumns(workspace)).toEqual(columns);
      },
    ),
    { numRuns: runs(6) },
  );
}, 240_000);
