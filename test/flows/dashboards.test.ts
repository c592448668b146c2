import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';
import { ownedShopManifest, shopManifest } from '../support/shop-project.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const [chart, sales, board] = [
  'urn:li:chart:(looker,elements.2)',
  'urn:li:chart:(looker,elements.3)',
  'urn:li:dashboard:(looker,dashboards.1)',
] as const;
const orders = 'urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.orders,PROD)';
const explore = 'urn:li:dataset:(urn:li:dataPlatform:looker,shop.explore.orders,PROD)';
const field = (parent: string, column: string) => `urn:li:schemaField:(${parent},${column})`;
const shows = (parent: string, ...columns: string[]) =>
  columns.map((fieldPath) => ({ fieldPath, schemaFieldUrn: field(parent, fieldPath) }));

const lineage = [
  {
    upstreamUrn: orders,
    downstreamUrn: explore,
    fineGrainedLineages: ['amount', 'day'].map((column) => ({
      upstreams: [field(orders, column)],
      downstreams: [field(explore, column)],
    })),
  },
];
const first = { urn: chart, title: 'Revenue', inputs: [explore], fields: shows(explore, 'amount') };
const second = { urn: sales, inputs: [explore], fields: shows(explore, 'day') };
const whole = {
  urn: board,
  title: 'Board',
  owners: ['urn:li:corpuser:finance@shop.test'],
  inputs: [chart, sales, explore],
};

const push = (exposures: object[], import_source = 'hub', more: object[] = []) =>
  place.declare('/v1/lineage/datahub', {
    export: { lineage: [...lineage, ...more], exposures },
    import_source,
    completeness: 'complete',
    source_event_key: randomUUID(),
  });
async function below(relation_ref: string, query: Record<string, string> = {}): Promise<ImpactAnswer> {
  const { status, json } = await place.ask('/v1/lineage/impact', { relation_ref, direction: 'downstream', ...query });
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}
const shown = ({ downstream }: ImpactAnswer) =>
  downstream.map(({ relation_ref, columns }) => [relation_ref, ...columns]);

