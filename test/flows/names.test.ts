import { paginateScan } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noise } from '../../bench/support/models-manifest.ts';
import { s3 } from '../../shared/adapters/aws.ts';
import { keysIn } from '../../shared/adapters/s3/bucket.ts';
import { listingsPrefix } from '../../shared/contract/lake.ts';
import { askForRewrite } from '../../shared/domain/lineage/generations/ask-rewrite.ts';
import { rewriteMessage } from '../../shared/domain/lineage/generations/graph-record.ts';
import { graphOf } from '../../shared/domain/lineage/graph/node.ts';
import { rewriteStep } from '../../shared/domain/operations/rewrite/rewrite-step.ts';
import { createConnector, updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import type { ConnectorChanges } from '../../shared/domain/workspaces/access/inputs.ts';
import { projections, table } from '../../shared/runtime/composition/stores.ts';
import { rewritePorts, sweepPorts } from '../../shared/runtime/composition/workers.ts';
import crm from '../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import { gathered } from '../support/gathered.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { objectReadsOf } from '../support/object-reads.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

const namespace = 'postgres://moving:5432';
const bound: ConnectorChanges = {
  namespaces: [namespace],
  default_schema: 'core',
  kind: 'postgres',
  datahub_platform_instances: ['prod'],
};
/** Settings that name relations in other ways. */
const wrong: ConnectorChanges = {
  namespaces: [namespace],
  default_schema: 'other',
  kind: 'snowflake',
  datahub_platform_instances: ['prod.crm'],
};
const at = (hour: number) => `2026-11-${String(10 + hour)}T10:00:00.000Z`;

type Step = (place: LineagePlace) => Promise<unknown>;

const rewritten = async ({ workspace }: LineagePlace) => {
  const progress = await askForRewrite({ ...rewritePorts(), queue: projections() }, workspace);
  await world.settle();
  return progress;
};
const recorded =
  (settings: ConnectorChanges, clock = world.operator.clock): Step =>
  (place) =>
    updateConnector({ ...world.operator, clock }, place.workspace, place.connector.id, settings);
const change =
  (settings: ConnectorChanges): Step =>
  async (place) => {
    await recorded(settings)(place);
    return rewritten(place);
  };
const emit =
  (from: string, to: string, hour: number, more: object = {}): Step =>
  (place) =>
    place.emit({ ...runEvent(namespace, [from], [to], { at: at(hour) }), ...more });
const run = '0190c6f2-7d2c-7b8e-9f5a-0000000000aa';
const job = { namespace: 'airflow', name: 'long', facets: {} };
const part =
  (eventType: string, inputs: object[], outputs: object[], hour: number): Step =>
  (place) =>
    place.emit({
      ...runEvent(namespace, [], [], { at: at(hour) }),
      eventType,
      run: { runId: run },
      job,
      inputs,
      outputs,
    });

const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,prod.${name},PROD)`;

/** Names in full and by their last part, one run sent in parts, and a project and a catalog of the same relations. */
const statements: readonly Step[] = [
  emit('crm.core.accounts', 'crm.mart.totals', 1),
  emit('orders', 'crm.mart.totals', 2),
  emit('crm.mart.totals', 'crm.mart.report', 3),
  part('START', [{ namespace, name: 'crm.mart.report' }], [], 4),
  part('COMPLETE', [], [{ namespace, name: 'crm.mart.sent' }], 5),
  (place) => place.declare('/v1/lineage/dbt/manifest', { manifest: crm, force: true }),
  (place) =>
    place.declare('/v1/lineage/datahub', {
      // Some changes of names come with another kind.
      force: true,
      export: [{ upstreamUrn: urn('crm.mart.report'), downstreamUrn: urn('crm.mart.board') }],
    }),
];

/** Too large for the table: what it states is kept beside its order. */
const largeDocument: Step = (place) =>
  place.declare('/v1/lineage/dbt/manifest', { manifest: { ...crm, docs: noise(1, 10_000) }, force: true });

/** The graphs of a workspace with objects beside their orders. */
async function graphsWithObjects({ workspace }: LineagePlace): Promise<string[]> {
  const bucket = { client: s3(), name: process.env['RAW_BUCKET'] ?? '' };
  const keys = await gathered(keysIn(bucket, { Prefix: `${listingsPrefix}${workspace}` }));
  return [...new Set(keys.map((key) => key.split('/')[1] ?? ''))];
}

const refs = ['crm.core.accounts', 'crm.core.orders', 'crm.mart.report', `${namespace}/crm.mart.sent`];

/** Everything that readers see, now and of a time before the last events, without what only names the workspace. */
async function told(place: LineagePlace): Promise<unknown> {
  const answers = [];
  for (const relation_ref of refs)
    for (const as_of of [undefined, at(3)]) {
      const { json } = await place.ask('/v1/lineage/impact', { relation_ref, ...(as_of && { as_of }) });
      const { edges, lineage_resolution: resolution } = json;
      const [upstream, downstream] = [json.upstream, json.downstream].map((items: object[]) =>
        items.map((item) => ({ ...item, connector_id: 'connector_id' in item && item.connector_id !== null })),
      );
      const evidence = edges.map((edge: { upstream: string; downstream: string; evidence: object[] }) => [
        `${edge.upstream} -> ${edge.downstream}`,
        edge.evidence.length,
      ]);
      answers.push([relation_ref, as_of, { upstream, downstream, evidence, resolution }]);
    }
  return answers;
}

/** The partitions of a workspace's stored graphs, one entry per item. */
async function worldItems({ workspace }: LineagePlace): Promise<string[]> {
  const { client, name } = table();
  const found: string[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: name }))
    found.push(...Items.map(({ pk }) => pk?.S ?? '').filter((pk) => pk.startsWith(`W#${workspace}`)));
  return found;
}

