import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filesApi } from '../../cli/offline/files-api.ts';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { openFiles } from '../../shared/domain/lineage/files/open-files.ts';
import crm from '../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import shop from '../fixtures/dbt/shop-manifest.json' with { type: 'json' };
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
type Place = Awaited<ReturnType<typeof world.place>>;

/** What only a service knows of evidence, and what differs from run to run. */
const ofService: ReadonlySet<string> = new Set(
  'kept workspace_id connector_id provider_instance_id delivery_id scope_key scope_keys observed_at first_observed_at last_observed_at as_of cost coverage claim received_at last_delivery last_complete_snapshot_at sources said_by described_by aliases'.split(
    ' ',
  ),
);

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !ofService.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, comparable(inner)]));
}

it.each([
  ['crm', crm],
  ['shop', shop],
])('files of %s answer as the service does that the same files were pushed to (C-FILES-1)', async (name, manifest) => {
  const kind = manifest.metadata.adapter_type === 'duckdb' ? 'duckdb' : 'postgres';
  const place = await world.place({ kind });
  await place.declare('/v1/lineage/dbt/manifest', {
    manifest,
    project_id: 'crm',
    completeness: 'complete',
    source_event_key: name,
  });
  const document = { kind: 'dbt_manifest', manifest } as const;
  const files = [{ name: 'manifest.json', scope: 'dbt-project:crm', document }];
  const api = filesApi(await openFiles(files, { sqlParser: loadSqlParser, now: new Date() }));
  await expectSameAnswers(place, api);
});

/** Compares what a service and files answer about each relation and column. */
async function expectSameAnswers(place: Place, api: ReturnType<typeof filesApi>): Promise<void> {
  const listed = (await place.ask(routes.listRelations.path, { limit: '100' })).json;
  expect(comparable(await api.ask(routes.listRelations, { query: { limit: '100', connector_id: 'files' } }))).toEqual(
    comparable(listed),
  );
  expect(listed.items.length).toBeGreaterThan(3);
  for (const { relation_ref } of listed.items) {
    const { json: shown } = await place.ask(routes.getRelation.path, { relation_ref });
    const columns: string[] = shown.columns.map((one: { name: string }) => one.name);
    for (const column_ref of [[], ...columns.map((column) => [column])]) {
      const query = { relation_ref, column_ref };
      const { json } = await place.ask(routes.getImpact.path, query);
      const offline = await api.ask(routes.getImpact, { query: { ...query, connector_id: 'files' } });
      expect(comparable(offline), `${relation_ref} ${column_ref}`).toEqual(comparable(json));
      expect(offline).toMatchObject({
        claim: { kind: json.claim.kind, counts: json.claim.counts, evidence_until: null },
      });
    }
  }
}

it('events beside a manifest answer as the service does to which both were sent (C-FILES-1)', async () => {
  const namespace = 'postgres://db:5432';
  const place = await world.place({ namespaces: [namespace] });
  const pushed = { project_id: 'crm', completeness: 'complete', source_event_key: 'events' };
  await place.declare('/v1/lineage/dbt/manifest', { manifest: crm, ...pushed });
  const [orders, report, mart] = ['crm.core.orders', 'crm.ops.report', 'crm.ops.mart'];
  const columns = { total: [[orders, 'amount']] } as const;
  const loaded = runEvent(namespace, [orders], [report], { columns });
  const begun = { ...runEvent(namespace, [report], [mart]), eventType: 'START' };
  const { run: _, eventType: __, ...designed } = runEvent(namespace, [report], ['crm.ops.designed'], { job: 'design' });
  const lifecycle = { lifecycleStateChange: 'RENAME', previousIdentifier: { namespace, name: 'crm.ops.old' } };
  const _schemaURL = 'https://openlineage.io/spec/facets/1-0-1/LifecycleStateChangeDatasetFacet.json';
  const facets = { lifecycleStateChange: { _producer: 'https://example.com/test', _schemaURL, ...lifecycle } };
  const renamed = {
    ...runEvent(namespace, [report], []),
    outputs: [{ namespace, name: 'crm.ops.copy', facets }],
  };
  const events = [loaded, begun, designed, renamed];
  await place.emit(events);
  const files = [
    { name: 'manifest.json', scope: 'dbt-project:crm', document: { kind: 'dbt_manifest', manifest: crm } as const },
  ];
  const api = filesApi(await openFiles(files, { sqlParser: loadSqlParser, now: new Date(), events }));
  await expectSameAnswers(place, api);
  const query = { relation_ref: orders, connector_id: 'files' };
  expect(await api.ask(routes.getImpact, { query })).toMatchObject({
    downstream: expect.arrayContaining([expect.objectContaining({ relation_ref: 'crm.ops.designed' })]),
  });
});