describe('dashboards of a DataHub (C-DATAHUB-7)', () => {
  it('are answered by column, grouped by tool and owner (C-IMPACT-23)', async () => {
    await push([first, second, whole]);
    const answer = await below('crm.core.orders', { column_ref: 'amount' });
    expect(shown(answer)).toEqual([
      [explore, 'amount'],
      [chart, 'amount'],
      [board, 'amount'],
    ]);
    expect(answer.precision).toEqual({ requested: 'column', delivered: 'column', reasons: [] });
    expect(answer.exposures).toEqual([
      { tool: 'looker', owner: 'finance@shop.test', relation_refs: [board] },
      { tool: 'looker', owner: null, relation_refs: [chart] },
    ]);
    expect(answer.downstream.at(-1)).toMatchObject({
      kind: 'exposure',
      exposure: { tool: 'looker', title: 'Board', owners: ['finance@shop.test'] },
    });
    expect((await below('crm.core.orders')).exposures).toEqual([
      { tool: 'looker', owner: 'finance@shop.test', relation_refs: [board] },
      { tool: 'looker', owner: null, relation_refs: [chart, sales] },
    ]);
    const { json } = await place.ask('/v1/lineage/impact', {
      relation_ref: board,
      direction: 'upstream',
      column_ref: 'day',
    });
    expect(json.upstream.map((one: { relation_ref: string }) => one.relation_ref)).toEqual([
      sales,
      explore,
      'crm.core.orders',
    ]);
  });

  it('are retracted if a snapshot leaves them out, and others are not', async () => {
    await push([first, second, whole]);
    await push([second], 'other hub');
    await push([first, { ...whole, inputs: [chart] }]);
    const names = async () => shown(await below('crm.core.orders')).map(([name]) => name);
    expect(await names()).toEqual([explore, chart, sales, board]);
    await push([], 'other hub');
    expect(await names()).toEqual([explore, chart, board]);
    const column = await below('crm.core.orders', { column_ref: 'day' });
    expect(shown(column)).toEqual([[explore, 'day']]);
  });

  it('are quarantined one by one in a partial export, and refused in a complete one', async () => {
    const broken = { ...second, urn: orders };
    const { status, json } = await push([first, broken]);
    expect([status, json.detail.code]).toEqual([422, 'lineage_snapshot_invalid']);
    const { json: partial } = await place.declare('/v1/lineage/datahub', {
      export: { lineage, exposures: [first, broken] },
    });
    expect(partial).toMatchObject({ item_count: 3, invalid_item_count: 1, edges_received: 3, observations: 2 });
    expect(shown(await below(explore, { column_ref: 'amount' }))).toEqual([[chart, 'amount']]);
  });

  it.each([board, 'urn:li:dataJob:(urn:li:dataFlow:(airflow,sync,PROD),crm)'])(
    'that an entry only names may break with what they read, until an export leaves the entry out: %s (C-DATAHUB-4)',
    async (downstreamUrn) => {
      const limits = async (relation: string) =>
        (await below(relation)).claim.limits.filter(({ blocks }) => blocks).map(({ code, text }) => [code, text]);
      const limit = [
        'read_without_output',
        'Jobs, hooks or dashboards that feed nothing known read 1 relation here (datahub-source:hub): what they use it for is not known.',
      ];
      const entry = { upstreamUrn: explore, downstreamUrn };
      await push([], 'hub', [entry]);
      expect([await limits(explore), await limits('crm.core.orders')]).toEqual([[limit], [limit]]);
      await push([]);
      expect(await limits(explore)).toEqual([]);
      await push(
        [{ urn: downstreamUrn, inputs: [explore] }].filter(({ urn }) => urn === board),
        'hub',
        [entry],
      );
      expect(await limits(explore)).toEqual(downstreamUrn === board ? [] : [limit]);
    },
  );
});

describe('exposures of dbt', () => {
  const facet = (exposures: unknown) => ({
    _producer: 'https://github.com/OpenLineage/OpenLineage/tree/1.54.0/integration/dbt',
    _schemaURL: 'https://github.com/OpenLineage/OpenLineage/tree/main/schema/dbt-exposures-dataset-facet.json',
    exposures,
  });
  const weekly = {
    unique_id: 'exposure.shop.weekly',
    name: 'weekly',
    type: 'dashboard',
    url: 'https://bi.metabase.shop.test/1',
  };

  it('come from the facet that openlineage-dbt writes on datasets (C-OPENLINEAGE-24)', async () => {
    const event = runEvent(place.namespace, ['crm.raw.orders'], ['crm.core.orders', 'crm.core.log']);
    const [input, output, log] = [...event.inputs, ...event.outputs];
    const carrying = (one: object | undefined, exposures: unknown) => ({
      ...one,
      facets: { dbt_exposures: facet(exposures) },
    });
    await place.emit({
      ...event,
      inputs: [carrying(input, [{ ...weekly, unique_id: 'exposure.shop.raw', url: null }])],
      outputs: [carrying(output, [weekly, { unique_id: 7 }]), carrying(log, 'text')],
    });
    expect(shown(await below('crm.core.orders')).map(([name]) => name)).toEqual(['exposure.shop.weekly']);
    await place.emit({
      ...event,
      run: { runId: randomUUID() },
      inputs: [carrying(input, [{ ...weekly, unique_id: 'exposure.shop.raw', url: null }])],
      outputs: [carrying(output, [weekly]), log],
    });
    const answer = await below('crm.raw.orders');
    expect(shown(answer).map(([name]) => name)).toEqual([
      'crm.core.log',
      'crm.core.orders',
      'exposure.shop.raw',
      'exposure.shop.weekly',
    ]);
    expect(answer.exposures).toEqual([
      { tool: 'dashboard', owner: null, relation_refs: ['exposure.shop.raw'] },
      { tool: 'metabase', owner: null, relation_refs: ['exposure.shop.weekly'] },
    ]);
    const column = await below('crm.core.orders', { column_ref: 'amount' });
    expect(column.precision.reasons.map(({ reason }) => reason)).toContain('exposure_has_no_columns');
  });

  it('keep the columns that their manifest lists beside a facet that lists none (C-OPENLINEAGE-24)', async () => {
    const exposure = {
      resource_type: 'exposure',
      name: 'weekly',
      type: 'dashboard',
      depends_on: { nodes: ['model.shop.orders'] },
      meta: { columns: ['gross'] },
    };
    const manifest = { ...shopManifest(), exposures: { 'exposure.shop.weekly': exposure } };
    await place.declare('/v1/lineage/dbt/manifest', { manifest, source_event_key: randomUUID() });
    const event = runEvent(place.namespace, ['crm.raw.orders'], ['crm.core.orders']);
    const outputs = event.outputs.map((one) => ({ ...one, facets: { dbt_exposures: facet([weekly]) } }));
    await place.emit({ ...event, outputs });
    const readers = async (column_ref: string) =>
      shown(await below('crm.core.orders', { column_ref, max_depth: '1' })).map(([name]) => name);
    expect(await readers('gross')).toContain('exposure.shop.weekly');
    expect(await readers('loaded_on')).not.toContain('exposure.shop.weekly');
  });
});