const played = async (steps: readonly Step[], namespaces: string[] = []) => {
  const place = await world.place({ namespaces });
  for (const step of steps) await step(place);
  return place;
};

describe('names that a connector starts to own (C-IDENTITY-7)', () => {
  it('are those of the graph that knew them from the start, whatever came before the change and after it', async () => {
    const expected = await told(await played([change(bound), ...statements]));
    for (const edge of ['crm.mart.report -> crm.mart.sent', 'crm.mart.report -> crm.mart.board'])
      expect(JSON.stringify(expected)).toContain(edge);
    const orders = fc.shuffledSubarray([...statements], { minLength: statements.length });
    const places = fc.tuple(fc.nat(statements.length), fc.nat(statements.length), fc.nat(statements.length));
    const detours = fc.constantFrom(recorded(wrong), change(wrong), recorded({ namespaces: [], kind: 'bigquery' }));
    // What is stated between the change and its first step is named by the old settings, and then by the new.
    const interleaved = fc.tuple(orders, places, detours).map(([steps, found, detour]) => {
      const [first = 0, n, m] = found.toSorted((a, b) => a - b);
      const before = [...steps.slice(0, first), detour, ...steps.slice(first, n)];
      return [...before, recorded(bound), ...steps.slice(n, m), rewritten, ...steps.slice(m)];
    });
    await fc.assert(
      fc.asyncProperty(interleaved, async (steps) => {
        expect(await told(await played(steps))).toEqual(expected);
      }),
      { numRuns: 3, examples: [[[...statements, change(bound)]]] },
    );
  });

  it('follow each further change of defaults, kind and namespaces', async () => {
    const expected = await told(await played([change(bound), ...statements]));
    const steps = [change(wrong), ...statements.slice(0, 3), change({ namespaces: [] }), ...statements.slice(3)];
    expect(await told(await played([...steps, change(bound)]))).toEqual(expected);
  });

  it('answer by their old names until the graph of the new ones is whole, and lose nothing that comes meanwhile', async () => {
    const place = await played(statements.slice(0, 3));
    const before = await told(place);
    // Of who changes the names, and of who makes the graph anew; the deliveries end by another.
    const clock = { now: () => new Date(Date.now() + 3_600_000) };
    await recorded(bound, clock)(place);
    expect(await told(place)).toEqual(before);
    const ports = { ...rewritePorts(), clock };
    const step = async () => {
      const found = await ports.graphs.find(place.workspace);
      if (found) await rewriteStep({ ...ports, queue: { send: async () => undefined } }, rewriteMessage(found.record));
      return (await ports.graphs.find(place.workspace))?.record.rewrite?.state;
    };
    expect(await step()).toBe('catching_up');
    expect(await told(place)).toEqual(before);
    await statements[3]?.(place);
    expect(await step()).toBe('switching');
    const late = statements[4]?.(place);
    expect(await step()).toBe('following');
    await late;
    for (const step of statements.slice(5)) await step(place);
    expect(await told(place)).toEqual(await told(await played([change(bound), ...statements])));
    expect(await step()).toBe('closing');
    expect(await step()).toBeUndefined();
  });

  it('leave nothing of the graph that answers no longer, and the orders of its scopes go on', async () => {
    const place = await played([...statements, largeDocument, change(bound)]);
    const found = async () => (await rewritePorts().graphs.find(place.workspace))?.record;
    expect(await found()).toMatchObject({ generation: 1, obsolete: [0], rewrite: { state: 'closing' } });
    const count = async () => (await worldItems(place)).filter((pk) => /#(G|OB|IB|C|J|WIDE)(#|$)/.test(pk)).length;
    const answers = await told(place);
    const all = await count();
    const graphs = [place.workspace, graphOf(place.workspace, 1)];
    expect(await graphsWithObjects(place)).toEqual(graphs);
    // The last look at what ended, and then the removal.
    for (const _ of ['closing', 'removing']) {
      const due = await sweepPorts().graphs.due(new Date(Date.now() + 7_200_000).toISOString(), 100);
      for (const one of due.filter(({ workspace_id }) => workspace_id === place.workspace))
        await rewriteStep(rewritePorts(), rewriteMessage(one));
    }
    expect(await found()).toMatchObject({ obsolete: [], due_at: null });
    expect(await count()).toBeLessThan(all);
    expect(await graphsWithObjects(place)).toEqual(graphs.slice(1));
    const ends = { upstream: 'crm.core.stg_accounts', downstream: 'crm.core.accounts' };
    const { answer, reads } = await objectReadsOf(() => place.ask('/v1/lineage/edges/explain', ends));
    expect(answer.json.evidence[0].sql.text).toBe(crm.nodes['model.crm.accounts'].compiled_code);
    expect([...new Set(reads.map(({ key }) => key.split('/')[1]))]).toEqual(graphs.slice(1));
    expect((await worldItems(place)).filter((pk) => pk.startsWith(`W#${place.workspace}#G#`))).toEqual([]);
    expect(await told(place)).toEqual(answers);
    await place.declare('/v1/lineage/dbt/manifest', { manifest: { ...crm, metadata: {} } });
    expect(await told(place)).toEqual(answers);
  });

  it('answer the past by the new names too', async () => {
    const place = await played([]);
    const complete = (key: string, body: object): Promise<unknown> =>
      place.declare('/v1/lineage/dbt/manifest', {
        manifest: body,
        completeness: 'complete',
        project_id: 'crm',
        source_event_key: key,
      });
    await complete('one', crm);
    const past = new Date().toISOString();
    await complete('two', { ...crm, nodes: Object.fromEntries(Object.entries(crm.nodes).slice(0, 2)) });
    await statements[0]?.(place);
    const ask = async (relation_ref: string) =>
      (await place.ask('/v1/lineage/impact', { relation_ref, as_of: past })).json.edges
        .map((edge: { upstream: string; downstream: string }) => `${edge.upstream} -> ${edge.downstream}`)
        .sort();
    const before = await ask('crm.core.accounts');
    expect(before).not.toEqual([]);
    await change({ ...bound, default_database: 'warehouse' })(place);
    expect(await ask('crm.core.accounts')).toEqual([...before, 'crm.core.accounts -> crm.mart.totals'].sort());
  });

  it('take effect immediately if nothing uses them, and nothing else is rewritten', async () => {
    // Of a catalog's names any connector may be meant.
    const place = await played(statements.slice(0, -1));
    const { record } = await createConnector(world.operator, place.workspace, {
      name: 'elsewhere',
      kind: 'trino',
      namespaces: ['trino://elsewhere:8080'],
    });
    expect(await rewritten(place)).toMatchObject({ names: 'in_force', state: null });
    await place.emit(runEvent('trino://elsewhere:8080', ['a.b.c'], ['a.b.d']));
    const { json } = await place.ask('/v1/lineage/impact', { connector_id: record.id, relation_ref: 'a.b.c' });
    expect(json.downstream).toMatchObject([{ relation_ref: 'a.b.d' }]);
  });
});