const ns = 'postgres://db:5432';
const facet = { _producer: 'urn:test', _schemaURL: 'urn:test' };
const columns = ['a', 'b', 'c'];
const relation = fc.oneof(
  fc.record({ namespace: fc.constant(ns), name: fc.constantFrom('crm.x.t', 'crm.x.u', 'crm.x.v', 'crm.y.w') }),
  fc.record({ namespace: fc.constant('s3://lake'), name: fc.constantFrom('d/e', 'd/f') }),
);
const schema = fc.constantFrom({}, { schema: { ...facet, fields: columns.map((name) => ({ name, type: 'int' })) } });
const source = fc.record({ input: fc.nat(1), column: fc.constantFrom(...columns) });
const mapped = fc.dictionary(fc.constantFrom(...columns), source);

/** Runs and declared jobs over few relations, some with lists of columns, a part of their columns mapped, or no output. */
const events = fc
  .array(
    fc.record({
      ...{ inputs: fc.tuple(relation, relation), output: relation, schema, mapped },
      ...{ isRun: fc.boolean(), writes: fc.nat(3).map(Boolean) },
    }),
    { minLength: 12, maxLength: 12 },
  )
  .map((all) =>
    all.map(({ inputs, output, schema, mapped, isRun, writes }, index) => {
      const at = new Date(Date.now() - index * 60_000).toISOString();
      const { run, eventType, ...job } = runEvent(ns, [], [], { job: `job ${index}`, at });
      const fields = Object.fromEntries(
        Object.entries(mapped).map(([column, { input, column: field }]) => [
          column,
          { inputFields: [{ ...inputs[input === 0 ? 0 : 1], field }] },
        ]),
      );
      const facets = { ...schema, ...(Object.keys(fields).length > 0 && { columnLineage: { ...facet, fields } }) };
      const event = { ...job, inputs, outputs: writes ? [{ ...output, facets }] : [] };
      if (isRun) return { ...event, run, eventType };
      return { ...event, schemaURL: event.schemaURL.replace('RunEvent', 'JobEvent') };
    }),
  );

it.each([4, 6, 7])('events of any kind answer as the service does to which they were sent: %i', async (seed) => {
  const [sent = []] = fc.sample(events, { seed, numRuns: 1 });
  const place = await world.place({ namespaces: [ns] });
  await place.emit(sent);
  const api = filesApi(await openFiles([], { sqlParser: loadSqlParser, now: new Date(), events: sent }));
  await expectSameAnswers(place, api);
});

it('an event that cannot be read limits the answer of files', async () => {
  const events = [runEvent('postgres://db:5432', ['crm.core.a'], ['crm.core.b']), { eventType: 'COMPLETE' }];
  const api = filesApi(await openFiles([], { sqlParser: loadSqlParser, now: new Date(), events }));
  const query = { relation_ref: 'crm.core.b', connector_id: 'files' };
  expect(await api.ask(routes.getImpact, { query })).toMatchObject({
    claim: {
      kind: 'may_break',
      limits: expect.arrayContaining([expect.objectContaining({ code: 'delivery_quarantined' })]),
    },
  });
});

it('a branch is compared with a file as with a service to which that file was pushed (C-FILES-1)', async () => {
  const place = await world.place();
  const pushed = { project_id: 'crm', completeness: 'complete', source_event_key: 'base' };
  await place.declare('/v1/lineage/dbt/manifest', { manifest: crm, ...pushed });
  const base = [
    { name: 'base.json', scope: 'dbt-project:crm', document: { kind: 'dbt_manifest', manifest: crm } as const },
  ];
  const api = filesApi(await openFiles(base, { sqlParser: loadSqlParser, now: new Date() }));
  const text = JSON.stringify(crm);
  const changes: readonly (readonly [string, string])[] = [
    ['a.owner, ', ''],
    ['a.owner', 'upper(a.owner) as owner'],
    ['left join', 'join'],
    ['select a.id as account_id', 'select a.id as account_id, a.id as another'],
  ];
  for (const [before, after] of changes) {
    expect(text).toContain(before);
    const body = { manifest: JSON.parse(text.replaceAll(before, after)), project_id: 'crm', match_by: 'auto' };
    const { json } = await place.post(routes.diffProject.path, body);
    const offline = await api.ask(routes.diffProject, {
      body: { workspace_id: 'files', connector_id: 'files', ...body },
    });
    expect(json.summary.columns.added + json.summary.columns.removed + json.relations.length, after).toBeGreaterThan(0);
    expect(comparable(offline), after).toEqual(comparable(json));
  }
});

it('keeps edges into paths and topics active at any age of their events, like edges into relations', async () => {
  const events = [
    ['file', '/data/a'],
    ['kafka://broker:9092', 'orders'],
    ['postgres://db:5432', 'crm.core.a'],
  ].map(([namespace = '', name = '']) =>
    runEvent(namespace, [name], [`${name}_copy`], { at: '2020-01-01T00:00:00Z', job: name }),
  );
  const api = filesApi(await openFiles([], { sqlParser: loadSqlParser, now: new Date(), events }));
  for (const relation_ref of ['file//data/a', 'kafka://broker:9092/orders', 'crm.core.a'])
    expect(await api.ask(routes.getImpact, { query: { relation_ref, connector_id: 'files' } })).toMatchObject({
      downstream: [{ relation_ref: `${relation_ref}_copy` }],
      claim: { kind: 'breaks' },
    });
});