describe('owners of what depends on a relation (C-IMPACT-24)', () => {
  const ownersOf = ({ downstream }: ImpactAnswer) =>
    downstream.flatMap(({ relation_ref, owners }) => (owners ? [[relation_ref, ...owners]] : []));
  const project = (manifest: object) =>
    place.declare('/v1/lineage/dbt/manifest', {
      ...{ manifest, project_id: 'crm', completeness: 'complete', source_event_key: randomUUID() },
    });

  it('are those of dbt models and their groups, for no more reads than without owners', async () => {
    await project(shopManifest());
    const [plain, plainColumn] = [
      await below('crm.core.orders'),
      await below('crm.core.orders', { column_ref: 'gross' }),
    ];
    expect(ownersOf(plain)).toEqual([]);
    await project(ownedShopManifest());
    const [whole, column] = [await below('crm.core.orders'), await below('crm.core.orders', { column_ref: 'gross' })];
    const expected = [
      ['crm.core.customers', 'sales@shop.test'],
      ['crm.core.scores', 'Science'],
    ];
    expect([ownersOf(whole), ownersOf(column)]).toEqual([expected, expected]);
    expect(whole.downstream.find(({ kind }) => kind === 'exposure')?.exposure?.owners).toEqual(['data@shop.test']);
    expect([whole.cost, column.cost]).toEqual([plain.cost, plainColumn.cost]);
  });

  it('are those of the datasets of a DataHub, by column and by table', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `crm.copies.orders_${index}`);
    const urnOf = (name: string) => orders.replace('crm.core.orders', name);
    const edges = names.map((name) => ({
      upstreamUrn: orders,
      downstreamUrn: urnOf(name),
      fineGrainedLineages: [{ upstreams: [field(orders, 'day')], downstreams: [field(urnOf(name), 'day')] }],
    }));
    const datasets = names.map((name, index) => ({
      urn: urnOf(name),
      owners: [`urn:li:corpuser:${index < 40 ? 'ann' : 'ben'}`],
    }));
    await place.declare('/v1/lineage/datahub', {
      ...{ export: { lineage: edges, datasets }, import_source: 'hub' },
      ...{ completeness: 'complete', source_event_key: randomUUID() },
    });
    for (const question of [{ column_ref: 'day' }, {}]) {
      const owned = Map.groupBy(ownersOf(await below('crm.core.orders', question)), ([, owner]) => owner);
      expect([owned.get('ann')?.length, owned.get('ben')?.length]).toEqual([40, 61]);
    }
  });
});
